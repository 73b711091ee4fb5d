"""Listings of Cleaning & Hygiene, from soap bars to laundry value packs."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary

_BRANDS = (
    "Jieyuan",
    "Ruibai",
    "Youjie",
    "Baijing",
    "Lehui",
    "Qingwo",
    "Freshlu",
    "Purelin",
    "Meijing",
    "Suxin",
    "Bubblow",
    "Cleanora",
    "Yijia",
    "Whitmoor",
    "Lvbao",
)

_LINES = (
    Line(
        level=0.05,
        products=("Bath Soap Bar", "Laundry Soap Bar", "Hand Wash Soap", "Travel Soap Bar"),
        materials=("Coconut Oil", "Camphor", "Lavender", "Sea Salt", "Olive Oil"),
        features=("Gentle Formula", "Rich Lather", "Long-Lasting Scent", "Handmade Style"),
        sizes=("90 g", "100 g", "120 g", "150 g"),
    ),
    Line(
        level=0.14,
        products=("Pocket Tissues", "Facial Tissues", "Dinner Napkins", "Paper Hand Towels"),
        materials=("Bamboo Pulp", "Virgin Pulp", "3-Ply", "4-Ply", "Soft Embossed"),
        features=("Unscented", "Wet-Strength", "Lint-Free", "Skin-Friendly"),
        sizes=("4 Packs", "6 Packs", "8 Packs", "10 Packs"),
    ),
    Line(
        level=0.23,
        products=("Liquid Hand Soap", "Foaming Hand Wash", "Hand Sanitizer Gel", "Mild Hand Wash"),
        materials=("Aloe", "Lemon", "Cherry Blossom", "Green Tea", "Chamomile"),
        features=("Pump Bottle", "Moisturizing", "Skin-Friendly", "Light Scent"),
        sizes=("250 ml", "300 ml", "400 ml", "500 ml"),
    ),
    Line(
        level=0.32,
        products=(
            "Wet Wipes",
            "Disinfecting Wipes",
            "Kitchen Cleaning Wipes",
            "Toilet Wet Wipes",
            "Shoe Cleaning Wipes",
        ),
        materials=("Thick", "Non-Woven", "Cotton-Feel", "Extra-Large", "Embossed"),
        features=("Flip-Top Lid", "Alcohol-Free", "Fragrance-Free", "Stays Moist"),
        sizes=("60 Count", "80 Count", "100 Count", "120 Count"),
    ),
    Line(
        level=0.41,
        products=("Dishwashing Liquid", "Fruit and Dish Wash", "Bottle Wash Liquid", "Concentrated Dish Soap"),
        materials=("Lemon", "Ginger", "Grapefruit", "Green Tea", "Sea Salt"),
        features=("Cuts Grease", "Gentle on Hands", "Food-Safe Formula", "Low Foam"),
        sizes=("500 g", "800 g", "1 kg", "1.2 kg"),
    ),
    Line(
        level=0.5,
        products=(
            "Toilet Bowl Cleaner",
            "Kitchen Degreaser Spray",
            "Glass Cleaner Spray",
            "Mold Remover Spray",
            "Limescale Remover Spray",
        ),
        materials=("Concentrated", "Foaming", "Citrus", "Fresh Pine", "Fast-Acting"),
        features=("Easy-Grip Bottle", "No Residue", "Quick Rinse", "Deep Clean"),
        sizes=("500 ml", "600 ml", "750 ml", "Pack of 2"),
    ),
    Line(
        level=0.59,
        products=("Fluoride Toothpaste", "Whitening Toothpaste", "Gum Care Toothpaste", "Enamel Care Toothpaste"),
        materials=("Mint", "Salt-Fresh", "Charcoal", "Tea", "Herbal"),
        features=("Fresh Breath", "For Adults", "Low Foam", "Travel Friendly"),
        sizes=("Pack of 2", "Pack of 3", "Pack of 4", "Pack of 5"),
    ),
    Line(
        level=0.68,
        products=("Daily Shampoo", "Perfumed Body Wash", "Smooth Conditioner", "Shower Cream", "Scalp Care Shampoo"),
        materials=("Amino Acid", "Ginger", "Oat", "Camellia", "Cherry Blossom"),
        features=("Gentle Formula", "Refreshing", "Moisturizing", "Lasting Fragrance"),
        sizes=("400 ml", "500 ml", "650 ml", "750 ml"),
    ),
    Line(
        level=0.77,
        products=("Day Sanitary Pads", "Night Sanitary Pads", "Panty Liners", "Mixed Sanitary Pads"),
        materials=("Cotton", "Ultra-Thin", "Breathable", "Silk-Soft", "Organic Cotton"),
        features=("Leak Guard", "Individually Wrapped", "Fragrance-Free", "Quick Absorb"),
        sizes=("24 Pieces", "32 Pieces", "40 Pieces", "48 Pieces"),
    ),
    Line(
        level=0.86,
        products=(
            "Laundry Pods",
            "Laundry Detergent Beads",
            "Color-Care Laundry Pods",
            "Stain Remover Pods",
            "Laundry Capsules",
        ),
        materials=("3-in-1", "Concentrated", "Floral", "Ocean-Fresh", "Enzyme"),
        features=("Resealable Tub", "Quick Dissolve", "Deep Clean", "Low Suds"),
        sizes=("40 Pieces", "52 Pieces", "60 Pieces", "80 Pieces"),
    ),
    Line(
        level=0.95,
        products=(
            "Liquid Laundry Detergent",
            "Fabric Softener",
            "Wool and Silk Wash",
            "Baby-Safe Laundry Liquid",
            "Underwear Wash Liquid",
        ),
        materials=("Lavender", "Perfumed", "Plant-Based", "Fresh Linen", "Camellia"),
        features=("Gentle Formula", "Easy Rinse", "Lasting Fragrance", "Bottle and Refill"),
        sizes=("2 kg", "3 kg", "4 kg", "5 kg"),
    ),
)

CLEANING = Vocabulary(category="Cleaning & Hygiene", brands=_BRANDS, lines=_LINES)
