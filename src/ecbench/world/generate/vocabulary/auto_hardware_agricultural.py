"""Listings of Agricultural Supplies, from seed packets to battery sprayers."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary

_BRANDS = (
    "Nonghe",
    "Greenlu",
    "Tianmiao",
    "Fengye",
    "Seedmoor",
    "Miaopu",
    "Farmoran",
    "Shanye",
    "Agrilan",
    "Wangtian",
    "Sproutel",
    "Caiyuan",
    "Tuliang",
    "Harvona",
    "Hegu",
)

_LINES = (
    Line(
        level=0.05,
        products=(
            "Tomato Seeds",
            "Lettuce Seeds",
            "Cucumber Seeds",
            "Chili Pepper Seeds",
            "Radish Seeds",
            "Eggplant Seeds",
        ),
        materials=("Non-GMO", "Heirloom", "High-Yield", "Balcony", "Early-Ripening"),
        features=("Long Sowing Season", "Easy to Grow", "High Germination", "Disease Tolerant"),
        sizes=("100 Count", "200 Count", "300 Count", "500 Count"),
    ),
    Line(
        level=0.13,
        products=("Seedling Tray", "Nursery Pot Set", "Seed Starter Tray", "Root Plug Tray"),
        materials=("Thickened", "Reusable", "Flexible", "Recycled", "Deep-Cell"),
        features=("Drainage Holes", "Stackable", "UV Resistant", "With Labels"),
        sizes=("Pack of 5", "Pack of 10", "Pack of 20", "Pack of 30"),
    ),
    Line(
        level=0.21,
        products=(
            "Vegetable Fertilizer",
            "Flower Fertilizer",
            "Fruit Tree Fertilizer",
            "Lawn Fertilizer",
            "Leafy Green Fertilizer",
        ),
        materials=("Granular", "Slow-Release", "Fermented", "Water-Soluble", "Seaweed"),
        features=("Low Odor", "Balanced NPK", "Trace Elements", "Resealable Bag"),
        sizes=("1 kg", "2 kg", "2.5 kg", "5 kg"),
    ),
    Line(
        level=0.29,
        products=("Garden Trowel", "Hand Weeder", "Garden Hand Rake", "Garden Hand Hoe", "Transplanting Spade"),
        materials=("Stainless Steel", "Carbon Steel", "Manganese Steel", "Forged"),
        features=("Anti-Slip Grip", "Rust-Resistant", "Hanging Loop", "Labor Saving", "Wooden Handle"),
        sizes=("25 cm", "30 cm", "35 cm", "40 cm"),
    ),
    Line(
        level=0.37,
        products=("Shade Net", "Bird Netting", "Insect Netting", "Climbing Plant Net", "Anti-Hail Net"),
        materials=("HDPE", "Nylon", "Dense-Weave", "UV-Treated"),
        features=("Reinforced Edge", "With Grommets", "Wind-Resistant", "Easy to Cut"),
        sizes=("2 x 5 m", "3 x 5 m", "4 x 6 m", "4 x 10 m"),
    ),
    Line(
        level=0.44,
        products=("Potting Soil", "Coco Peat Substrate", "Peat Moss Substrate", "Raised Bed Soil"),
        materials=("Organic", "Nutrient-Rich", "Loose", "Lightweight", "Sterilized"),
        features=("For Vegetables", "For Flowers", "Good Drainage", "pH Balanced"),
        sizes=("10 L", "20 L", "30 L", "50 L"),
    ),
    Line(
        level=0.52,
        products=(
            "Automatic Poultry Drinker",
            "Chicken Feeder Bucket",
            "Duck and Goose Drinker",
            "Poultry Feeder Bucket",
        ),
        materials=("Galvanized", "Stainless Steel", "Thick Plastic", "Anti-Waste"),
        features=("Easy Clean", "Hanging Type", "For Small Farms", "Anti-Tip", "With Lid"),
        sizes=("5 L", "8 L", "10 L", "15 L"),
    ),
    Line(
        level=0.59,
        products=("Drip Irrigation Kit", "Micro-Sprinkler Kit", "Plant Watering Kit", "Garden Misting Kit"),
        materials=("PVC", "PE", "Adjustable", "Copper-Nozzle", "UV-Resistant"),
        features=("With Fittings", "Leak-Proof Joints", "For Greenhouses", "For Yards"),
        sizes=("10 m", "15 m", "20 m", "30 m"),
    ),
    Line(
        level=0.66,
        products=("Pressure Sprayer", "Backpack Sprayer", "Hand Pump Sprayer", "Shoulder Sprayer"),
        materials=("Thickened", "HDPE", "Corrosion-Resistant", "Brass-Lance"),
        features=("Adjustable Nozzle", "Safety Valve", "Padded Strap", "Long Wand", "Leak-Proof"),
        sizes=("5 L", "8 L", "12 L", "16 L"),
    ),
    Line(
        level=0.74,
        products=("Greenhouse Film Roll", "Cold Frame Film", "Rain Shelter Film", "Seedling Shed Film"),
        materials=("Anti-Drip", "UV-Treated", "Thickened", "Clear", "PO"),
        features=("Anti-Aging", "Tear-Resistant", "Light Diffusing", "Warm Keeping"),
        sizes=("2 x 20 m", "4 x 20 m", "3 x 30 m", "2 x 50 m"),
    ),
    Line(
        level=0.81,
        products=(
            "Battery Backpack Sprayer",
            "Electric Farm Sprayer",
            "Electric Orchard Sprayer",
            "Rechargeable Mist Sprayer",
        ),
        materials=("Lithium", "High-Pressure", "Dual-Pump", "Thickened"),
        features=("Adjustable Flow", "Padded Strap", "4 Nozzles", "Charge Gauge", "Long Wand"),
        sizes=("12 L", "16 L", "18 L", "20 L"),
    ),
    Line(
        level=0.88,
        products=(
            "Electric Pruning Saw",
            "Electric Pruning Shears",
            "Cordless Grass Trimmer",
            "Cordless Hedge Trimmer",
        ),
        materials=("Lithium", "Brushless", "Lightweight", "Low-Noise"),
        features=("Two Batteries", "With Carry Case", "Safety Switch", "Fast Charging", "Soft Grip"),
        sizes=("12 V", "16.8 V", "18 V", "21 V"),
    ),
    Line(
        level=0.95,
        products=("Submersible Farm Pump", "Self-Priming Farm Pump", "Garden Irrigation Pump", "Well Water Pump"),
        materials=("Copper-Motor", "Stainless Steel", "Cast Iron", "Low-Noise"),
        features=("Auto Shut-Off", "Overheat Guard", "High Lift", "With Hose Fitting", "Large Flow"),
        sizes=("370 W", "550 W", "750 W", "1100 W"),
    ),
)

AGRICULTURAL = Vocabulary(category="Agricultural Supplies", brands=_BRANDS, lines=_LINES)
