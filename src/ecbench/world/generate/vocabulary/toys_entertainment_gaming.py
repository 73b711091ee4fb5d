"""Listings of Gaming & Accessories, from a mouse pad to a VR headset."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary

_BRANDS = (
    "Lieying",
    "Xuanzan",
    "Keyrath",
    "Glimfox",
    "Novarush",
    "Leiqi",
    "Feiju",
    "Arcaden",
    "Yousu",
    "Duelix",
    "Pixelore",
    "Kuwan",
    "Zhuque",
    "Hexbolt",
    "Clickaro",
)

_LINES = (
    Line(
        level=0.05,
        products=(
            "Gaming Mouse Pad",
            "Extended Gaming Desk Mat",
            "RGB Gaming Mouse Pad",
            "Speed-Surface Mouse Mat",
            "Thickened Gaming Mouse Mat",
        ),
        materials=("Stitched-Edge", "Cloth", "Waterproof", "Black", "Topographic"),
        features=("Non-Slip Base", "Smooth Glide", "Quick-Dry", "Anti-Fray"),
        sizes=("80x30 cm", "90x40 cm", "120x60 cm"),
    ),
    Line(
        level=0.11,
        products=(
            "Controller Charging Dock",
            "Controller Silicone Skin",
            "Handheld Console Case",
            "Console Game Card Case",
            "Handheld Grip Shell",
        ),
        materials=("Black", "Transparent", "Purple", "Camouflage", "Pastel"),
        features=("Precise Fit", "Anti-Scratch", "Gift Pack", "Travel Friendly", "Easy to Clean"),
    ),
    Line(
        level=0.17,
        products=("Mobile Gaming Trigger Set", "Phone Cooling Clip", "Magnetic Phone Cooler", "Mobile Game Grip"),
        materials=("Black", "RGB", "Transparent", "White", "Mecha-Style"),
        features=("Fast Setup", "Compact", "Travel Pouch", "Fits Most Phones", "Durable Build"),
    ),
    Line(
        level=0.24,
        products=("Wired Gaming Mouse", "Lightweight Gaming Mouse", "Macro Gaming Mouse", "Honeycomb Gaming Mouse"),
        materials=("Black", "White", "RGB", "Matte"),
        features=("Side Buttons", "Optical Sensor", "Paracord Cable", "Onboard Memory"),
        sizes=("6400 DPI", "8000 DPI", "12000 DPI"),
    ),
    Line(
        level=0.31,
        products=("Wired Gaming Headset", "Cat-Ear Gaming Headset", "Foldable Gaming Headset", "Stereo Gaming Headset"),
        materials=("Black", "White", "Pink", "Camouflage", "RGB"),
        features=("Noise-Reducing Mic", "Memory Foam Pads", "Inline Control", "Mute Switch"),
        sizes=("3.5 mm Jack", "USB Plug"),
    ),
    Line(
        level=0.38,
        products=(
            "Retro Handheld Console",
            "Pocket Arcade Console",
            "Mini Family Game Console",
            "Classic TV Game Stick",
        ),
        materials=("Transparent", "Gray", "Ivory", "Purple", "Black"),
        features=("Two-Player Mode", "Save Function", "AV Output", "Built-In Games"),
        sizes=("400 Games", "600 Games", "5000 Games"),
    ),
    Line(
        level=0.45,
        products=(
            "Wireless Game Controller",
            "Dual-Vibration Gamepad",
            "PC and Mobile Gamepad",
            "Stretch Phone Gamepad",
            "Hall-Stick Controller",
        ),
        materials=("Black", "White", "Transparent", "Neon Blue", "Sunset Orange"),
        features=("Turbo Button", "Six-Axis Motion", "Mappable Keys", "1000 mAh Battery", "Linear Triggers"),
        sizes=("Bluetooth", "2.4 GHz", "Tri-Mode"),
    ),
    Line(
        level=0.52,
        products=(
            "Mechanical Gaming Keyboard",
            "Compact Gaming Keyboard",
            "Hot-Swap Gaming Keyboard",
            "Side-Printed Gaming Keyboard",
            "Gasket Gaming Keyboard",
        ),
        materials=("Black", "White", "Gradient", "Gray", "Purple"),
        features=("RGB Backlight", "Red Switches", "Linear Switches", "PBT Keycaps", "Full Anti-Ghosting"),
        sizes=("61 Keys", "68 Keys", "87 Keys", "98 Keys"),
    ),
    Line(
        level=0.58,
        products=(
            "Wireless Gaming Mouse",
            "Tri-Mode Gaming Mouse",
            "Magnetic-Dock Gaming Mouse",
            "Ergonomic Esports Mouse",
        ),
        materials=("Black", "White", "Neon Pink", "Carbon-Look", "Gray"),
        features=("55 g Weight", "Optical Switches", "70-Hour Battery", "PTFE Feet", "Onboard Memory"),
        sizes=("12000 DPI", "19000 DPI", "26000 DPI"),
    ),
    Line(
        level=0.65,
        products=(
            "Wireless Gaming Headset",
            "7.1-Channel Gaming Headset",
            "Low-Latency Gaming Headset",
            "ENC Gaming Headset",
        ),
        materials=("Black", "White", "Titanium Gray", "Pink"),
        features=("Detachable Mic", "40-Hour Battery", "50 mm Drivers", "RGB Ear Cups", "Charging Dock"),
        sizes=("2.4 GHz", "Dual-Mode", "Tri-Mode"),
    ),
    Line(
        level=0.71,
        products=(
            "Magnetic-Switch Keyboard",
            "Aluminum Gaming Keyboard",
            "Rapid-Trigger Keyboard",
            "Custom Gasket Keyboard Kit",
        ),
        materials=("Black", "White", "Silver", "Gradient", "Navy"),
        features=("8000 Hz Polling", "Per-Key RGB", "Knob Control", "South-Facing LEDs", "PBT Keycaps"),
        sizes=("61 Keys", "68 Keys", "75 Keys", "82 Keys"),
    ),
    Line(
        level=0.82,
        products=(
            "Open-Source Handheld Console",
            "4-Inch Retro Handheld",
            "5-Inch Retro Handheld",
            "Clamshell Retro Handheld",
            "Metal-Shell Retro Handheld",
        ),
        materials=("Black", "Transparent", "Gray", "White"),
        features=("IPS Screen", "Dual Joysticks", "Wi-Fi Play", "Fast Charging"),
        sizes=("64 GB", "128 GB", "256 GB"),
    ),
    Line(
        level=0.88,
        products=(
            "Racing Wheel and Pedal Set",
            "Force-Feedback Racing Wheel",
            "Truck Simulator Wheel",
            "Racing Wheel Shifter Kit",
        ),
        materials=("Black", "Carbon-Look", "Leather-Grip", "Red-Stitched"),
        features=("PC Compatible", "Clamp Mount", "Metal Paddles", "Tunable Feel"),
        sizes=("270 Degrees", "900 Degrees"),
    ),
    Line(
        level=0.95,
        products=("VR Gaming Headset", "Wireless VR Headset", "7-Inch Gaming Handheld", "Streaming Gaming Handheld"),
        materials=("White", "Black", "Graphite", "Silver"),
        features=("Wi-Fi 6", "Fast Charging", "Carry Case", "Two-Year Warranty", "Active Cooling", "90 Hz Display"),
        sizes=("128 GB", "256 GB"),
    ),
)

GAMING = Vocabulary(category="Gaming & Accessories", brands=_BRANDS, lines=_LINES)
