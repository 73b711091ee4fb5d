"""Listings of Auto Accessories, from air fresheners to seat covers."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary

_BRANDS = (
    "Chelang",
    "Drivano",
    "Luxing",
    "Chixun",
    "Tuoche",
    "Roadwin",
    "Jiache",
    "Autolune",
    "Shunlu",
    "Cheyi",
    "Motoran",
    "Lanche",
    "Wheelby",
    "Yitu",
    "Garrano",
)

_LINES = (
    Line(
        level=0.05,
        products=("Vent Clip Air Freshener", "Hanging Car Fragrance", "Dashboard Car Perfume", "Car Aroma Tablet"),
        materials=("Ocean", "Cologne", "Lemon", "Osmanthus", "Sandalwood"),
        features=("Long-Lasting", "Refillable", "Odor Removing", "Mild Scent"),
        sizes=("Single", "Pack of 2", "Pack of 3", "Pack of 4"),
    ),
    Line(
        level=0.13,
        products=("Car Drying Towel", "Car Polishing Cloth", "Interior Detailing Cloth", "Car Glass Cloth"),
        materials=("Microfiber", "Coral Fleece", "Waffle-Weave", "Twist-Pile", "Suede"),
        features=("Lint-Free", "Streak-Free", "Thick", "Super Absorbent"),
        sizes=("30 x 40 cm", "40 x 40 cm", "40 x 60 cm", "60 x 90 cm"),
    ),
    Line(
        level=0.22,
        products=(
            "Seat Gap Organizer",
            "Backseat Organizer",
            "Car Visor Organizer",
            "Console Storage Box",
            "Car Door Trash Bin",
        ),
        materials=("PU Leather", "Oxford", "Felt", "Waterproof", "Carbon-Look"),
        features=("Easy Install", "Wear-Resistant", "Space Saving", "Universal Fit"),
        sizes=("Black", "Brown", "Beige", "Red", "Gray"),
    ),
    Line(
        level=0.31,
        products=("Windshield Sunshade", "Side Window Sunshade", "Rear Window Sunshade", "Folding Car Sunshade"),
        materials=("Silver-Coated", "Double-Layer", "Magnetic", "Aluminum Foil", "Titanium-Silver"),
        features=("Heat Insulating", "UV Blocking", "With Pouch", "Quick Fold"),
        sizes=("Compact Car", "Sedan", "SUV", "Minivan"),
    ),
    Line(
        level=0.4,
        products=("Beam Wiper Blade", "Frameless Wiper Blade", "Hybrid Wiper Blade", "Winter Wiper Blade"),
        materials=("Silicone", "Natural Rubber", "Graphite-Coated", "Water-Repellent"),
        features=("Single", "Pair", "With Adapters", "Quiet Wipe"),
        sizes=("16 in", "18 in", "20 in", "22 in", "24 in", "26 in"),
    ),
    Line(
        level=0.48,
        products=("Auto Paint Wax", "Ceramic Coating Spray", "Paint Scratch Remover", "Paint Polish Cream"),
        materials=("Crystal", "Graphene", "Nano", "Hydrophobic", "Quick-Dry"),
        features=("High Gloss", "With Sponge", "All Car Colors", "Easy Wipe Off"),
        sizes=("250 ml", "300 ml", "473 ml", "500 ml"),
    ),
    Line(
        level=0.56,
        products=(
            "Steering Wheel Cover",
            "Sport Steering Wheel Cover",
            "D-Shape Steering Cover",
            "Slim Steering Wheel Cover",
        ),
        materials=("Microfiber Leather", "Suede", "Carbon-Look", "Ice Silk", "Cowhide"),
        features=("Non-Slip", "Breathable", "All Seasons", "Hand Stitched"),
        sizes=("36 cm", "38 cm", "40 cm", "42 cm"),
    ),
    Line(
        level=0.64,
        products=("Car Seat Cushion", "Car Lumbar Cushion", "Car Headrest Pillow", "Car Backrest Pad"),
        materials=("Memory Foam", "Ice Silk", "Velvet", "Linen", "PU Leather"),
        features=("Breathable", "Non-Slip Base", "Washable Cover", "All Seasons"),
        sizes=("Black", "Gray", "Beige", "Red", "Coffee"),
    ),
    Line(
        level=0.72,
        products=("Car Tire Inflator", "Portable Car Air Pump", "Emergency Tire Pump", "Digital Tire Inflator"),
        materials=("Dual-Cylinder", "Compact", "Rechargeable", "Metal-Body"),
        features=("Auto Stop", "LED Light", "With Gauge", "With Carry Bag", "Quick Connect"),
        sizes=("Black", "Gray", "Red", "Yellow"),
    ),
    Line(
        level=0.79,
        products=("Car Vacuum Cleaner", "Handheld Car Vacuum", "Car Vacuum and Blower", "Cordless Car Vacuum"),
        materials=("Brushless", "High-Suction", "Compact", "Foldable", "Wet-and-Dry"),
        features=("Washable Filter", "USB-C Charging", "4 Nozzles", "With Storage Bag"),
        sizes=("8000 Pa", "12000 Pa", "15000 Pa", "18000 Pa"),
    ),
    Line(
        level=0.86,
        products=(
            "Dash Camera",
            "Dual-Lens Dash Camera",
            "Mirror Dash Camera",
            "Hidden Dash Camera",
            "3-Channel Dash Camera",
        ),
        materials=("Wi-Fi", "Night-Vision", "Wide-Angle", "Touchscreen", "Compact"),
        features=("Parking Monitor", "Loop Recording", "GPS Logging", "Voice Control"),
        sizes=("1080p", "1440p", "2K", "4K"),
    ),
    Line(
        level=0.91,
        products=(
            "All-Weather Floor Mat Set",
            "Full-Surround Floor Mat Set",
            "Custom-Fit Floor Mat Set",
            "Deep-Dish Floor Mat Set",
        ),
        materials=("TPE", "PU Leather", "Coil-Loop", "Dual-Layer", "Faux Leather"),
        features=("Waterproof", "Non-Slip Backing", "Easy Clean", "Odor-Free"),
        sizes=("Black", "Beige", "Brown", "Coffee", "Gray"),
    ),
    Line(
        level=0.95,
        products=("Full Car Seat Cover Set", "All-Seat Cover Set", "5-Seat Cover Set", "Breathable Seat Cover Set"),
        materials=("Faux Leather", "Linen", "Ice Silk", "Suede", "PU Leather"),
        features=("Airbag Friendly", "All Seasons", "With Headrests", "Easy Install"),
        sizes=("Black", "Beige", "Red", "Brown", "Gray"),
    ),
)

ACCESSORIES = Vocabulary(category="Auto Accessories", brands=_BRANDS, lines=_LINES)
