"""Listings of Smartphones, from a senior's first phone to a foldable."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary

_BRANDS = (
    "Xingtuo",
    "Qianbo",
    "Tuoran",
    "Nexolin",
    "Pixuan",
    "Hexuan",
    "Mirano",
    "Orbeline",
    "Duoke",
    "Calluno",
    "Lanxuo",
    "Verquo",
    "Jiexo",
    "Solvanto",
)

_LINES = (
    Line(
        level=0.05,
        products=(
            "4G Senior Smartphone",
            "Large-Font 4G Phone",
            "Big-Volume 4G Phone",
            "Simple-Mode 4G Phone",
            "Student 4G Phone",
        ),
        materials=("Black", "Dark Red", "Champagne Gold", "Navy Blue"),
        features=("4000 mAh Battery", "Loud Speaker", "Dual SIM", "Emergency SOS Key", "FM Radio"),
        sizes=("2+32 GB", "3+32 GB", "3+64 GB"),
    ),
    Line(
        level=0.12,
        products=("Compact 4G Phone", "Mini 4-Inch Smartphone", "Small Spare Smartphone", "Pocket 4G Phone"),
        materials=("Black", "Pearl White", "Mint Green", "Coral"),
        features=("Face Unlock", "Dual SIM", "Lightweight", "Memory Card Slot", "Headphone Jack"),
        sizes=("3+32 GB", "4+64 GB", "4+128 GB"),
    ),
    Line(
        level=0.2,
        products=(
            "Entry 6.5-Inch 4G Phone",
            "Waterdrop-Screen 4G Phone",
            "6.6-Inch HD+ Smartphone",
            "Long-Standby 4G Phone",
        ),
        materials=("Sky Blue", "Ink Black", "Lake Green", "Lavender"),
        features=("5000 mAh Battery", "50 MP Camera", "Side Fingerprint", "18 W Charging", "90 Hz Display"),
        sizes=("4+64 GB", "4+128 GB", "6+128 GB"),
    ),
    Line(
        level=0.28,
        products=(
            "Outdoor Rugged 4G Phone",
            "All-Weather Smartphone",
            "Long-Standby Rugged Phone",
            "Builder's Rugged Phone",
        ),
        materials=("Black", "Army Green", "Orange", "Steel Gray"),
        features=("IP68 Waterproof", "Push-to-Talk Key", "LED Flashlight", "Drop-Resistant", "8000 mAh Battery"),
        sizes=("4+64 GB", "6+128 GB", "8+128 GB"),
    ),
    Line(
        level=0.36,
        products=("Entry 5G Phone", "Dual-SIM 5G Phone", "Slim 5G Phone", "6.6-Inch 5G Phone", "Everyday 5G Phone"),
        materials=("Ocean Blue", "Graphite", "White", "Jade Green", "Peach"),
        features=("5000 mAh Battery", "33 W Fast Charging", "90 Hz Display", "50 MP Main Camera", "NFC"),
        sizes=("6+128 GB", "8+128 GB"),
    ),
    Line(
        level=0.45,
        products=("AMOLED 5G Phone", "120 Hz 5G Phone", "Thin 5G Phone", "Large-Battery 5G Phone"),
        materials=("Ice Silver", "Ink Black", "Violet", "Misty Green", "Sunrise Gold"),
        features=("67 W Fast Charging", "Fingerprint Unlock", "64 MP Camera", "Stereo Speakers", "NFC and Infrared"),
        sizes=("8+128 GB", "8+256 GB"),
    ),
    Line(
        level=0.55,
        products=(
            "Curved-Screen 5G Phone",
            "Portrait-Camera 5G Phone",
            "1.5K-Display 5G Phone",
            "Vegan-Leather 5G Phone",
        ),
        materials=("Amber", "Obsidian", "Jade White", "Rose Mist", "Sea Blue"),
        features=("80 W Fast Charging", "Optical Zoom", "5500 mAh Battery", "Triple Rear Lenses", "IP65 Rated"),
        sizes=("8+256 GB", "12+256 GB"),
    ),
    Line(
        level=0.64,
        products=("Performance 5G Phone", "Esports 5G Phone", "Vapor-Cooled 5G Phone", "144 Hz Smartphone"),
        materials=("Storm Black", "Neon Green", "Silver", "Titan Gray", "Ice Blue"),
        features=("100 W Fast Charging", "Shoulder Triggers", "5000 mAh Dual Cell", "Stereo Speakers", "Linear Motor"),
        sizes=("12+256 GB", "12+512 GB", "16+256 GB"),
    ),
    Line(
        level=0.72,
        products=(
            "Rugged 5G Phone",
            "Thermal-View Rugged Phone",
            "Night-Vision Rugged Phone",
            "Satellite SMS Smartphone",
        ),
        materials=("Black", "Desert Tan", "Olive Green", "Orange"),
        features=("10000 mAh Battery", "IP69K Rated", "Glove Touch", "Camping Light", "66 W Charging"),
        sizes=("8+256 GB", "12+256 GB", "12+512 GB"),
    ),
    Line(
        level=0.8,
        products=(
            "Periscope-Zoom 5G Phone",
            "Flagship Imaging Smartphone",
            "Quad-Curved 5G Phone",
            "Ceramic-Body 5G Phone",
        ),
        materials=("Snow White", "Ink Green", "Basalt", "Purple", "Bronze"),
        features=("Hybrid Zoom", "IP68 Rated", "Wireless Charging", "2K Display", "5400 mAh Battery"),
        sizes=("12+256 GB", "12+512 GB", "16+512 GB"),
    ),
    Line(
        level=0.88,
        products=("Flagship 5G Phone", "6.8-Inch Flagship Phone", "Compact Flagship Phone", "Metal-Frame Smartphone"),
        materials=("Titan Gray", "Pine Green", "Cloud White", "Ink Black", "Sand Gold"),
        features=("Under-Screen Unlock", "120 W Fast Charging", "IP68 Rated", "Wireless Charging", "LTPO Display"),
        sizes=("12+512 GB", "16+512 GB", "16 GB+1 TB"),
    ),
    Line(
        level=0.95,
        products=(
            "Flip Foldable Phone",
            "Vertical Folding Phone",
            "Book-Style Foldable Phone",
            "Slim Foldable 5G Phone",
        ),
        materials=("Pearl White", "Lilac", "Black", "Champagne", "Mint", "Ink Blue"),
        features=("Large Cover Screen", "Seamless Hinge", "66 W Fast Charging", "Dual 50 MP Cameras", "NFC"),
        sizes=("12+256 GB", "12+512 GB", "16+512 GB"),
    ),
)

SMARTPHONES = Vocabulary(category="Smartphones", brands=_BRANDS, lines=_LINES)
