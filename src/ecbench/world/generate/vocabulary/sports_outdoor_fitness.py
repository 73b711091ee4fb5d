"""Listings of Sports & Fitness, from jump ropes to dumbbell sets."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary

_BRANDS = (
    "Striden",
    "Pulsara",
    "Yuelang",
    "Kuanyu",
    "Moveron",
    "Benlu",
    "Haoteng",
    "Zhuifeng",
    "Lidong",
    "Actira",
    "Tiaoyue",
    "Fitlan",
    "Jingchi",
    "Swiftora",
    "Donghe",
)

_LINES = (
    Line(
        level=0.05,
        products=("Speed Jump Rope", "Weighted Jump Rope", "Counting Jump Rope", "Training Jump Rope"),
        materials=("PVC", "Steel-Wire", "TPU", "Braided Nylon"),
        features=("Foam Grip", "Adjustable Length", "Tangle-Free", "Ball Bearing Handles", "Anti-Slip Handle"),
        sizes=("Black", "Blue", "Red", "Green", "Pink"),
    ),
    Line(
        level=0.14,
        products=(
            "Loop Resistance Band Set",
            "Pull-Up Assist Band",
            "Hip Resistance Band",
            "Yoga Stretch Band",
            "Chest Expander Band",
        ),
        materials=("Latex", "TPE", "Fabric", "Natural Rubber"),
        features=("10 kg Tension", "15 kg Tension", "20 kg Tension", "30 kg Tension"),
        sizes=("Purple", "Black", "Teal", "Orange"),
    ),
    Line(
        level=0.23,
        products=("Ab Roller Wheel", "Push-Up Board", "Push-Up Stands", "Sit-Up Assist Bar"),
        materials=("Steel", "ABS", "Wide", "Reinforced"),
        features=("With Knee Pad", "Non-Slip", "Beginner Friendly", "Home Workout", "Foam Handles"),
        sizes=("Black", "Blue", "Red", "Gray"),
    ),
    Line(
        level=0.32,
        products=("Yoga Mat", "Exercise Mat", "Pilates Mat", "Stretching Mat"),
        materials=("TPE", "NBR", "Natural Rubber", "Cork", "Suede-Top"),
        features=("Non-Slip", "With Carry Strap", "Alignment Lines", "Double-Sided"),
        sizes=("5 mm", "6 mm", "8 mm", "10 mm"),
    ),
    Line(
        level=0.41,
        products=("Table Tennis Paddle Set", "Badminton Racket Pair", "Pickleball Paddle Pair", "Youth Tennis Racket"),
        materials=("Training", "Entry-Level", "Club", "Carbon-Look", "Lightweight"),
        features=("With Cover", "Beginner Friendly", "School Use", "All-Round Play", "Soft Grip"),
        sizes=("Blue", "Red", "Black", "Orange"),
    ),
    Line(
        level=0.5,
        products=(
            "Street Basketball",
            "Training Soccer Ball",
            "Beach Volleyball",
            "Practice Handball",
            "Training Rugby Ball",
        ),
        materials=("PU Leather", "Microfiber", "Composite", "Rubber"),
        features=("Indoor and Outdoor", "Wear-Resistant", "Match Grade", "Soft Touch"),
        sizes=("Youth Size", "Official Size", "With Pump", "With Net Bag"),
    ),
    Line(
        level=0.58,
        products=("Inflatable Yoga Ball", "Balance Disc", "Half Balance Ball", "Peanut Yoga Ball"),
        materials=("Thick PVC", "Anti-Burst", "Textured", "Matte"),
        features=("With Foot Pump", "With Hand Pump", "Non-Slip Surface", "Home Gym Use", "With Exercise Chart"),
        sizes=("Purple", "Blue", "Gray", "Pink", "Black"),
    ),
    Line(
        level=0.66,
        products=("Vinyl Kettlebell", "Neoprene Dumbbell Pair", "Hex Dumbbell Pair", "Flat-Base Kettlebell"),
        materials=("Iron-Core", "Color-Coded", "Odor-Free", "Matte", "Rustproof"),
        features=("Non-Slip Grip", "For Home Gym", "With Workout Guide", "Floor Safe"),
        sizes=("4 kg", "5 kg", "6 kg", "8 kg"),
    ),
    Line(
        level=0.74,
        products=("Boxing Gloves", "Kick Boxing Pads", "Muay Thai Shin Pads", "Sparring Headgear", "Focus Mitts"),
        materials=("PU Leather", "Microfiber", "Layered Foam", "Cowhide"),
        features=("Adult", "Youth", "With Mesh Bag", "Breathable Lining", "Training Grade"),
        sizes=("Black", "Red", "White", "Blue", "Gold"),
    ),
    Line(
        level=0.81,
        products=("Doorway Pull-Up Bar", "Dip Station Bars", "Wall Pull-Up Bar", "Multi-Grip Chin-Up Bar"),
        materials=("Steel", "Heavy-Duty", "Carbon Steel", "Adjustable"),
        features=("Foam Grips", "150 kg Load", "200 kg Load", "Anti-Slip Pads", "Quick Assembly"),
        sizes=("Black", "Gray", "Red", "White"),
    ),
    Line(
        level=0.86,
        products=(
            "Adjustable Dumbbell Set",
            "Barbell and Dumbbell Set",
            "Chrome Dumbbell Set",
            "Plate-Loaded Dumbbell Set",
        ),
        materials=("Steel", "Heavy-Duty", "Home-Gym", "Knurled-Grip"),
        features=("With Storage Case", "With Connecting Rod", "Screw Collars", "Anti-Slip Handle", "Quick Change"),
        sizes=("10 kg", "15 kg", "20 kg", "30 kg"),
    ),
    Line(
        level=0.91,
        products=(
            "Attack Badminton Racket",
            "Tournament Tennis Racket",
            "Tournament Squash Racket",
            "Pro Pickleball Paddle",
        ),
        materials=("Full-Carbon", "Graphite", "Carbon-Fiber", "Nano-Carbon"),
        features=("Offensive Play", "Control Play", "With Full Cover", "Even Balance", "Shock Damping"),
        sizes=("Blue", "Red", "White", "Black", "Gold"),
    ),
    Line(
        level=0.95,
        products=(
            "Mini Stepper",
            "Folding Sit-Up Bench",
            "Seated Rowing Trainer",
            "Under-Desk Pedal Bike",
            "Foldable Weight Bench",
        ),
        materials=("Steel", "Heavy-Duty", "Home-Gym", "Space-Saving"),
        features=("Non-Slip Feet", "Quick Assembly", "Quiet Use", "120 kg Load", "With Resistance Bands"),
        sizes=("Black", "Gray", "Red", "White"),
    ),
)

FITNESS = Vocabulary(category="Sports & Fitness", brands=_BRANDS, lines=_LINES)
