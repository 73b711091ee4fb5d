"""Listings of Industrial & Lab Supplies, from droppers to bench scales."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary

_BRANDS = (
    "Labyun",
    "Testara",
    "Jingce",
    "Gongyi",
    "Hengshi",
    "Beakon",
    "Shiyun",
    "Precilan",
    "Zhuoce",
    "Glassmoor",
    "Fangyi",
    "Kelian",
    "Purisen",
    "Weice",
    "Scalewin",
)

_LINES = (
    Line(
        level=0.05,
        products=("Lab Test Tube", "Centrifuge Tube", "Sample Vial", "Reagent Tube"),
        materials=("PP", "PS", "Clear", "Graduated", "Glass"),
        features=("Sterile", "With Screw Cap", "Leak-Proof", "Round Bottom"),
        sizes=("Pack of 10", "Pack of 20", "Pack of 25", "Pack of 50"),
    ),
    Line(
        level=0.13,
        products=("Lab Filter Paper", "Filter Paper Discs", "Ashless Filter Paper", "Folded Filter Paper"),
        materials=("Qualitative", "Quantitative", "Fast", "Medium-Speed", "Slow"),
        features=("7 cm", "9 cm", "11 cm", "12.5 cm", "15 cm"),
        sizes=("50 Sheets", "60 Sheets", "100 Sheets", "200 Sheets"),
    ),
    Line(
        level=0.22,
        products=("Low-Form Beaker", "Erlenmeyer Flask", "Measuring Cylinder", "Volumetric Flask"),
        materials=("Borosilicate Glass", "Thick-Wall", "Heat-Resistant", "Clear Glass"),
        features=("Easy-Read Scale", "Autoclavable", "White Graduations", "Uniform Wall", "Lab Grade"),
        sizes=("50 ml", "100 ml", "250 ml", "500 ml"),
    ),
    Line(
        level=0.31,
        products=("Safety Goggles", "Protective Eyewear", "Dust Goggles", "Chemical Splash Goggles"),
        materials=("Polycarbonate", "Anti-Fog", "Vented", "Wrap-Around"),
        features=("Adjustable Strap", "Scratch-Resistant", "Over-Glasses Fit", "UV Block", "Impact Rated"),
        sizes=("Clear", "Smoke", "Blue Frame", "Gray"),
    ),
    Line(
        level=0.39,
        products=("Nitrile Work Gloves", "Latex Work Gloves", "PU Palm Work Gloves", "Anti-Static Work Gloves"),
        materials=("Textured", "Coated", "Thick", "Stretch", "Breathable"),
        features=("Non-Slip Grip", "Oil Resistant", "Long Cuff", "6 Pairs", "12 Pairs"),
        sizes=("Size S", "Size M", "Size L", "Size XL"),
    ),
    Line(
        level=0.47,
        products=("Deep Groove Ball Bearing", "Flange Bearing", "Pillow Block Bearing", "Insert Ball Bearing"),
        materials=("Chrome Steel", "Stainless Steel", "Sealed", "Double-Shielded", "High-Speed"),
        features=("Pack of 2", "Pack of 4", "Low Noise", "Long Life"),
        sizes=("8 mm", "10 mm", "12 mm", "15 mm", "20 mm"),
    ),
    Line(
        level=0.55,
        products=("Swivel Caster Set", "Locking Caster Set", "Rigid Caster Set", "Threaded Stem Caster Set"),
        materials=("Polyurethane", "Rubber", "Nylon", "TPR", "Cast Iron-Core"),
        features=("Heavy Load", "Quiet Rolling", "Floor Safe", "Ball Bearing"),
        sizes=("50 mm", "75 mm", "100 mm", "125 mm"),
    ),
    Line(
        level=0.63,
        products=("Solenoid Valve", "Air Filter Regulator", "Air Pressure Regulator", "Hand Slide Valve"),
        materials=("Brass", "Aluminum", "Stainless Steel", "Nickel-Plated"),
        features=("Quick Connect", "10 bar Rated", "Leak Tested", "Easy Mount", "Low Noise"),
        sizes=("G1/8", "G1/4", "G3/8", "G1/2"),
    ),
    Line(
        level=0.71,
        products=("Digital Caliper", "Vernier Caliper", "Dial Caliper", "Depth Caliper"),
        materials=("Stainless Steel", "Chrome-Plated", "Hardened", "Matte"),
        features=("With Case", "0.02 mm Accuracy", "Metric and Inch", "Thumb Roller", "Workshop Grade"),
        sizes=("100 mm", "150 mm", "200 mm", "300 mm"),
    ),
    Line(
        level=0.78,
        products=("Half-Face Respirator", "Full-Face Respirator", "Dust Respirator", "Paint Respirator"),
        materials=("Silicone", "TPE", "Soft Rubber", "Lightweight"),
        features=("Dual Filter", "Single Filter", "Adjustable Straps", "Replaceable Filter", "Drop-Down Wear"),
        sizes=("Size S", "Size M", "Size L", "7-Piece Kit"),
    ),
    Line(
        level=0.85,
        products=(
            "Lab pH Meter",
            "Thermocouple Meter",
            "Conductivity Meter",
            "Digital Tachometer",
            "Sound Level Meter",
        ),
        materials=("Portable", "Waterproof", "Handheld", "Backlit"),
        features=("Auto Calibration", "Data Hold", "With Case", "USB Export"),
        sizes=("Gray", "Blue", "Orange", "Yellow"),
    ),
    Line(
        level=0.91,
        products=("Magnetic Stirrer", "Heating Magnetic Stirrer", "Hot Plate Stirrer", "Multi-Speed Lab Stirrer"),
        materials=("Compact", "Stainless Steel", "Ceramic-Top", "Digital"),
        features=("Timer Function", "LED Display", "Overheat Guard", "With Stir Bars", "Low Noise"),
        sizes=("1 L", "2 L", "3 L", "5 L"),
    ),
    Line(
        level=0.95,
        products=("Bench Scale", "Lab Balance Scale", "Counting Scale", "Density Scale"),
        materials=("Digital", "Stainless Steel", "High-Precision", "Compact"),
        features=("Calibration Weight", "LCD Display", "Overload Guard", "Wind Shield", "USB Power"),
        sizes=("500 g", "1 kg", "2 kg", "3 kg"),
    ),
)

INDUSTRIAL_LAB = Vocabulary(category="Industrial & Lab Supplies", brands=_BRANDS, lines=_LINES)
