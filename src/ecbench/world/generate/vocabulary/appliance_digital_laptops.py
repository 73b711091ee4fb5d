"""Listings of Laptops, from a netbook to a gaming machine."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary

_BRANDS = (
    "Kezhou",
    "Bituo",
    "Tuoran",
    "Nexolin",
    "Zhuoran",
    "Hexuan",
    "Slatero",
    "Orbeline",
    "Lingqi",
    "Penfro",
    "Yuanbi",
    "Corvanta",
    "Moliang",
)

_LINES = (
    Line(
        level=0.05,
        products=("11.6-Inch Netbook", "10.1-Inch Mini Laptop", "Student Study Netbook", "11-Inch Online-Class Laptop"),
        materials=("White", "Silver", "Sky Blue", "Pink", "Gray"),
        features=("Fanless Design", "HD Webcam", "Memory Card Slot", "Light 1.1 kg Body", "Dual-Band Wi-Fi"),
        sizes=("4+64 GB", "4+128 GB", "6+128 GB"),
    ),
    Line(
        level=0.12,
        products=(
            "Detachable 2-in-1 Laptop",
            "10.5-Inch Keyboard Laptop",
            "Touchscreen Mini Laptop",
            "Rotating Mini Laptop",
        ),
        materials=("Silver", "Space Gray", "Rose Gold", "Deep Blue", "White"),
        features=("Touch Display", "Stylus Support", "USB-C Charging", "Stereo Speakers", "Ten-Hour Battery"),
        sizes=("6+128 GB", "8+128 GB", "8+256 GB"),
    ),
    Line(
        level=0.2,
        products=(
            "Entry 14-Inch Laptop",
            "14-Inch Study Laptop",
            "Slim 14.1-Inch Notebook",
            "15.6-Inch Entry Notebook",
            "Home Typing Laptop",
        ),
        materials=("Silver", "Gray", "Mint", "Champagne", "Black"),
        features=("Full HD Display", "Numeric Touchpad", "Fanless Cooling", "USB 3.0 Ports", "Expandable SSD Slot"),
        sizes=("8+128 GB", "8+256 GB", "8+512 GB"),
    ),
    Line(
        level=0.3,
        products=(
            "15.6-Inch Office Notebook",
            "14-Inch Commuter Laptop",
            "16-Inch Wide Notebook",
            "Work 14-Inch Notebook",
        ),
        materials=("Silver", "Graphite", "Navy", "Pearl White"),
        features=("Backlit Keyboard", "Fingerprint Key", "180-Degree Hinge", "IPS Full HD", "USB-C Charging"),
        sizes=("8+256 GB", "12+256 GB", "16+512 GB"),
    ),
    Line(
        level=0.4,
        products=(
            "2-in-1 Convertible Notebook",
            "360-Degree Flip Laptop",
            "13.3-Inch Touch Notebook",
            "Pen-Enabled Flip Notebook",
        ),
        materials=("Silver", "Slate Gray", "Rose Gold", "Dark Green"),
        features=("Stylus Included", "Backlit Keyboard", "Glass Panel", "USB-C Charging", "Privacy Webcam"),
        sizes=("8+256 GB", "16+256 GB", "16+512 GB"),
    ),
    Line(
        level=0.48,
        products=(
            "Metal-Body 14-Inch Notebook",
            "Thin 13.3-Inch Notebook",
            "1.2 kg Travel Notebook",
            "All-Metal 15.6-Inch Notebook",
        ),
        materials=("Silver", "Space Gray", "Ice Blue", "Rose Gold"),
        features=("2K IPS Display", "All-Day Battery", "Backlit Keyboard", "65 W Charging", "Quiet Fan"),
        sizes=("16+256 GB", "16+512 GB"),
    ),
    Line(
        level=0.58,
        products=(
            "Eight-Core 16-Inch Notebook",
            "Six-Core Office Notebook",
            "Rugged Field Notebook",
            "17.3-Inch Desktop-Class Laptop",
        ),
        materials=("Gray", "Black", "Silver", "Deep Blue"),
        features=("Spillproof Keys", "Dual Fans", "Two SSD Slots", "Numeric Keypad", "Four USB Ports"),
        sizes=("16+512 GB", "16 GB+1 TB", "32+512 GB"),
    ),
    Line(
        level=0.67,
        products=(
            "2.5K High-Refresh Notebook",
            "16-Inch 2.5K Notebook",
            "14-Inch 2.8K Slim Laptop",
            "Aluminum 16-Inch Notebook",
        ),
        materials=("Silver", "Moon White", "Graphite", "Ice Blue"),
        features=("120 Hz Display", "100 W Charging", "75 Wh Battery", "Full sRGB Color", "Face Unlock"),
        sizes=("16+512 GB", "16 GB+1 TB", "32+512 GB"),
    ),
    Line(
        level=0.76,
        products=(
            "Entry Gaming Laptop",
            "15.6-Inch Gaming Notebook",
            "144 Hz Gaming Laptop",
            "Student Gaming Notebook",
            "16-Inch Gaming Notebook",
        ),
        materials=("Black", "Eclipse Gray", "White", "Dark Blue"),
        features=("4 GB Graphics", "6 GB Graphics", "RGB Keyboard", "Dual-Fan Cooling", "135 W Adapter"),
        sizes=("16+512 GB", "16 GB+1 TB"),
    ),
    Line(
        level=0.84,
        products=("OLED Creator Laptop", "16-Inch Design Laptop", "14-Inch OLED Notebook", "Video-Editing Notebook"),
        materials=("Silver", "Pearl White", "Graphite", "Ink Black"),
        features=("Touch Panel", "Calibrated Panel", "32 GB Fast Memory", "USB4 Port", "Wide Color"),
        sizes=("512 GB SSD", "1 TB SSD", "2 TB SSD"),
    ),
    Line(
        level=0.9,
        products=(
            "Magnesium 1 kg Notebook",
            "Carbon Business Laptop",
            "Executive 14-Inch Laptop",
            "LTE Business Laptop",
        ),
        materials=("Black", "Pearl White", "Titanium", "Deep Blue"),
        features=("All-Day Battery", "Smart-Card Reader", "Privacy Screen", "Face Unlock", "USB4 Port"),
        sizes=("16+512 GB", "16 GB+1 TB", "32 GB+1 TB"),
    ),
    Line(
        level=0.95,
        products=(
            "165 Hz Gaming Laptop",
            "16-Inch Esports Laptop",
            "17.3-Inch Gaming Laptop",
            "High-Power Gaming Laptop",
        ),
        materials=("Black", "Silver", "Eclipse Gray", "White"),
        features=("8 GB Graphics", "2.5K Display", "Per-Key RGB", "Quad-Vent Cooling", "230 W Adapter"),
        sizes=("16+512 GB", "16 GB+1 TB", "32 GB+1 TB"),
    ),
)

LAPTOPS = Vocabulary(category="Laptops", brands=_BRANDS, lines=_LINES)
