"""The Pet Supplies store type: its listings, return notes and market overview."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary
from ecbench.world.model import Overview

_BRANDS = (
    "Maoqi",
    "Wangle",
    "Pawlin",
    "Chongmi",
    "Nuzzlo",
    "Miaoxi",
    "Tailune",
    "Bobodo",
    "Fluffan",
    "Gougu",
    "Whiskora",
    "Lelemao",
    "Petluo",
    "Dudumi",
    "Wagmoor",
    "Xiaozhua",
)

_LINES = (
    Line(
        level=0.05,
        products=("Cat Teaser Wand", "Bell Ball Cat Toy", "Mouse Cat Toy", "Fish Cat Toy", "Caterpillar Cat Toy"),
        materials=("Feather-Trim", "Plush", "Felt", "Sisal", "Catnip-Filled"),
        features=("Indoor Play", "Interactive", "Kitten Safe", "Chew and Chase"),
        sizes=("Single", "Pack of 2", "Pack of 3", "Pack of 5"),
    ),
    Line(
        level=0.13,
        products=("Dog Chew Toy", "Squeaky Dog Toy", "Dog Tug Ring", "Dental Chew Bone", "Dog Fetch Ball"),
        materials=("Natural Rubber", "TPR", "Latex", "Milk-Scented", "Bite-Resistant"),
        features=("Teeth Cleaning", "For Small Dogs", "For Medium Dogs", "For Large Dogs"),
        sizes=("Blue", "Green", "Orange", "Red", "Yellow"),
    ),
    Line(
        level=0.21,
        products=("Pet Food Bowl", "Elevated Pet Bowl", "Slow Feeder Bowl", "Double Pet Bowl", "Non-Spill Water Bowl"),
        materials=("Stainless Steel", "Ceramic", "PP", "Melamine"),
        features=("Anti-Slip Base", "Neck-Friendly Tilt", "Easy Clean", "Cat and Small Dog"),
        sizes=("Blue", "White", "Pink", "Gray", "Green"),
    ),
    Line(
        level=0.29,
        products=(
            "Cat Treat Sticks",
            "Freeze-Dried Pet Treats",
            "Soft Dog Treats",
            "Cat Puree Treats",
            "Dog Jerky Strips",
        ),
        materials=("Chicken", "Salmon", "Duck", "Beef", "Tuna"),
        features=("Grain-Free", "No Added Color", "High Protein", "Training Reward"),
        sizes=("60 g", "100 g", "150 g", "200 g"),
    ),
    Line(
        level=0.37,
        products=("Dog Collar", "Dog Leash", "Hands-Free Leash", "Two-Dog Leash", "Training Leash"),
        materials=("Nylon", "PU Leather", "Padded", "Braided Rope", "Canvas"),
        features=("Quick-Release Clip", "Adjustable", "Soft Touch", "Reflective Stitching"),
        sizes=("Red", "Black", "Blue", "Pink", "Gray"),
    ),
    Line(
        level=0.45,
        products=("Pet Grooming Brush", "Deshedding Comb", "Pet Slicker Brush", "Pet Massage Brush", "Pet Flea Comb"),
        materials=("Stainless Steel", "Silicone", "Self-Cleaning", "Soft-Grip", "Wooden-Handle"),
        features=("For Cats", "For Dogs", "Short and Long Hair", "Easy-Hold Grip"),
        sizes=("Blue", "Pink", "White", "Green"),
    ),
    Line(
        level=0.53,
        products=("Dog Vest", "Dog Winter Coat", "Dog Hoodie", "Pet Sweater", "Pet Pajamas"),
        materials=("Cotton", "Fleece", "Knitted", "Corduroy", "Quilted"),
        features=("Easy On and Off", "Stretch Fit", "Machine Washable", "Soft Lining"),
        sizes=("Size XS", "Size S", "Size M", "Size L", "Size XL"),
    ),
    Line(
        level=0.61,
        products=(
            "Tofu Cat Litter",
            "Bentonite Cat Litter",
            "Mixed Cat Litter",
            "Cassava Cat Litter",
            "Corn Cat Litter",
        ),
        materials=("Green Tea", "Unscented", "Activated Carbon", "Milk", "Peach"),
        features=("Low Dust", "Fast Clumping", "Odor Control", "Fine Grain"),
        sizes=("5 kg", "6 kg", "8 kg", "10 kg"),
    ),
    Line(
        level=0.69,
        products=("Cat Scratching Board", "Cat Scratching Post", "Cat Scratcher Lounge", "Cat Scratching Ramp"),
        materials=("Corrugated Card", "Sisal", "Jute", "Wood-Frame", "Carpeted"),
        features=("Wear-Resistant", "With Toy Ball", "Claw Care", "No Shedding"),
        sizes=("Small", "Medium", "Large", "Extra Large"),
    ),
    Line(
        level=0.76,
        products=("Cozy Pet Bed", "Cat Cave Bed", "Pet Sofa Bed", "Cushioned Pet Mat", "Donut Pet Bed"),
        materials=("Plush", "Corduroy", "Linen", "Teddy Fleece", "Memory Foam"),
        features=("Removable Cover", "Anti-Slip Bottom", "All Seasons", "Washable"),
        sizes=("Size S", "Size M", "Size L", "Size XL"),
    ),
    Line(
        level=0.83,
        products=("Dry Cat Food", "Dry Dog Food", "Kitten Dry Food", "Puppy Dry Food", "Senior Dog Dry Food"),
        materials=("Chicken", "Salmon", "Duck", "Beef", "Lamb"),
        features=("Grain-Free", "High Protein", "Small Kibble", "With Freeze-Dried Bits"),
        sizes=("1.5 kg", "2 kg", "2.5 kg", "3 kg"),
    ),
    Line(
        level=0.9,
        products=(
            "Pet Carrier Backpack",
            "Pet Travel Carrier",
            "Pet Shoulder Carrier",
            "Foldable Pet Carrier",
            "Front Pet Carrier",
        ),
        materials=("Oxford", "Canvas", "Breathable Mesh", "Polyester", "Clear-Window"),
        features=("Expandable", "Padded Strap", "Safety Tether", "Washable Mat"),
        sizes=("Up to 5 kg", "Up to 7 kg", "Up to 9 kg", "Up to 12 kg"),
    ),
    Line(
        level=0.95,
        products=("Pet Water Fountain", "Cat Drinking Fountain", "Pet Fountain Dispenser", "Silent Pet Fountain"),
        materials=("Stainless Steel", "Wireless", "BPA-Free", "Ceramic", "Clear-Tank"),
        features=("Easy Clean", "Triple Filter", "Low-Water Alert", "Motion Sensor"),
        sizes=("1.8 L", "2 L", "2.5 L", "3 L"),
    ),
)

VOCABULARY: tuple[Vocabulary, ...] = (Vocabulary(category="Pet Supplies", brands=_BRANDS, lines=_LINES),)

RETURN_NOTES: dict[str, str] = {
    "Pet Supplies": ("Very low returns; pet owners know their animal's size and taste and seldom send anything back."),
}

OVERVIEW = Overview(
    profit_potential="Good: a steady trade with high margins and hardly any returns",
    advantage="Owners buy for their animals in every month of the year and almost never send goods back.",
    strengths=(
        "Returns are very low, so revenue that settles stays yours.",
        "Margins are high and parcels are small.",
        "Demand hardly changes with the season.",
    ),
    challenges=(
        "There is a single category, so the store cannot spread its risk.",
        "Prices are modest, and buyers notice when they stray far from reference.",
    ),
    operating_tips=(
        "Keep a regular reorder rhythm, for demand is easy to foresee.",
        "Price at reference and earn the margin in bargaining with suppliers.",
        "Offer several products at once, since one product alone cannot fill the store's demand.",
    ),
)
