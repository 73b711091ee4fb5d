"""Listings of Networking Equipment, from a patch cable to a mesh system."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary

_BRANDS = (
    "Wangqi",
    "Linkmoor",
    "Xianke",
    "Nodera",
    "Lianwei",
    "Yunlu",
    "Tensiv",
    "Qiaodian",
    "Meshford",
    "Xunlan",
    "Cableton",
    "Kuanlu",
    "Portlow",
    "Signaro",
    "Zhuoran",
)

_LINES = (
    Line(
        level=0.05,
        products=(
            "Cat6 Patch Cable",
            "Flat Ethernet Cable",
            "Cat6A Network Cable",
            "Cat7 Ethernet Cable",
            "Outdoor Ethernet Cable",
        ),
        materials=("Oxygen-Free Copper", "Shielded", "Pure Copper", "PVC-Jacket"),
        features=("Gold-Plated Plugs", "Gigabit", "Snagless Boot", "Low Loss", "PoE Ready"),
        sizes=("10 m", "15 m", "20 m", "30 m"),
    ),
    Line(
        level=0.1,
        products=("USB Wi-Fi Adapter", "Nano Wi-Fi Adapter", "High-Gain Wi-Fi Adapter", "Bluetooth and Wi-Fi Adapter"),
        materials=("Black", "White", "Dual-Band", "Driver-Free"),
        features=("5 dBi Antenna", "Soft AP Mode", "WPA3 Security", "USB 3.0", "Plug and Play"),
        sizes=("150 Mbps", "300 Mbps", "650 Mbps"),
    ),
    Line(
        level=0.16,
        products=(
            "Five-Port Desktop Switch",
            "Eight-Port Desktop Switch",
            "Compact Ethernet Switch",
            "Home Ethernet Switch",
        ),
        materials=("Metal", "Plastic", "Wall-Mount", "Black"),
        features=("Plug and Play", "Fanless", "Energy Saving", "LED Indicators", "Surge Protection"),
        sizes=("100 Mbps", "1000 Mbps"),
    ),
    Line(
        level=0.29,
        products=(
            "Wi-Fi Range Extender",
            "Plug-In Wi-Fi Repeater",
            "Wall-Socket Wi-Fi Booster",
            "Dual-Antenna Wi-Fi Extender",
        ),
        materials=("White", "Black", "Gray", "Silver"),
        features=("One-Key Pairing", "Signal Light", "Ethernet Port", "Access-Point Mode", "Universal Fit"),
        sizes=("300 Mbps", "750 Mbps", "1200 Mbps"),
    ),
    Line(
        level=0.36,
        products=(
            "Single-Band Home Router",
            "Four-Antenna Wi-Fi Router",
            "Small-Apartment Wi-Fi Router",
            "Mini Travel Router",
        ),
        materials=("White", "Black", "Gray", "Sky Blue"),
        features=("App Management", "Parental Control", "Guest Network", "WPS Button", "Timed Shut-Off"),
        sizes=("300 Mbps", "450 Mbps", "1200 Mbps"),
    ),
    Line(
        level=0.43,
        products=(
            "Fiber Media Converter",
            "Gigabit Media Converter",
            "SFP Optical Module",
            "Fiber-to-Copper Converter",
        ),
        materials=("Industrial", "Carrier-Grade", "Metal", "Long-Range"),
        features=("Plug and Play", "Surge Protection", "Wide Temperature", "Status LEDs", "Two-Piece Pair"),
        sizes=("3 km", "10 km", "20 km"),
    ),
    Line(
        level=0.5,
        products=(
            "Patch Panel",
            "Keystone Patch Panel",
            "Wall Network Cabinet",
            "Low-Voltage Wiring Box",
            "Fiber Distribution Box",
        ),
        materials=("Cold-Rolled Steel", "Metal", "Black", "White"),
        features=("Cable Tie Bar", "Screws Included", "Numbered Labels", "Rounded Edges", "Grounding Post"),
    ),
    Line(
        level=0.56,
        products=("PCIe Wi-Fi Card", "Tri-Band Wi-Fi Card", "Desktop Wireless Card", "Wi-Fi 6 Desktop Card"),
        materials=("Heatsink", "Low-Profile", "Black", "White"),
        features=("Magnetic Antenna Base", "Auto Driver", "Bluetooth 5.2", "Half-Height Bracket", "WPA3 Security"),
        sizes=("AX1800", "AX3000", "AX5400"),
    ),
    Line(
        level=0.63,
        products=("4G SIM Router", "Portable 4G Hotspot", "Vehicle 4G Router", "Industrial 4G Router", "USB 4G Dongle"),
        materials=("White", "Black", "Metal", "Gray"),
        features=("Nano SIM Slot", "Plug and Play", "Wide Coverage", "Multi-User Sharing", "Band Lock"),
        sizes=("150 Mbps", "300 Mbps"),
    ),
    Line(
        level=0.7,
        products=(
            "Gigabit Wi-Fi 6 Router",
            "Dual-Band Wi-Fi 6 Router",
            "Gaming-Optimized Wi-Fi Router",
            "Whole-Home Wi-Fi 6 Router",
        ),
        materials=("White", "Black", "Gray", "Matte Black"),
        features=("OFDMA", "Four Gigabit Ports", "Mesh Support", "Child-Safe Filter", "Five Amplifiers"),
        sizes=("AX1500", "AX1800", "AX3000"),
    ),
    Line(
        level=0.77,
        products=("PoE Switch", "Unmanaged PoE Switch", "Camera PoE Switch", "Long-Range PoE Switch"),
        materials=("Metal", "Rack-Mount", "Wall-Mount", "Fanless"),
        features=("65 W Budget", "96 W Budget", "VLAN Mode", "250 m Extend Mode", "Lightning Protection"),
        sizes=("5 Ports", "9 Ports", "10 Ports"),
    ),
    Line(
        level=0.84,
        products=("Ceiling Access Point", "Wall-Mount Access Point", "Outdoor Access Point", "Hotel-Room Access Point"),
        materials=("White", "PoE-Powered", "Gigabit", "Dual-Band"),
        features=("Central Control", "Seamless Roaming", "Easy Install", "64 Clients", "High-Gain Antenna"),
        sizes=("Single Unit", "Two-Piece Set"),
    ),
    Line(
        level=0.9,
        products=(
            "Managed Network Switch",
            "Rack-Mount Gigabit Switch",
            "2.5G Network Switch",
            "Layer-2 Managed Switch",
        ),
        materials=("Metal", "Fanless", "Enterprise", "Black"),
        features=("SFP Uplinks", "VLAN and QoS", "Loop Detection", "Web Management", "Three-Year Warranty"),
        sizes=("8 Ports", "16 Ports", "24 Ports"),
    ),
    Line(
        level=0.95,
        products=(
            "Mesh Wi-Fi System",
            "Tri-Band Mesh Router",
            "Wi-Fi 7 Router",
            "5G SIM Router",
            "Wi-Fi 7 Mesh Router",
        ),
        materials=("White", "Black", "Silver", "Matte Gray"),
        features=(
            "2.5G WAN Port",
            "Multi-Gigabit",
            "App Management",
            "Seamless Roaming",
            "160 MHz Channel",
            "USB Port",
        ),
    ),
)

NETWORKING = Vocabulary(category="Networking Equipment", brands=_BRANDS, lines=_LINES)
