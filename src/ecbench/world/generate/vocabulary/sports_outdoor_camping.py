"""Listings of Outdoor & Camping, from carabiners to family tents."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary

_BRANDS = (
    "Shanbu",
    "Ridgelow",
    "Campolin",
    "Tuoye",
    "Rockhale",
    "Yelin",
    "Trailune",
    "Lujing",
    "Summiq",
    "Kuangye",
    "Hearthill",
    "Benlu",
    "Songfeng",
    "Dalubo",
    "Xishan",
)

_LINES = (
    Line(
        level=0.05,
        products=("Locking Carabiner", "Tent Stake Set", "Rope Tensioner Set", "Camping Spork Set"),
        materials=("Aluminum", "Titanium-Alloy", "Stainless Steel", "Anodized"),
        features=("With Pouch", "Bright Finish", "Lightweight", "Rust-Resistant", "Trail Ready"),
        sizes=("Pack of 2", "Pack of 4", "Pack of 6", "Pack of 8"),
    ),
    Line(
        level=0.13,
        products=("Picnic Blanket", "Foam Sitting Pad", "Beach Ground Sheet", "Tent Footprint Sheet"),
        materials=("Waterproof", "Foldable", "Thickened", "PE-Coated", "Aluminized"),
        features=("With Carry Bag", "Easy Clean", "Sand-Proof", "Lightweight"),
        sizes=("Green", "Blue", "Orange", "Silver", "Red"),
    ),
    Line(
        level=0.21,
        products=("LED Headlamp", "Camping Lantern", "Zoom Flashlight", "Tent Hook Lamp", "Clip-On Cap Lamp"),
        materials=("Rechargeable", "Waterproof", "Aluminum", "Magnetic", "Compact"),
        features=("USB-C Charging", "3 Light Modes", "SOS Mode", "Dimmable"),
        sizes=("300 lm", "500 lm", "800 lm", "1000 lm"),
    ),
    Line(
        level=0.29,
        products=("Roll-Top Dry Sack", "Camp Gear Storage Bag", "Folding Water Bucket", "Camp Kitchen Tote"),
        materials=("Oxford", "Tarpaulin", "Nylon", "Ripstop", "TPU-Coated"),
        features=("Water-Resistant", "Packs Small", "Side Handle", "Lightweight"),
        sizes=("10 L", "15 L", "20 L", "30 L"),
    ),
    Line(
        level=0.36,
        products=("Camping Hammock", "Netted Camp Hammock", "Garden Rope Hammock", "Hanging Camp Swing"),
        materials=("Ripstop Nylon", "Canvas", "Cotton", "Parachute Cloth"),
        features=("With Tree Straps", "150 kg Load", "200 kg Load", "With Storage Bag"),
        sizes=("Single", "Wide", "Double", "Family Size"),
    ),
    Line(
        level=0.41,
        products=("Trekking Pole Pair", "Folding Hiking Stick", "Telescopic Trail Pole", "Walking Pole Set"),
        materials=("Aluminum", "Carbon-Fiber", "Duralumin", "Cork-Grip"),
        features=("Quick Lock", "Shock Absorbing", "With Snow Baskets", "EVA Grip", "Lightweight"),
        sizes=("110 cm", "120 cm", "130 cm", "135 cm"),
    ),
    Line(
        level=0.5,
        products=("Camp Cookware Set", "Camp Kettle and Pot Set", "Hiking Mess Kit", "Picnic Pan Set"),
        materials=("Aluminum", "Stainless Steel", "Ceramic-Coated", "Hard-Anodized"),
        features=("Foldable Handles", "Nesting Design", "With Mesh Bag", "With Cutlery"),
        sizes=("1 Person", "2 Person", "3 Person", "4 Person"),
    ),
    Line(
        level=0.57,
        products=(
            "Camping Gas Stove",
            "Backpack Camp Burner",
            "Wood-Burning Camp Stove",
            "Portable BBQ Grill",
            "Alcohol Camp Stove",
        ),
        materials=("Stainless Steel", "Folding", "Compact", "Aluminum"),
        features=("With Carry Case", "Windproof", "Adjustable Legs", "Easy Clean"),
        sizes=("Black", "Silver", "Green", "Sand"),
    ),
    Line(
        level=0.63,
        products=(
            "Folding Camp Chair",
            "Moon Camp Chair",
            "Director Camp Chair",
            "Low Beach Chair",
            "Reclining Camp Chair",
        ),
        materials=("Aluminum-Frame", "Steel-Frame", "Oxford", "Canvas"),
        features=("Cup Holder", "Side Pocket", "With Carry Bag", "Padded Back", "120 kg Load"),
        sizes=("Khaki", "Black", "Green", "Beige", "Blue"),
    ),
    Line(
        level=0.7,
        products=("Mummy Sleeping Bag", "Envelope Sleeping Bag", "Double Sleeping Bag", "Wearable Sleeping Bag"),
        materials=("Hollow-Fiber", "Cotton-Lined", "Duck Down", "Synthetic Down"),
        features=("Water-Resistant", "With Stuff Sack", "Two-Way Zip", "Hooded"),
        sizes=("15 C Comfort", "10 C Comfort", "5 C Comfort", "0 C Comfort"),
    ),
    Line(
        level=0.78,
        products=("Self-Inflating Mat", "Air Camping Mattress", "Inflatable Sleeping Pad", "Two-Layer Camp Mattress"),
        materials=("Nylon", "TPU", "Thickened", "Quilted", "Insulated"),
        features=("With Repair Kit", "Built-In Pillow", "Quiet Surface", "With Carry Bag"),
        sizes=("Single", "Extra Long", "Extra Wide", "Double"),
    ),
    Line(
        level=0.84,
        products=(
            "Rod and Reel Combo",
            "Telescopic Fishing Rod",
            "Carp Fishing Rod",
            "Sea Fishing Rod",
            "Lure Rod Set",
        ),
        materials=("Carbon", "Fiberglass", "Composite", "High-Carbon"),
        features=("With Carry Bag", "Fast Action", "Medium Power", "EVA Handle", "Metal Guides"),
        sizes=("2.1 m", "2.4 m", "2.7 m", "3.6 m"),
    ),
    Line(
        level=0.9,
        products=("Folding Camp Wagon", "Roll-Top Camp Table", "Camp Kitchen Table", "Folding Camp Cabinet"),
        materials=("Aluminum", "Steel-Frame", "Heavy-Duty", "Compact", "Reinforced"),
        features=("With Carry Bag", "Quick Setup", "50 kg Load", "Side Pocket"),
        sizes=("Black", "Khaki", "Army Green", "Sand"),
    ),
    Line(
        level=0.95,
        products=(
            "Dome Camping Tent",
            "Tunnel Family Tent",
            "Automatic Pop-Up Tent",
            "Ridge Cabin Tent",
            "Two-Room Tent",
        ),
        materials=("Silver-Coated", "Oxford", "Ripstop", "Double-Layer", "Black-Coated"),
        features=("Rainproof", "Two Doors", "With Vestibule", "Mesh Windows", "Sun Protection"),
        sizes=("3-4 Person", "4-5 Person", "5-6 Person", "6-8 Person"),
    ),
)

CAMPING = Vocabulary(category="Outdoor & Camping", brands=_BRANDS, lines=_LINES)
