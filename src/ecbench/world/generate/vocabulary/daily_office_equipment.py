"""Listings of Office Equipment, from desk calculators to office printers."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary

_BRANDS = (
    "Deskora",
    "Mingzhi",
    "Zhenhe",
    "Printoro",
    "Bangong",
    "Ruiying",
    "Kaiwen",
    "Tonerly",
    "Jinban",
    "Hengyin",
    "Saoyi",
    "Taskmoor",
    "Weiban",
    "Clerkson",
)

_LINES = (
    Line(
        level=0.05,
        products=("Desktop Calculator", "Office Calculator", "Voice Calculator", "Accounting Calculator"),
        materials=("Solar", "Dual-Power", "Metal-Panel", "Large-Key"),
        features=("12 Digits", "14 Digits", "Tilted Display", "Tax Function", "Comfort Keys"),
        sizes=("White", "Black", "Gray", "Blue", "Pink"),
    ),
    Line(
        level=0.14,
        products=(
            "Office Whiteboard",
            "Magnetic Whiteboard",
            "Cork Bulletin Board",
            "Felt Message Board",
            "Monthly Planning Board",
        ),
        materials=("Aluminum-Frame", "Wood-Frame", "Slim-Frame", "Frameless"),
        features=("With Accessory Kit", "Wall Mounted", "Two-Way Hanging", "With Tray"),
        sizes=("40 x 60 cm", "45 x 60 cm", "60 x 80 cm", "60 x 90 cm"),
    ),
    Line(
        level=0.23,
        products=("Toner Cartridge", "Imaging Drum Unit", "Toner Refill Kit", "Laser Drum Cartridge"),
        materials=("Compatible", "High-Yield", "Easy-Install", "Standard-Yield"),
        features=("Sharp Black Text", "Low Odor", "With Install Guide", "Chip Included"),
        sizes=("1500 Pages", "2000 Pages", "2600 Pages", "3000 Pages"),
    ),
    Line(
        level=0.32,
        products=("Lever-Arm Paper Cutter", "Rotary Paper Trimmer", "Sliding Paper Cutter", "Photo Paper Trimmer"),
        materials=("Steel", "Alloy-Base", "Heavy-Duty", "Portable", "Safety-Guard"),
        features=("10 Sheets", "12 Sheets", "15 Sheets", "Grid Ruler"),
        sizes=("A5", "A4", "B4", "A3"),
    ),
    Line(
        level=0.41,
        products=("Pouch Laminator", "Hot and Cold Laminator", "Photo Laminator", "Laminator with Trimmer"),
        materials=("Compact", "Fast-Warm-Up", "Quiet", "Metal-Roller"),
        features=("Jam Release", "2 Rollers", "Auto Shut-Off", "Starter Pouches", "LED Indicator"),
        sizes=("A4", "A4 White", "A4 Black", "A3"),
    ),
    Line(
        level=0.5,
        products=("Comb Binding Machine", "Wire Binding Machine", "Strip Binding Machine", "Spiral Binding Machine"),
        materials=("Manual", "Steel", "Heavy-Duty", "Desktop"),
        features=("10-Sheet Punch", "12-Sheet Punch", "Starter Supplies", "Depth Guide"),
        sizes=("A4", "A5 to A4", "Black", "Gray White"),
    ),
    Line(
        level=0.59,
        products=(
            "Thermal Label Printer",
            "Shipping Label Printer",
            "Cable Label Printer",
            "Price Tag Printer",
            "Jewelry Label Printer",
        ),
        materials=("Bluetooth", "USB", "Dual-Mode", "Portable"),
        features=("App Editing", "Inkless Printing", "Auto Paper Feed", "Starter Roll"),
        sizes=("40 mm", "50 mm", "58 mm", "80 mm"),
    ),
    Line(
        level=0.67,
        products=("Cross-Cut Shredder", "Strip-Cut Shredder", "Micro-Cut Shredder", "Desktop Paper Shredder"),
        materials=("Quiet", "Steel-Blade", "Compact", "Electric", "Home-Office"),
        features=("Card Slot", "Auto Reverse", "Overheat Protection", "Pull-Out Bin", "5 Sheets per Pass"),
        sizes=("7 L", "10 L", "15 L", "20 L"),
    ),
    Line(
        level=0.75,
        products=("Office Safe Box", "Digital Lock Safe", "Fingerprint Safe", "Drawer Safe", "Document Safe"),
        materials=("All-Steel", "Thick-Steel", "Alloy Steel", "Fire-Resistant"),
        features=("Spare Keys", "Anti-Pry Door", "Alarm Function", "Carpeted Inside", "Wall or Floor Fixing"),
        sizes=("20 cm", "25 cm", "30 cm", "35 cm"),
    ),
    Line(
        level=0.82,
        products=(
            "Fingerprint Time Clock",
            "Face Recognition Time Clock",
            "Card Reader Time Clock",
            "Wi-Fi Attendance Terminal",
        ),
        materials=("Smart", "Touch-Key", "Wall-Mount", "Color-Screen"),
        features=("500 Users", "1000 Users", "USB Report Export", "Battery Backup"),
        sizes=("Black", "White", "Silver", "Gray"),
    ),
    Line(
        level=0.89,
        products=(
            "Banknote Counter",
            "Money Detector Counter",
            "Coin Sorter",
            "Mixed Bill Counter",
            "Portable Cash Counter",
        ),
        materials=("UV", "Magnetic", "Infrared", "Dual-Screen", "Voice"),
        features=("Batch Mode", "Foldable Display", "Auto Start", "Rechargeable Battery"),
        sizes=("White", "Gray", "Blue", "Black"),
    ),
    Line(
        level=0.95,
        products=(
            "Ink Tank Office Printer",
            "Mono Laser Office Printer",
            "All-in-One Office Printer",
            "Duplex Office Scanner",
        ),
        materials=("Wireless", "USB", "Compact", "Network", "Quiet"),
        features=("Mobile App Support", "Auto Feeder", "Fast First Page", "Energy Saving", "Touch Panel"),
        sizes=("White", "Black", "Gray", "Two-Tone"),
    ),
)

EQUIPMENT = Vocabulary(category="Office Equipment", brands=_BRANDS, lines=_LINES)
