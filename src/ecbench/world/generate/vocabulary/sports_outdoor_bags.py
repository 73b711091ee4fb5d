"""Listings of Sports Bags & Accessories, from sweatbands to ski bags."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary

_BRANDS = (
    "Lanyue",
    "Rockhale",
    "Striden",
    "Shanbu",
    "Packoro",
    "Yuelang",
    "Velodan",
    "Qingbei",
    "Trailune",
    "Haoteng",
    "Kelubo",
    "Gearlin",
    "Xingbao",
    "Moveron",
)

_LINES = (
    Line(
        level=0.05,
        products=(
            "Sports Headband",
            "Wrist Sweatband Pair",
            "Gym Towel",
            "Cooling Sports Towel",
            "Running Arm Sleeves",
        ),
        materials=("Microfiber", "Cotton", "Terry", "Ice Silk", "Bamboo Fiber"),
        features=("Quick-Dry", "Sweat-Wicking", "Breathable", "Soft Touch"),
        sizes=("Black", "White", "Blue", "Pink", "Gray"),
    ),
    Line(
        level=0.14,
        products=("Running Waist Pack", "Race Number Belt", "Sports Phone Armband", "Bounce-Free Running Belt"),
        materials=("Lycra", "Neoprene", "Nylon", "Stretch"),
        features=("Reflective Strip", "Water-Resistant", "Key Pocket", "Adjustable Strap", "Elastic Fit"),
        sizes=("Black", "Red", "Blue", "Gray", "Neon Green"),
    ),
    Line(
        level=0.23,
        products=("Drawstring Gym Bag", "Swim Wet Bag", "Shoe Carry Bag", "Ball Mesh Bag", "Foldable Sports Tote"),
        materials=("Oxford", "Ripstop Nylon", "Polyester", "Tarpaulin"),
        features=("Water-Resistant", "Wet Pocket", "Front Zip Pocket", "Top Handle"),
        sizes=("Black", "Navy", "Gray", "Pink", "Teal"),
    ),
    Line(
        level=0.3,
        products=(
            "Soccer Shin Guards",
            "Volleyball Knee Pads",
            "Elbow Guard Pair",
            "Wrist Support Brace",
            "Ankle Support Sleeve",
        ),
        materials=("EVA", "Neoprene", "Breathable", "Elastic Knit", "Padded"),
        features=("Adjustable Strap", "Unisex Fit", "Anti-Slip", "Shock-Absorbing"),
        sizes=("Size S", "Size M", "Size L", "Size XL"),
    ),
    Line(
        level=0.37,
        products=("Weightlifting Gloves", "Cycling Gloves", "Rowing Gloves", "Goalkeeper Gloves", "Climbing Gloves"),
        materials=("Microfiber", "Mesh-Back", "Leather-Palm", "Silicone-Grip", "Latex-Palm"),
        features=("Wrist Strap", "Padded Palm", "Breathable", "Anti-Slip"),
        sizes=("Size S", "Size M", "Size L", "Size XL"),
    ),
    Line(
        level=0.45,
        products=("Bike Saddle Bag", "Bike Frame Bag", "Handlebar Roll Bag", "Bike Pannier Bag", "Top Tube Phone Bag"),
        materials=("Ripstop", "Waterproof TPU", "Nylon", "Polyester"),
        features=("Quick Release", "Rain Cover", "Reflective Trim", "Sealed Zip"),
        sizes=("Black", "Orange", "Blue", "Gray", "Red"),
    ),
    Line(
        level=0.52,
        products=("Swim Goggles Set", "Swim Goggles and Cap Set", "Wide-View Swim Goggles", "Racing Swim Goggles"),
        materials=("Silicone", "Anti-Fog", "Mirrored", "Polarized"),
        features=("With Case", "Quick-Adjust Strap", "UV Protection", "Leak-Proof Seal", "With Ear Plugs"),
        sizes=("Black", "Blue", "Clear", "Rose", "Smoke"),
    ),
    Line(
        level=0.59,
        products=(
            "Gym Duffel Bag",
            "Two-Section Duffel",
            "Fitness Shoulder Bag",
            "Weekend Sports Duffel",
            "Barrel Training Bag",
        ),
        materials=("Oxford", "Nylon", "Polyester", "Water-Resistant"),
        features=("Shoe Compartment", "Side Wet Pocket", "Trolley Sleeve", "Padded Strap", "Reflective Trim"),
        sizes=("20 L", "25 L", "30 L", "35 L"),
    ),
    Line(
        level=0.67,
        products=("Cycling Helmet", "Skate Helmet", "Urban Bike Helmet", "Road Bike Helmet", "Climbing Helmet"),
        materials=("In-Mold", "ABS", "EPS-Foam", "Lightweight"),
        features=("Adjustable Dial", "Removable Lining", "Rear Light", "Ventilated"),
        sizes=("Size S", "Size M", "Size L", "Size XL"),
    ),
    Line(
        level=0.74,
        products=(
            "Badminton Racket Bag",
            "Tennis Racket Backpack",
            "Basketball Backpack",
            "Soccer Team Backpack",
            "Boxing Gear Backpack",
        ),
        materials=("Oxford", "Nylon", "PU-Trim", "Polyester"),
        features=("Shoe Pocket", "Front Zip Pocket", "Rain Cover", "Padded Back"),
        sizes=("Black", "White", "Blue", "Red", "Black and Gold"),
    ),
    Line(
        level=0.81,
        products=("Hydration Backpack", "Trail Running Vest Pack", "Cycling Hydration Pack", "Ski Touring Daypack"),
        materials=("Ripstop", "Nylon", "Mesh-Back", "Water-Resistant"),
        features=("With 2 L Bladder", "Hose Clip", "Rain Cover", "Breathable Back", "Whistle Buckle"),
        sizes=("5 L", "8 L", "10 L", "12 L"),
    ),
    Line(
        level=0.88,
        products=(
            "Climbing Rope Bag",
            "Motocross Gear Bag",
            "Team Equipment Duffel",
            "Swim Team Backpack",
            "Hockey Gear Bag",
        ),
        materials=("Ballistic Nylon", "Tarpaulin", "Heavy Oxford", "Ripstop"),
        features=("Wheeled Base", "Reinforced Bottom", "Side Vents", "Lockable Zips", "Padded Straps"),
        sizes=("50 L", "60 L", "75 L", "90 L"),
    ),
    Line(
        level=0.95,
        products=(
            "Padded Ski Bag",
            "Snowboard Roller Bag",
            "Surfboard Travel Bag",
            "Golf Travel Cover",
            "Golf Flight Bag",
        ),
        materials=("Waterproof", "Thick Nylon", "Heavy Oxford", "Ripstop"),
        features=("Wheeled", "Shoulder Strap", "Full-Length Zip", "Extra Pocket", "Reinforced Ends"),
        sizes=("Black", "Navy", "Gray", "Red", "White"),
    ),
)

BAGS = Vocabulary(category="Sports Bags & Accessories", brands=_BRANDS, lines=_LINES)
