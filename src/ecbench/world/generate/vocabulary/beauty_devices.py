"""Listings of Beauty Devices, from cleansing brushes to salon machines."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary

_BRANDS = (
    "Lumiqi",
    "Velline",
    "Meiguang",
    "Aurisse",
    "Guangmi",
    "Jingyan",
    "Lisanue",
    "Xuanmei",
    "Silkren",
    "Yimeilan",
    "Radiva",
    "Caiyue",
    "Feirou",
    "Beauvale",
)

_LINES = (
    Line(
        level=0.05,
        products=("Facial Cleansing Brush", "Sonic Pore Brush", "Vibrating Face Brush", "Exfoliating Face Brush"),
        materials=("Silicone", "Two-Sided Silicone", "Soft-Bristle", "Ribbed Silicone"),
        features=("5 Speeds", "USB-C Charging", "IPX7 Waterproof", "With Pouch", "Magnetic Charging"),
        sizes=("Pink", "White", "Mint", "Lilac", "Coral"),
    ),
    Line(
        level=0.13,
        products=(
            "Heated Eyelash Curler",
            "Nail Drill Kit",
            "Nail Curing Lamp",
            "Makeup Brush Cleaner",
            "Eyebrow Shaper",
        ),
        materials=("Compact", "Rechargeable", "Portable", "Cordless"),
        features=("USB-C Charging", "One-Button Use", "With Storage Pouch", "With Gift Box"),
        sizes=("White", "Pink", "Black", "Lavender", "Champagne"),
    ),
    Line(
        level=0.22,
        products=(
            "Blackhead Vacuum",
            "Ultrasonic Skin Scrubber",
            "Pore Cleaner Wand",
            "Visible Pore Vacuum",
            "Ionic Skin Spatula",
        ),
        materials=("Stainless Steel", "Metal-Trim", "Slim", "Cordless"),
        features=("3 Modes", "5 Suction Heads", "With Camera", "LED Screen", "One-Button Use"),
        sizes=("White", "Rose Gold", "Black", "Sea Green"),
    ),
    Line(
        level=0.32,
        products=(
            "Hair Curling Iron",
            "Automatic Hair Curler",
            "Wave Curling Wand",
            "Triple-Barrel Hair Waver",
            "Large-Barrel Curler",
        ),
        materials=("Ceramic", "Tourmaline", "Titanium", "Ionic", "Glazed Ceramic"),
        features=("LCD Temperature Display", "5 Heat Settings", "Auto Shut-Off", "Cool Tip", "Dual Voltage"),
        sizes=("22 mm", "25 mm", "28 mm", "32 mm"),
    ),
    Line(
        level=0.41,
        products=(
            "Hair Straightener",
            "Straightening Brush",
            "Mini Flat Iron",
            "2-in-1 Styling Iron",
            "Hot Air Styling Comb",
        ),
        materials=("Ceramic", "Tourmaline", "Titanium", "Negative Ion", "Argan-Coated"),
        features=("6 Heat Settings", "Auto Shut-Off", "Swivel Cord", "Fast Heat-Up", "With Bag"),
        sizes=("White", "Black", "Pink", "Dark Green"),
    ),
    Line(
        level=0.5,
        products=("Facial Steamer", "Nano Face Sprayer", "Hot and Cold Steamer", "Desktop Facial Steamer"),
        materials=("Fine-Mist", "Large-Tank", "Quiet", "Dual-Nozzle", "Ionic"),
        features=("Touch Control", "Auto Shut-Off", "With Aroma Box", "Mirror Lid"),
        sizes=("70 ml Tank", "80 ml Tank", "100 ml Tank", "120 ml Tank"),
    ),
    Line(
        level=0.59,
        products=(
            "IPL Hair Removal Device",
            "Cooling IPL Epilator",
            "Home IPL Hair Remover",
            "Body and Face IPL Handset",
        ),
        materials=("Sapphire", "Quartz-Lamp", "Low-Heat", "Corded", "Handheld"),
        features=("5 Energy Levels", "9 Energy Levels", "Skin Tone Sensor", "Auto Flash Mode", "With Goggles"),
        sizes=("300K Flashes", "500K Flashes", "800K Flashes", "990K Flashes"),
    ),
    Line(
        level=0.68,
        products=(
            "Microcurrent Facial Toner",
            "EMS Face Lift Wand",
            "EMS Jawline Trainer",
            "Ionic Essence Infuser",
            "Vibrating Eye Care Wand",
        ),
        materials=("Rechargeable", "Zinc Alloy", "Titanium", "Gold-Plated", "Wireless"),
        features=("4 Modes", "6 Intensity Levels", "With Gel", "Red Light Mode", "Charging Dock"),
        sizes=("White", "Rose Gold", "Champagne", "Ink Blue"),
    ),
    Line(
        level=0.77,
        products=("LED Face Mask", "LED Phototherapy Mask", "LED Neck and Face Mask", "Flexible LED Mask"),
        materials=("Silicone", "Cordless", "Lightweight", "Soft Silicone", "Foldable"),
        features=("3 Light Colors", "4 Light Colors", "7 Light Colors", "Timer Remote", "USB-C Charging"),
        sizes=("120 LEDs", "160 LEDs", "200 LEDs", "240 LEDs"),
    ),
    Line(
        level=0.86,
        products=(
            "RF Facial Device",
            "RF Eye Area Device",
            "RF Skin Tightening Wand",
            "RF and LED Facial Device",
            "Body Contour RF Device",
        ),
        materials=("Multipolar", "Gold-Plated", "Titanium", "Smart-Temp"),
        features=("5 Levels", "Contact Sensor", "With Firming Gel", "App Control", "Charging Base"),
        sizes=("Pearl White", "Rose Gold", "Midnight Blue", "Champagne"),
    ),
    Line(
        level=0.95,
        products=(
            "Hydro Facial Machine",
            "Oxygen Facial Machine",
            "Multi-Care Beauty Station",
            "RF and EMS Beauty Station",
            "Micro-Bubble Face Machine",
        ),
        materials=("Salon-Grade", "Tabletop", "Touchscreen", "Professional"),
        features=("4 Handpieces", "5 Handpieces", "6 Handpieces", "With Rolling Case", "With Solutions"),
        sizes=("White", "Silver", "Pink", "Graphite"),
    ),
)

DEVICES = Vocabulary(category="Beauty Devices", brands=_BRANDS, lines=_LINES)
