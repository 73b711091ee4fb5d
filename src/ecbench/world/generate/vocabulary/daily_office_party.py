"""Listings of Gifts & Party Supplies, from greeting cards to boxed keepsakes."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary

_BRANDS = (
    "Xiyue",
    "Lehui",
    "Joyfen",
    "Qinghe",
    "Festara",
    "Caidai",
    "Ribbonet",
    "Hanxi",
    "Partylo",
    "Yuanmeng",
    "Balloway",
    "Xinyilo",
    "Merrilu",
    "Zhufu",
)

_LINES = (
    Line(
        level=0.05,
        products=("Greeting Card Set", "Thank-You Card Set", "Invitation Card Set", "Gift Tag Set", "Place Card Set"),
        materials=("Kraft", "Embossed", "Foil-Stamped", "Linen-Paper", "Pearl-Paper"),
        features=("Minimal Style", "Floral Print", "Hand-Drawn Style", "Gold Edge"),
        sizes=("6 Pieces", "8 Pieces", "10 Pieces", "12 Pieces"),
    ),
    Line(
        level=0.14,
        products=("Party Balloon Pack", "Birthday Balloon Pack", "Wedding Balloon Pack", "Heart Balloon Pack"),
        materials=("Latex", "Foil", "Pearl", "Chrome", "Pastel"),
        features=("With Ribbon", "With Hand Pump", "With Glue Dots", "Mixed Colors"),
        sizes=("10 Pieces", "20 Pieces", "30 Pieces", "50 Pieces"),
    ),
    Line(
        level=0.23,
        products=("Wrapping Paper Roll", "Gift Wrap Sheets", "Bouquet Wrap Sheets", "Tissue Wrap Sheets"),
        materials=("Kraft", "Glitter", "Waxed", "Matte", "Pearl"),
        features=("Polka Dot", "Plain Color", "Floral Print", "Snowflake Print", "Stripe"),
        sizes=("Pack of 2", "Pack of 5", "Pack of 10", "Pack of 20"),
    ),
    Line(
        level=0.32,
        products=("Letter Banner", "Bunting Flag Garland", "Tassel Garland", "Pennant String", "Wall Hanging Banner"),
        materials=("Felt", "Glitter Paper", "Cotton", "Foil", "Kraft"),
        features=("Birthday Theme", "Baby Shower Theme", "Graduation Theme", "New Year Theme"),
        sizes=("Red", "Rose Gold", "Blue", "Rainbow", "Green"),
    ),
    Line(
        level=0.41,
        products=(
            "Party Tableware Set",
            "Plate and Cup Set",
            "Dessert Cup Set",
            "Plate and Napkin Set",
            "Picnic Tableware Set",
        ),
        materials=("Paper", "Bamboo-Fiber", "Gold-Trim", "Pastel", "Compostable"),
        features=("Birthday Theme", "Garden Theme", "Wedding Theme", "Jungle Theme"),
        sizes=("For 6 Guests", "For 8 Guests", "For 10 Guests", "For 12 Guests"),
    ),
    Line(
        level=0.5,
        products=(
            "Magnetic Gift Box",
            "Drawer Gift Box",
            "Round Flower Box",
            "Nesting Gift Box Set",
            "Window Gift Box",
        ),
        materials=("Rigid Card", "Velvet", "Kraft", "Linen-Look", "Pearl"),
        features=("With Ribbon", "With Carry Bag", "Shredded Filling", "Gold Foil Edge"),
        sizes=("Red", "White", "Black", "Blush Pink", "Navy"),
    ),
    Line(
        level=0.59,
        products=("Party Crown and Sash", "Party Eye Mask", "Costume Cape", "Party Hat Set", "Costume Headband Set"),
        materials=("Glitter", "Felt", "Satin", "Sequin", "Velvet"),
        features=("Adult", "Kids", "Stage Show", "Halloween Theme"),
        sizes=("Gold", "Silver", "Pink", "Purple", "Red"),
    ),
    Line(
        level=0.68,
        products=(
            "Soap Flower Bouquet",
            "Preserved Flower Dome",
            "Dried Flower Bouquet",
            "Eternal Flower Box",
            "Knitted Flower Bouquet",
        ),
        materials=("Rose", "Lavender", "Peony", "Carnation", "Tulip"),
        features=("With Gift Bag", "With Greeting Card", "LED String Light", "Gift Boxed"),
        sizes=("Red", "Pink", "Blue", "Champagne", "Purple"),
    ),
    Line(
        level=0.77,
        products=(
            "Balloon Arch Kit",
            "Birthday Decoration Kit",
            "Proposal Decoration Kit",
            "Baby Shower Decor Kit",
            "Balloon Wall Kit",
        ),
        materials=("Chrome", "Macaron", "Pearl", "Rose Gold", "Retro"),
        features=("With String Lights", "With Pump", "Easy Setup", "Full Set"),
        sizes=("80 Pieces", "100 Pieces", "120 Pieces", "150 Pieces"),
    ),
    Line(
        level=0.86,
        products=(
            "Wind-Up Music Box",
            "Carousel Music Box",
            "Keepsake Photo Frame",
            "Night Light Ornament",
            "Desktop Keepsake",
        ),
        materials=("Walnut", "Resin", "Ceramic", "Beech Wood", "Acrylic"),
        features=("Gift Boxed", "Engraved Message", "With Greeting Card", "Hand Painted"),
        sizes=("Small", "Medium", "Large", "Couple Design"),
    ),
    Line(
        level=0.95,
        products=("Couple Mug Gift Set", "Tea Cup Gift Set", "Coffee Cup Gift Set", "Bowl and Spoon Gift Set"),
        materials=("Porcelain", "Bone China", "Stoneware", "Gold-Rim", "Glazed Ceramic"),
        features=("With Ribbon Box", "With Greeting Card", "Custom Name", "Wedding Style", "Festive Red"),
        sizes=("2 Pieces", "4 Pieces", "6 Pieces", "8 Pieces"),
    ),
)

PARTY = Vocabulary(category="Gifts & Party Supplies", brands=_BRANDS, lines=_LINES)
