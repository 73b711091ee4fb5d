"""Listings of Personal Care & Massage, from wooden rollers to foot massagers."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary

_BRANDS = (
    "Shuyi",
    "Jianrou",
    "Trimlane",
    "Hanshui",
    "Rounuo",
    "Songlin",
    "Mellovibe",
    "Ankeli",
    "Groomark",
    "Lightou",
    "Suyuan",
    "Qingshu",
    "Wellodan",
    "Ruanyun",
    "Barbeck",
)

_LINES = (
    Line(
        level=0.05,
        products=(
            "Massage Stick Roller",
            "Scalp Massage Comb",
            "Gua Sha Board",
            "Handheld Back Massager",
            "Foot Massage Roller",
        ),
        materials=("Sandalwood", "Rosewood", "Beech Wood", "Natural Bamboo", "Jujube Wood"),
        features=("Hand Polished", "With Pouch", "Gift Boxed", "Rounded Edge"),
        sizes=("Travel Size", "Single", "Standard Size", "Pack of 2"),
    ),
    Line(
        level=0.14,
        products=("Nose Hair Trimmer", "Nose and Ear Trimmer", "Eyebrow and Nose Trimmer", "Sideburn Detail Trimmer"),
        materials=("Stainless Steel", "Rechargeable", "Waterproof", "Compact", "Metal-Body"),
        features=("USB-C Charging", "Washable Head", "Dual-Edge Blade", "With Brush", "Low Noise"),
        sizes=("Black", "Silver", "White", "Navy"),
    ),
    Line(
        level=0.23,
        products=(
            "Electric Foot File",
            "Callus Remover",
            "Electric Nail Trimmer",
            "Heel Polisher",
            "Electric Nail File",
        ),
        materials=("Cordless", "Portable", "Waterproof", "Two-Speed", "Vacuum"),
        features=("USB-C Charging", "3 Grinding Heads", "LED Light", "Battery Display", "With Storage Box"),
        sizes=("White", "Mint", "Pink", "Gray"),
    ),
    Line(
        level=0.32,
        products=(
            "Heated Eye Mask",
            "Heated Neck Wrap",
            "Heated Shoulder Pad",
            "Heated Waist Belt",
            "Heated Knee Wrap",
        ),
        materials=("Graphene", "Silk", "Cotton", "Velvet", "Mugwort-Filled"),
        features=("3 Heat Levels", "USB Powered", "Auto Shut-Off Timer", "Washable Cover"),
        sizes=("Gray", "Pink", "Navy", "Beige"),
    ),
    Line(
        level=0.41,
        products=("Hair Clipper", "Beard Trimmer", "Body Hair Trimmer", "Cordless Barber Clipper", "Bald Head Clipper"),
        materials=("Ceramic-Blade", "Stainless Steel", "Titanium-Blade", "Waterproof"),
        features=("4 Guide Combs", "8 Guide Combs", "LED Battery Display", "Quiet Motor", "USB-C Charging"),
        sizes=("Black", "Silver", "Gold", "Red"),
    ),
    Line(
        level=0.49,
        products=("Sonic Toothbrush", "Electric Toothbrush Kit", "Adult Electric Toothbrush", "Soft Sonic Toothbrush"),
        materials=("Rechargeable", "Waterproof", "Maglev", "Slim"),
        features=("4 Brushing Modes", "5 Brushing Modes", "Pressure Sensor", "90-Day Battery", "With Travel Case"),
        sizes=("2 Heads", "3 Heads", "4 Heads", "6 Heads"),
    ),
    Line(
        level=0.57,
        products=("Cordless Water Flosser", "Oral Irrigator", "Portable Water Flosser", "Telescopic Water Flosser"),
        materials=("Rechargeable", "Waterproof", "Foldable", "Pulse", "Quiet"),
        features=("3 Pressure Modes", "5 Pressure Modes", "4 Nozzles", "USB-C Charging", "With Travel Bag"),
        sizes=("150 ml Tank", "200 ml Tank", "250 ml Tank", "300 ml Tank"),
    ),
    Line(
        level=0.65,
        products=(
            "Ionic Hair Dryer",
            "High-Speed Hair Dryer",
            "Folding Travel Hair Dryer",
            "Quick-Dry Hair Dryer",
            "Salon Hair Dryer",
        ),
        materials=("Negative Ion", "Brushless-Motor", "Lightweight", "Low-Noise"),
        features=("Magnetic Nozzle", "Constant Heat", "3 Nozzles", "With Diffuser", "Cool Shot Button"),
        sizes=("1200 W", "1400 W", "1600 W", "1800 W"),
    ),
    Line(
        level=0.72,
        products=(
            "Rotary Electric Shaver",
            "Foil Electric Shaver",
            "Four-Blade Shaver",
            "Wet and Dry Shaver",
            "Travel Mini Shaver",
        ),
        materials=("Stainless Steel", "Rechargeable", "Metal-Body", "Floating-Head"),
        features=("IPX7 Waterproof", "Pop-Up Trimmer", "LED Display", "Lock Button", "With Stand"),
        sizes=("Black", "Silver", "Gunmetal", "Dark Blue"),
    ),
    Line(
        level=0.8,
        products=("Muscle Massage Gun", "Mini Massage Gun", "Percussion Body Massager", "Deep Tissue Massage Gun"),
        materials=("Aluminum", "Brushless", "Quiet", "Cordless", "Carbon-Look"),
        features=("4 Heads", "6 Heads", "Touch Screen", "With Carry Case", "Heated Tip"),
        sizes=("Black", "Silver Gray", "Red", "Army Green"),
    ),
    Line(
        level=0.87,
        products=(
            "Neck and Shoulder Massager",
            "Eye Massager Goggles",
            "Knee Massager",
            "Waist Massage Belt",
            "Scalp Massager Helmet",
        ),
        materials=("Rechargeable", "Air-Pressure", "Heated", "Breathable"),
        features=("3 Modes", "5 Modes", "Music Function", "Auto Timer", "Remote Control"),
        sizes=("White", "Gray", "Beige", "Dark Green"),
    ),
    Line(
        level=0.95,
        products=(
            "Foot Spa Bath",
            "Leg and Foot Massager",
            "Shiatsu Foot Massager",
            "Back Massage Cushion",
            "Calf Air Massager",
        ),
        materials=("Heated", "Deep-Kneading", "Smart", "Full-Wrap"),
        features=("Remote Control", "Touch Panel", "3 Intensity Levels", "Timer", "Washable Cover"),
        sizes=("Black", "Champagne", "Gray", "White"),
    ),
)

PERSONAL_CARE = Vocabulary(category="Personal Care & Massage", brands=_BRANDS, lines=_LINES)
