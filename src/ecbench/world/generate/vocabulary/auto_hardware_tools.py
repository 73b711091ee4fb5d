"""Listings of Hardware & Tools, from wall anchors to cordless drills."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary

_BRANDS = (
    "Ganglei",
    "Tiejian",
    "Boltmar",
    "Rongtie",
    "Steelhan",
    "Forgewin",
    "Hengshi",
    "Gongli",
    "Hammarin",
    "Zhuanli",
    "Toolmoor",
    "Yongli",
    "Kebang",
    "Lidao",
    "Wrenlock",
)

_LINES = (
    Line(
        level=0.05,
        products=("Wood Screws", "Machine Screws", "Self-Drilling Screws", "Hex Bolts", "Pan Head Screws"),
        materials=("Stainless Steel", "Zinc-Plated", "Carbon Steel", "Black Oxide", "Brass-Plated"),
        features=("Box of 20", "Box of 30", "Box of 50", "Box of 60"),
        sizes=("M3", "M4", "M5", "M6"),
    ),
    Line(
        level=0.14,
        products=("Compact Tape Measure", "Self-Lock Tape Measure", "Magnetic Tape Measure", "Contractor Tape Measure"),
        materials=("Rubber-Coated", "ABS-Case", "Nylon-Coated", "Stainless Steel"),
        features=("Metric Scale", "Metric and Inch", "Belt Clip", "Wear-Resistant", "Wrist Strap"),
        sizes=("3 m", "5 m", "7.5 m", "10 m"),
    ),
    Line(
        level=0.22,
        products=(
            "Phillips Screwdriver",
            "Slotted Screwdriver",
            "Torx Screwdriver",
            "Stubby Screwdriver",
            "Two-Way Screwdriver",
        ),
        materials=("Chrome Vanadium", "S2 Steel", "Magnetic-Tip", "Insulated", "Soft-Grip"),
        features=("Hanging Hole", "Anti-Slip Handle", "Hardened Tip", "Color-Coded"),
        sizes=("75 mm", "100 mm", "125 mm", "150 mm"),
    ),
    Line(
        level=0.3,
        products=("Utility Knife", "Retractable Box Cutter", "Folding Work Knife", "Snap-Off Cutter"),
        materials=("Zinc Alloy", "Aluminum", "Heavy-Duty", "Soft-Grip"),
        features=("5 Spare Blades", "10 Spare Blades", "Auto Lock", "Belt Clip", "Quick Change"),
        sizes=("Black", "Orange", "Blue", "Yellow", "Gray"),
    ),
    Line(
        level=0.38,
        products=(
            "Combination Pliers",
            "Needle-Nose Pliers",
            "Diagonal Cutting Pliers",
            "Wire Stripping Pliers",
            "Water Pump Pliers",
        ),
        materials=("Chrome Vanadium", "Carbon Steel", "Insulated", "Nickel-Plated"),
        features=("Spring Return", "Anti-Slip Grip", "Hardened Jaws", "Labor Saving"),
        sizes=("6 in", "7 in", "8 in", "10 in"),
    ),
    Line(
        level=0.46,
        products=("Claw Hammer", "Ball-Peen Hammer", "Framing Hammer", "Roofing Hammer", "Masonry Hammer"),
        materials=("Fiberglass-Handle", "Forged Steel", "Wood-Handle", "Shock-Absorbing"),
        features=("Anti-Slip Grip", "Heat Treated", "Balanced Head", "Home Repair"),
        sizes=("0.25 kg", "0.5 kg", "0.75 kg", "1 kg"),
    ),
    Line(
        level=0.54,
        products=("Adjustable Wrench", "Ratchet Wrench", "Pipe Wrench", "Combination Wrench", "Flex-Head Wrench"),
        materials=("Chrome Vanadium", "Carbon Steel", "Alloy Steel", "Mirror-Polished"),
        features=("Comfort Grip", "Anti-Slip Handle", "Rust-Resistant", "Etched Marking"),
        sizes=("8 in", "10 in", "12 in", "14 in"),
    ),
    Line(
        level=0.62,
        products=("Twist Drill Bit Set", "Metal Drill Bit Set", "Hex-Shank Drill Bit Set", "Stubby Drill Bit Set"),
        materials=("Cobalt", "Titanium-Coated", "Tungsten Carbide", "High-Speed Steel"),
        features=("With Case", "Fast Cutting", "Heat-Resistant", "Split Point", "For Home Use"),
        sizes=("5 Pieces", "10 Pieces", "13 Pieces", "19 Pieces"),
    ),
    Line(
        level=0.7,
        products=("Tool Storage Box", "Cantilever Tool Box", "Wheeled Tool Box", "Parts Organizer Case"),
        materials=("PP", "Steel", "Heavy-Duty", "Reinforced", "Portable"),
        features=("Lockable", "Removable Tray", "Comfort Handle", "Thick Wall"),
        sizes=("14 in", "16 in", "19 in", "22 in"),
    ),
    Line(
        level=0.77,
        products=(
            "Socket Wrench Set",
            "Screwdriver and Bit Set",
            "Home Repair Tool Set",
            "Precision Tool Set",
            "Hex Key and Bit Set",
        ),
        materials=("Chrome Vanadium", "S2 Steel", "Alloy Steel", "Matte-Chrome"),
        features=("With Case", "Quick Release", "Color-Coded", "Soft Handle"),
        sizes=("32 Pieces", "46 Pieces", "61 Pieces", "82 Pieces"),
    ),
    Line(
        level=0.84,
        products=(
            "Cross-Line Laser Level",
            "Green Beam Laser Level",
            "Three-Line Laser Level",
            "Wall Mount Laser Level",
        ),
        materials=("Rechargeable", "Waterproof", "Self-Leveling", "Compact"),
        features=("With Pouch", "With Stand", "USB-C Charging", "Remote Control", "Shockproof"),
        sizes=("15 m", "20 m", "25 m", "30 m"),
    ),
    Line(
        level=0.9,
        products=("Angle Grinder", "Corded Impact Drill", "Orbital Sander", "Electric Jig Saw"),
        materials=("Variable-Speed", "Copper-Motor", "Compact", "Heavy-Duty"),
        features=("With Accessories", "Soft Start", "Anti-Slip Grip", "Dustproof Switch", "With Carry Case"),
        sizes=("600 W", "700 W", "850 W", "1000 W"),
    ),
    Line(
        level=0.95,
        products=("Cordless Drill Driver", "Cordless Impact Driver", "Cordless Impact Wrench", "Cordless Hammer Drill"),
        materials=("Brushless", "Lithium", "Compact", "Two-Speed", "LED-Lit"),
        features=("1 Battery", "2 Batteries", "With Bit Set", "With Carry Case"),
        sizes=("12 V", "16.8 V", "18 V", "21 V"),
    ),
)

TOOLS = Vocabulary(category="Hardware & Tools", brands=_BRANDS, lines=_LINES)
