"""Listings of Medical Devices, from bandages to handheld heart monitors."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary

_BRANDS = (
    "Anrui",
    "Kangwen",
    "Zhenkang",
    "Caremoor",
    "Heyi",
    "Medisong",
    "Ruijian",
    "Yiheng",
    "Vitalune",
    "Anxinlo",
    "Jiankeda",
    "Pulsewin",
    "Wellmoor",
    "Ningkang",
)

_LINES = (
    Line(
        level=0.05,
        products=("Adhesive Bandages", "Gauze Pads", "Finger Bandages", "Wound Dressing Pads", "Eye Dressing Pads"),
        materials=("Breathable", "Non-Woven", "Cotton", "Waterproof", "Hypoallergenic"),
        features=("Individually Sealed", "Sterile", "First Aid Use", "Family Use"),
        sizes=("Pack of 6", "Pack of 10", "Pack of 12", "Pack of 20"),
    ),
    Line(
        level=0.13,
        products=("Surgical Face Mask", "Medical Protective Mask", "Kids' Surgical Mask", "Earloop Procedure Mask"),
        materials=("3-Ply", "4-Ply", "Melt-Blown", "Non-Woven", "Breathable"),
        features=("Individually Packed", "Sterile", "Nose Clip", "Flat Fold", "Soft Earloops"),
        sizes=("20 Pieces", "30 Pieces", "50 Pieces", "100 Pieces"),
    ),
    Line(
        level=0.21,
        products=("Digital Thermometer", "Soft-Tip Thermometer", "Oral Thermometer", "Underarm Thermometer"),
        materials=("Flexible", "Waterproof", "Mercury-Free", "Quick-Read", "Clear-Display"),
        features=("Fever Alarm", "Memory Recall", "With Case", "Beep Alert", "30-Second Reading"),
        sizes=("White", "Blue", "Pink", "Green"),
    ),
    Line(
        level=0.29,
        products=("Hot and Cold Compress", "Knee Gel Wrap", "Ankle Gel Wrap", "Shoulder Gel Wrap"),
        materials=("Soft", "Plush-Backed", "Nylon", "Leak-Proof", "Reusable"),
        features=("With Strap", "Microwave Safe", "Freezer Safe", "With Cover"),
        sizes=("Small", "Medium", "Large", "Twin Pack"),
    ),
    Line(
        level=0.37,
        products=("Knee Support Brace", "Wrist Splint", "Elbow Support", "Ankle Stabilizer Brace", "Thumb Splint"),
        materials=("Neoprene", "Breathable", "Elastic", "Aluminum-Stay", "Adjustable"),
        features=("Left or Right Fit", "Hook-and-Loop", "Day and Night Wear", "Unisex"),
        sizes=("Size S", "Size M", "Size L", "Size XL"),
    ),
    Line(
        level=0.45,
        products=("Lumbar Support Belt", "Cervical Collar", "Posture Support Belt", "Arm Sling", "Abdominal Binder"),
        materials=("Breathable", "Mesh", "Elastic", "Padded", "Cotton-Lined"),
        features=("Adjustable", "Light Hold", "Firm Hold", "Washable"),
        sizes=("Size S", "Size M", "Size L", "Size XL"),
    ),
    Line(
        level=0.52,
        products=("Forehead Thermometer", "Ear Thermometer", "Infrared Thermometer", "Forehead and Ear Thermometer"),
        materials=("Non-Contact", "Digital", "Infant-Safe", "Dual-Mode", "Compact"),
        features=("Backlit Display", "Fever Alarm", "1-Second Reading", "30 Memories", "Silent Mode"),
        sizes=("White", "Blue", "Green", "Pink"),
    ),
    Line(
        level=0.59,
        products=(
            "Fingertip Pulse Oximeter",
            "Alarm Pulse Oximeter",
            "Sleep Pulse Oximeter",
            "Pediatric Pulse Oximeter",
        ),
        materials=("OLED", "TFT-Screen", "Rechargeable", "Compact", "Bluetooth"),
        features=("Rotating Display", "With Lanyard", "With Pouch", "Low Battery Alert", "Perfusion Index"),
        sizes=("White", "Blue", "Black", "Gray"),
    ),
    Line(
        level=0.67,
        products=("Arm Blood Pressure Monitor", "Wrist Blood Pressure Monitor", "Home Blood Pressure Monitor"),
        materials=("Digital", "Voice", "Bluetooth", "Backlit", "Rechargeable"),
        features=("Two Users", "Beat Alert", "99 Memories", "120 Memories", "With Case", "USB-C Power"),
        sizes=("White", "Black", "Blue", "Gray"),
    ),
    Line(
        level=0.75,
        products=("Blood Glucose Meter Kit", "Uric Acid Meter Kit", "Glucose and Urate Meter", "Cholesterol Meter Kit"),
        materials=("No-Coding", "Voice", "Bluetooth", "Home-Use", "Large-Screen"),
        features=("With Lancing Pen", "5-Second Reading", "500 Memories", "With Carry Case"),
        sizes=("25 Strips", "50 Strips", "75 Strips", "100 Strips"),
    ),
    Line(
        level=0.83,
        products=("Mesh Nebulizer", "Compressor Nebulizer", "Handheld Nebulizer", "Kids' Nebulizer"),
        materials=("Quiet", "Portable", "Rechargeable", "Low-Residue", "Compact"),
        features=("Adult and Child Masks", "USB-C Powered", "Adjustable Mist", "With Mouthpiece", "With Pouch"),
        sizes=("White", "Blue", "Green", "Pink"),
    ),
    Line(
        level=0.89,
        products=(
            "TENS Therapy Unit",
            "Low-Frequency Pulse Stimulator",
            "Pulse Massage Therapy Unit",
            "EMS Muscle Stimulator",
        ),
        materials=("Rechargeable", "Two-Channel", "Home-Use", "LCD", "Portable"),
        features=("8 Modes", "12 Modes", "20 Levels", "With Accessories", "Auto Timer"),
        sizes=("White", "Gray", "Blue", "Black"),
    ),
    Line(
        level=0.95,
        products=(
            "Digital Hearing Aid",
            "Behind-Ear Hearing Aid",
            "Handheld ECG Monitor",
            "In-Ear Hearing Aid",
            "Wearable Heart Monitor",
        ),
        materials=("Rechargeable", "Bluetooth", "Lightweight", "Discreet", "Smart"),
        features=("With Charging Case", "App Support", "Adjustable Settings", "Long Battery Life"),
        sizes=("Beige", "White", "Gray", "Black"),
    ),
)

MEDICAL = Vocabulary(category="Medical Devices", brands=_BRANDS, lines=_LINES)
