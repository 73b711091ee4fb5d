"""Listings of Electronic Components, from resistors to development boards."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary

_BRANDS = (
    "Circuvo",
    "Jingxin",
    "Lingdian",
    "Voltan",
    "Chipmoor",
    "Lanpin",
    "Diodan",
    "Sigmalu",
    "Yuanqi",
    "Pinlux",
    "Zhixin",
    "Ohmera",
    "Semilan",
    "Banxin",
)

_LINES = (
    Line(
        level=0.05,
        products=("Carbon Film Resistor", "Metal Film Resistor", "Metal Oxide Resistor"),
        materials=("Through-Hole", "Low-Noise", "Precision", "Quarter-Watt", "Half-Watt"),
        features=("Pack of 10", "Pack of 20", "Pack of 50", "Pack of 100"),
        sizes=("100 Ohm", "220 Ohm", "470 Ohm", "1k Ohm", "4.7k Ohm", "10k Ohm", "100k Ohm"),
    ),
    Line(
        level=0.14,
        products=("Ceramic Capacitor", "Film Capacitor", "Monolithic Capacitor"),
        materials=("16 V", "25 V", "50 V", "100 V"),
        features=("Pack of 10", "Pack of 20", "Pack of 50", "Pack of 100"),
        sizes=("1 nF", "4.7 nF", "10 nF", "22 nF", "47 nF", "100 nF", "220 nF", "470 nF"),
    ),
    Line(
        level=0.23,
        products=("LED Diode", "Flat-Top LED Diode", "Diffused LED Diode", "Blinking LED Diode"),
        materials=("3 mm", "5 mm", "8 mm", "10 mm"),
        features=("Red", "Green", "Blue", "White", "Warm White", "Yellow"),
        sizes=("Pack of 10", "Pack of 20", "Pack of 50", "Pack of 100"),
    ),
    Line(
        level=0.32,
        products=("NPN Transistor", "PNP Transistor", "N-Channel MOSFET", "P-Channel MOSFET"),
        materials=("SOT-23", "SOT-89", "TO-92", "TO-220", "TO-252"),
        features=("General Purpose", "Fast Switching", "Low Power", "High Current"),
        sizes=("Pack of 5", "Pack of 10", "Pack of 20", "Pack of 50"),
    ),
    Line(
        level=0.41,
        products=("Pin Header Strip", "Female Header Strip", "Screw Terminal Block", "Wire-to-Board Connector"),
        materials=("2.54 mm", "Straight", "Right-Angle", "Gold-Plated", "PCB-Mount"),
        features=("Pack of 5", "Pack of 10", "Pack of 20", "Pack of 40"),
        sizes=("2-Pin", "3-Pin", "4-Pin", "6-Pin", "8-Pin"),
    ),
    Line(
        level=0.49,
        products=("Push Button Switch", "Toggle Switch", "Rocker Switch", "Metal Button Switch"),
        materials=("Panel-Mount", "Momentary", "Latching", "Waterproof", "Mini"),
        features=("2-Pin", "3-Pin", "4-Pin", "6-Pin", "With LED"),
        sizes=("Pack of 2", "Pack of 5", "Pack of 8", "Pack of 10"),
    ),
    Line(
        level=0.57,
        products=("Buck Converter Module", "Boost Converter Module", "Buck-Boost Module", "Voltage Regulator Module"),
        materials=("Adjustable", "Mini", "High-Efficiency", "Low-Ripple", "Compact"),
        features=("1 A", "2 A", "3 A", "5 A"),
        sizes=("3.3 V", "5 V", "9 V", "12 V"),
    ),
    Line(
        level=0.65,
        products=(
            "Temperature Sensor Module",
            "Ultrasonic Sensor Module",
            "Motion Sensor Module",
            "Light Sensor Module",
            "Gas Sensor Module",
        ),
        materials=("Digital", "Analog", "High-Precision", "Low-Power", "3-Pin"),
        features=("3.3 V", "5 V", "With Cable", "With Bracket"),
        sizes=("Single", "Pack of 2", "Pack of 3", "Pack of 5"),
    ),
    Line(
        level=0.73,
        products=("Relay Control Module", "Optocoupler Relay Module", "Solid State Relay Module", "Delay Relay Module"),
        materials=("Isolated", "Compact", "High-Level", "Low-Level", "Rail-Mount"),
        features=("5 V", "9 V", "12 V", "24 V"),
        sizes=("1 Channel", "2 Channel", "4 Channel", "8 Channel"),
    ),
    Line(
        level=0.81,
        products=("OLED Display Module", "LCD Display Module", "TFT Display Module", "E-Paper Display Module"),
        materials=("I2C", "SPI", "Wide-View", "High-Contrast", "Low-Power"),
        features=("3.3 V", "5 V", "With Header", "With Case"),
        sizes=("0.96 in", "1.3 in", "1.8 in", "2.4 in"),
    ),
    Line(
        level=0.89,
        products=(
            "Microcontroller Board",
            "Wireless Development Board",
            "Learning Development Board",
            "Mini Controller Board",
        ),
        materials=("8-Bit", "32-Bit", "Low-Power", "Compact", "Open-Source"),
        features=("With USB Cable", "With Headers", "Type-C Port", "With Case"),
        sizes=("16 MHz", "48 MHz", "80 MHz", "160 MHz"),
    ),
    Line(
        level=0.95,
        products=(
            "Electronics Starter Kit",
            "Sensor Starter Kit",
            "IoT Starter Kit",
            "Coding Lab Kit",
            "Breadboard Project Kit",
        ),
        materials=("Beginner", "Student", "Complete", "Classroom", "Deluxe"),
        features=("With Manual", "With Storage Box", "With Jumper Wires", "With USB Cable"),
        sizes=("120 Pieces", "200 Pieces", "300 Pieces", "400 Pieces"),
    ),
)

COMPONENTS = Vocabulary(category="Electronic Components", brands=_BRANDS, lines=_LINES)
