"""Listings of Stationery & Office Supplies, from erasers to fountain pen sets."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary

_BRANDS = (
    "Mingzhi",
    "Pinxue",
    "Notelan",
    "Shujing",
    "Qianbi",
    "Papira",
    "Inkoro",
    "Xueyu",
    "Wenfang",
    "Penlow",
    "Zishan",
    "Bookhale",
    "Huaben",
    "Lineset",
    "Moxiang",
)

_LINES = (
    Line(
        level=0.05,
        products=("Pencil Eraser", "Pencil Sharpener", "Plastic Ruler", "Correction Tape", "Glue Stick"),
        materials=("Jelly Color", "Cartoon", "Pastel", "Clear", "Classic"),
        features=("School Use", "Exam Use", "Office Use", "Home Use"),
        sizes=("Single Piece", "Pack of 2", "Pack of 3", "Pack of 4"),
    ),
    Line(
        level=0.14,
        products=("Gel Pen", "Ballpoint Pen", "Quick-Dry Gel Pen", "Retractable Pen", "Erasable Gel Pen"),
        materials=("Smooth-Write", "Soft-Grip", "Slim", "Metal-Clip", "Matte"),
        features=("Black Ink", "Blue Ink", "Red Ink", "Dark Blue Ink"),
        sizes=("0.35 mm", "0.38 mm", "0.5 mm", "0.7 mm"),
    ),
    Line(
        level=0.23,
        products=("Sticky Notes", "Index Tabs", "Page Flags", "Sticky Memo Pad"),
        materials=("Pastel", "Transparent", "Kraft", "Neon", "Grid-Print"),
        features=("Strong Hold", "100 Sheets", "200 Sheets", "Easy Peel"),
        sizes=("Small", "Medium", "Large", "Mixed Sizes"),
    ),
    Line(
        level=0.32,
        products=("Plain Notebook", "Spiral Notebook", "Composition Book", "Grid Notebook", "Dot-Grid Notebook"),
        materials=("Kraft", "PP-Cover", "Linen-Cover", "Thick-Paper", "Recycled"),
        features=("60 Sheets", "80 Sheets", "100 Sheets", "120 Sheets"),
        sizes=("A5", "B5", "16K", "A4"),
    ),
    Line(
        level=0.41,
        products=("Expanding File", "Display Book", "Project Folder", "Accordion Folder"),
        materials=("PP", "Frosted", "Waterproof", "Fabric-Trim"),
        features=("12 Pockets", "13 Pockets", "20 Pockets", "24 Pockets", "With Label Slots"),
        sizes=("A4 Blue", "A4 Gray", "A4 Pink", "A4 Green", "A4 Black"),
    ),
    Line(
        level=0.5,
        products=("Highlighter Set", "Fineliner Set", "Dual-Tip Marker Set", "Brush Pen Set"),
        materials=("Pastel", "Vintage", "Quick-Dry", "Low-Odor", "Bright"),
        features=("Student Pack", "Journal Use", "With Pen Case", "Smooth Flow"),
        sizes=("6 Colors", "8 Colors", "12 Colors", "24 Colors"),
    ),
    Line(
        level=0.58,
        products=("Desktop Stapler", "Two-Hole Punch", "Staple-Free Stapler", "One-Hole Punch"),
        materials=("Metal", "Soft-Grip", "Labor-Saving", "Mini"),
        features=("Non-Slip Base", "Up to 8 Sheets", "Up to 12 Sheets", "Home and Office"),
        sizes=("Blue", "White", "Black", "Pink", "Mint"),
    ),
    Line(
        level=0.66,
        products=("Desk Organizer", "Pen Holder", "File Rack", "Document Tray", "Magazine Holder"),
        materials=("Acrylic", "Metal Mesh", "Bamboo", "ABS", "Wooden"),
        features=("3 Compartments", "4 Compartments", "Stackable", "Non-Slip Base"),
        sizes=("White", "Black", "Gray", "Brown"),
    ),
    Line(
        level=0.74,
        products=("Double-Deck Pencil Case", "Large Pencil Pouch", "Stand-Up Pen Pouch", "Roll-Up Pen Wrap"),
        materials=("Canvas", "Corduroy", "Waterproof", "PU Leather", "Nylon"),
        features=("Multi-Pocket", "Wide Opening", "High Capacity", "Student Style"),
        sizes=("Blue", "Black", "Beige", "Green", "Pink"),
    ),
    Line(
        level=0.82,
        products=("Copy Paper Pack", "Photo Paper Pack", "Card Stock Pack", "Drawing Paper Pack"),
        materials=("Thick", "Acid-Free", "Bright White", "Smooth"),
        features=("100 Sheets", "200 Sheets", "300 Sheets", "500 Sheets"),
        sizes=("A5", "B5", "A4", "A3"),
    ),
    Line(
        level=0.89,
        products=("Hardcover Journal", "Weekly Planner", "Loose-Leaf Binder", "Lockable Diary", "Business Notebook"),
        materials=("PU Leather", "Linen", "Velvet", "Vintage", "Soft-Touch"),
        features=("With Pen Loop", "Lay-Flat", "Ribbon Bookmark", "Elastic Band"),
        sizes=("Pocket Size", "A6", "A5", "B5"),
    ),
    Line(
        level=0.95,
        products=(
            "Classic Fountain Pen",
            "Fountain Pen and Ink Set",
            "Business Signing Pen",
            "Calligraphy Fountain Pen",
            "Executive Rollerball Pen",
        ),
        materials=("Brass", "Lacquered", "Resin", "Wooden", "Matte Metal", "Carbon-Fiber"),
        features=("Gift Boxed", "With Spare Refill", "Smooth Writing", "Engravable"),
        sizes=("Extra Fine", "Fine", "Medium"),
    ),
)

STATIONERY = Vocabulary(category="Stationery & Office Supplies", brands=_BRANDS, lines=_LINES)
