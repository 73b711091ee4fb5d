"""Listings of E-Vehicles & Parts, from chargers to folding e-bikes."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary

_BRANDS = (
    "Ebilu",
    "Tuoche",
    "Lvdian",
    "Voltrun",
    "Qidian",
    "Chilu",
    "Moveno",
    "Jinlun",
    "Ridemoor",
    "Yunqi",
    "Batteran",
    "Linghang",
    "Wheelora",
    "Zhongdian",
)

_LINES = (
    Line(
        level=0.05,
        products=("E-Bike Windshield", "Scooter Leg Guard", "Riding Knee Blanket", "Handlebar Wind Guard"),
        materials=("Oxford", "Fleece-Lined", "Waterproof", "Thickened", "Quilted"),
        features=("Reflective Strips", "Winter Use", "Universal Fit", "Extra Wide"),
        sizes=("Black", "Blue", "Camo", "Red", "Gray"),
    ),
    Line(
        level=0.12,
        products=("E-Bike Tubeless Tire", "E-Bike Solid Tire", "E-Bike Tire and Tube Set", "Tricycle Vacuum Tire"),
        materials=("Anti-Puncture", "Wear-Resistant", "Thick-Tread", "Steel-Wire", "Natural Rubber"),
        features=("Wet Grip", "Two-Pack", "Long Life", "Quiet Rolling"),
        sizes=("10 in", "12 in", "14 in", "16 in"),
    ),
    Line(
        level=0.2,
        products=(
            "E-Bike Battery Charger",
            "Scooter Battery Charger",
            "Tricycle Battery Charger",
            "Lithium Pack Charger",
        ),
        materials=("Aluminum-Case", "Intelligent", "Fast", "Waterproof", "Portable"),
        features=("Auto Cut-Off", "LED Indicator", "Overheat Guard", "Fan Cooled"),
        sizes=("36 V", "48 V", "60 V", "72 V"),
    ),
    Line(
        level=0.28,
        products=("E-Bike Saddle", "Scooter Saddle", "Passenger Back Seat", "Padded Scooter Seat"),
        materials=("Memory Foam", "PU Leather", "Steel-Frame", "Waterproof"),
        features=("Shock Springs", "Universal Mount", "Quick Fit", "With Backrest"),
        sizes=("Black", "Brown", "Red", "Gray", "Blue"),
    ),
    Line(
        level=0.36,
        products=("E-Bike Motor Controller", "Scooter Motor Controller", "Sine Wave Controller", "Tricycle Controller"),
        materials=("Brushless", "Quiet", "Programmable", "Dual-Mode", "Waterproof"),
        features=("Reverse Gear", "Anti-Theft Lock", "Cruise Function", "Energy Recovery"),
        sizes=("36 V", "48 V", "60 V", "72 V"),
    ),
    Line(
        level=0.44,
        products=("E-Bike Headlight Set", "Front and Rear Light Kit", "Scooter Light Set", "E-Bike Instrument Panel"),
        materials=("Waterproof", "Universal", "High-Brightness", "LED", "Aluminum"),
        features=("Easy Install", "Low Power", "Plug and Play", "With Wiring"),
        sizes=("12 V", "48 V", "60 V", "72 V"),
    ),
    Line(
        level=0.52,
        products=("Hydraulic Disc Brake Set", "Cable Disc Brake Set", "Drum Brake Set", "Oil Brake Assembly"),
        materials=("Aluminum", "Steel", "Forged", "Adjustable", "Dual-Piston"),
        features=("Universal Fit", "Rust-Resistant", "With Mounts", "Heavy Load", "Low Noise"),
        sizes=("Front", "Rear", "Front and Rear"),
    ),
    Line(
        level=0.61,
        products=(
            "Hub Motor Wheel",
            "Rear Hub Motor",
            "Mid-Drive Motor Kit",
            "Front Hub Motor Kit",
            "Scooter Hub Motor",
        ),
        materials=("Brushless", "High-Torque", "Waterproof", "Copper-Wound"),
        features=("With Hall Sensor", "With Cable", "Low Noise", "Smooth Start"),
        sizes=("250 W", "350 W", "500 W", "800 W"),
    ),
    Line(
        level=0.7,
        products=("Lead-Acid Battery Set", "Graphene Battery Set", "Tricycle Battery Set", "Gel Battery Set"),
        materials=("High-Capacity", "Long-Cycle", "Sealed", "Deep-Cycle", "Fast-Charge"),
        features=("With Cables", "Cold Resistant", "Shockproof Case", "Slow Self-Discharge"),
        sizes=("48 V 12 Ah", "48 V 20 Ah", "60 V 20 Ah", "72 V 20 Ah"),
    ),
    Line(
        level=0.79,
        products=(
            "Lithium Battery Pack",
            "Removable Lithium Battery",
            "Down Tube Lithium Battery",
            "Seat Post Lithium Battery",
        ),
        materials=("Smart-BMS", "Waterproof", "Steel-Case", "Alloy-Case"),
        features=("With Charger", "Key Lock", "LED Gauge", "Shockproof"),
        sizes=("36 V 10 Ah", "36 V 13 Ah", "48 V 10 Ah", "48 V 12 Ah"),
    ),
    Line(
        level=0.87,
        products=(
            "Folding Electric Scooter",
            "Commuter Electric Scooter",
            "Seated Electric Scooter",
            "Off-Road Electric Scooter",
        ),
        materials=("Aluminum", "Lightweight", "Dual-Brake", "Smart", "Magnesium"),
        features=("App Control", "LED Lights", "Shock Absorbing", "25 km Range"),
        sizes=("Black", "White", "Gray", "Blue"),
    ),
    Line(
        level=0.95,
        products=(
            "Folding Electric Bike",
            "City Electric Bike",
            "Cargo Electric Bike",
            "Student Electric Bike",
            "Mini Electric Bike",
        ),
        materials=("Steel-Frame", "Aluminum", "Lightweight", "High-Carbon Steel"),
        features=("Disc Brakes", "Pedal Assist", "LED Display", "With Basket"),
        sizes=("14 in", "16 in", "20 in", "22 in"),
    ),
)

E_VEHICLES = Vocabulary(category="E-Vehicles & Parts", brands=_BRANDS, lines=_LINES)
