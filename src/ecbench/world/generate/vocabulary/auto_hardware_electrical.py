"""Listings of Electrical Supplies, from cable ties to distribution boxes."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary

_BRANDS = (
    "Voltan",
    "Dianyu",
    "Wattmoor",
    "Ampwell",
    "Lingdian",
    "Xinlian",
    "Anzhuo",
    "Currano",
    "Tonglu",
    "Hongdian",
    "Switchel",
    "Zhengxian",
    "Copperin",
    "Baodian",
)

_LINES = (
    Line(
        level=0.05,
        products=("Nylon Cable Ties", "Wire Twist Connectors", "Cable Clips", "Cable Sleeves"),
        materials=("Flame-Retardant", "Halogen-Free", "Color-Coded", "UV-Resistant", "Heavy-Duty"),
        features=("All-Weather Use", "Strong Hold", "Easy Fit", "Assorted Sizes"),
        sizes=("Pack of 10", "Pack of 20", "Pack of 30", "Pack of 50"),
    ),
    Line(
        level=0.14,
        products=("Three-Pin Plug", "Two-Pin Plug", "Plug Adapter", "Rewireable Plug", "Right-Angle Plug"),
        materials=("Copper-Core", "Flame-Retardant", "Heavy-Duty", "ABS", "PC"),
        features=("White", "Black", "Gray"),
        sizes=("6 A", "10 A", "13 A", "16 A"),
    ),
    Line(
        level=0.23,
        products=("One-Gang Wall Switch", "Two-Gang Wall Switch", "Three-Gang Wall Switch", "Four-Gang Wall Switch"),
        materials=("Large-Panel", "Glass", "Flame-Retardant", "Frameless", "Matte"),
        features=("One-Way", "Two-Way", "LED Indicator", "Silver Contacts"),
        sizes=("White", "Gold", "Gray", "Black", "Champagne"),
    ),
    Line(
        level=0.32,
        products=("Five-Hole Wall Socket", "USB Wall Socket", "Three-Hole Wall Socket", "Seven-Hole Wall Socket"),
        materials=("Large-Panel", "Glass", "Flame-Retardant", "Matte", "PC"),
        features=("Safety Shutter", "Easy Wiring", "Scratch-Resistant", "86 mm Box Fit"),
        sizes=("White", "Gold", "Gray", "Black", "Champagne"),
    ),
    Line(
        level=0.41,
        products=("Cable Junction Box", "Outdoor Junction Box", "Wall Mounting Box", "Electrical Project Box"),
        materials=("PVC", "ABS", "Flame-Retardant", "Clear-Lid"),
        features=("IP55", "IP65", "IP66", "Knockout Holes"),
        sizes=("85 x 85 mm", "100 x 100 mm", "100 x 150 mm", "150 x 200 mm"),
    ),
    Line(
        level=0.5,
        products=(
            "Miniature Circuit Breaker",
            "Household Circuit Breaker",
            "Compact Circuit Breaker",
            "Air Circuit Switch",
        ),
        materials=("C-Curve", "D-Curve", "Flame-Retardant", "Silver-Contact"),
        features=("10 A", "16 A", "20 A", "32 A", "63 A"),
        sizes=("1P", "2P", "3P", "1P+N"),
    ),
    Line(
        level=0.58,
        products=(
            "Extension Power Strip",
            "Flat-Plug Power Strip",
            "Vertical Power Strip",
            "Surge Power Strip",
            "USB Power Strip",
        ),
        materials=("Flame-Retardant", "Copper-Core", "Overload-Safe", "Wall-Mount"),
        features=("4 Outlets", "5 Outlets", "6 Outlets", "8 Outlets"),
        sizes=("1.8 m", "2 m", "3 m", "5 m"),
    ),
    Line(
        level=0.66,
        products=(
            "Residual Current Breaker",
            "Leakage Protection Breaker",
            "Ground Fault Breaker",
            "Household Leakage Breaker",
        ),
        materials=("1P+N", "2P", "3P+N", "4P"),
        features=("30 mA Trip", "Fast Trip", "Test Button", "Silver Contacts"),
        sizes=("16 A", "25 A", "32 A", "40 A", "63 A"),
    ),
    Line(
        level=0.74,
        products=("AC Contactor", "Thermal Overload Relay", "Time Relay", "Intermediate Relay", "Float Switch Relay"),
        materials=("Silver-Contact", "DIN-Rail", "Copper-Coil", "Compact"),
        features=("Low Noise", "Easy Wiring", "Quick Mount", "Indicator Light"),
        sizes=("12 V", "24 V", "110 V", "220 V", "380 V"),
    ),
    Line(
        level=0.82,
        products=("Single-Core Copper Wire", "Two-Core Sheathed Cable", "Three-Core Sheathed Cable", "Twin Flat Cable"),
        materials=("Flame-Retardant", "Oxygen-Free", "PVC", "Halogen-Free"),
        features=("5 m", "8 m", "10 m", "15 m", "20 m"),
        sizes=("0.75 sq mm", "1 sq mm", "1.5 sq mm", "2.5 sq mm"),
    ),
    Line(
        level=0.89,
        products=("Smart Plug Socket", "Timer Plug Socket", "Energy Meter Socket", "Wi-Fi Plug Socket"),
        materials=("Flame-Retardant", "Digital", "Compact", "Mini", "Dual-Outlet"),
        features=("Overload Guard", "With Indicator", "Easy Setup", "Countdown Function"),
        sizes=("10 A White", "10 A Black", "16 A White", "16 A Black"),
    ),
    Line(
        level=0.95,
        products=(
            "Power Distribution Box",
            "Surface Mount Breaker Box",
            "Flush Mount Breaker Box",
            "Outdoor Breaker Box",
        ),
        materials=("Galvanized Steel", "PVC", "Flame-Retardant", "Stainless Steel", "ABS"),
        features=("8 Ways", "12 Ways", "16 Ways", "20 Ways"),
        sizes=("White", "Gray", "Clear Door", "Locking Door"),
    ),
)

ELECTRICAL = Vocabulary(category="Electrical Supplies", brands=_BRANDS, lines=_LINES)
