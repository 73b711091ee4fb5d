"""Listings of Lifestyle Accessories, from key rings to dress watches."""

from ecbench.world.generate.vocabulary.model import Line, Vocabulary

_BRANDS = (
    "Yushan",
    "Xiyue",
    "Mofane",
    "Lingjing",
    "Daylune",
    "Oakrin",
    "Shiguang",
    "Penghe",
    "Rainlo",
    "Zhiyu",
    "Verdano",
    "Kehua",
    "Halswick",
    "Muchen",
    "Tidelo",
)

_LINES = (
    Line(
        level=0.05,
        products=("Key Ring", "Key Organizer", "Luggage Tag", "Bag Charm Keychain"),
        materials=("Leather", "Zinc Alloy", "Stainless Steel", "Wooden", "Enamel"),
        features=("Gift Boxed", "Engravable", "Retro Style", "Business Style"),
        sizes=("Black", "Brown", "Silver", "Red", "Navy"),
    ),
    Line(
        level=0.14,
        products=("Folding Umbrella", "Capsule Umbrella", "Long-Handle Umbrella", "Sun Parasol", "Reverse Umbrella"),
        materials=("Windproof", "Vinyl-Coated", "Black-Coated", "Double-Layer", "Fiberglass"),
        features=("UV Blocking", "Auto Open", "8 Ribs", "10 Ribs"),
        sizes=("Black", "Navy", "Sky Blue", "Pink", "Gray"),
    ),
    Line(
        level=0.23,
        products=(
            "Classic Reading Glasses",
            "Blue-Light Reading Glasses",
            "Folding Reading Glasses",
            "Bifocal Reading Glasses",
        ),
        materials=("TR90", "Acetate", "Metal-Frame", "Rimless", "Flexible"),
        features=("With Case", "Anti-Scratch", "Spring Hinge", "Unisex"),
        sizes=("+1.00", "+1.50", "+2.00", "+2.50"),
    ),
    Line(
        level=0.32,
        products=("Vacuum Flask", "Travel Tumbler", "Tea Infuser Bottle", "Straw Tumbler", "Office Thermos Cup"),
        materials=("Stainless Steel", "Ceramic-Lined", "Titanium-Lined", "Double-Wall"),
        features=("Leak-Proof", "With Cup Sleeve", "Temperature Display", "Hot and Cold"),
        sizes=("350 ml", "450 ml", "500 ml", "750 ml"),
    ),
    Line(
        level=0.41,
        products=(
            "Aviator Sunglasses",
            "Cat-Eye Sunglasses",
            "Square Sunglasses",
            "Round Sunglasses",
            "Driving Sunglasses",
        ),
        materials=("Polarized", "TR90", "Metal-Frame", "Acetate", "Gradient-Lens"),
        features=("UV400", "With Case", "Lightweight", "Unisex"),
        sizes=("Black", "Tea Brown", "Gray", "Green"),
    ),
    Line(
        level=0.46,
        products=("Windproof Lighter", "Table Lighter", "Cigarette Case", "Plasma Arc Lighter", "Cigar Cutter"),
        materials=("Zinc Alloy", "Brass", "Stainless Steel", "Brushed Metal"),
        features=("Gift Boxed", "Engraved Pattern", "Retro Style", "Polished Body"),
        sizes=("Black", "Bronze", "Silver", "Gold", "Gunmetal"),
    ),
    Line(
        level=0.53,
        products=("Reed Diffuser", "Incense Stick Set", "Aroma Stone Set", "Room Fragrance Spray", "Incense Coil Set"),
        materials=("Sandalwood", "Cedar", "Osmanthus", "White Tea", "Agarwood"),
        features=("Gift Boxed", "Long-Lasting", "Zen Style", "Hotel Style"),
        sizes=("Standard Size", "Large Size", "Twin Pack", "With Refill"),
    ),
    Line(
        level=0.63,
        products=(
            "Optical Eyeglass Frame",
            "Half-Rim Eyeglass Frame",
            "Business Eyeglass Frame",
            "Wide Eyeglass Frame",
        ),
        materials=("Pure Titanium", "Acetate", "TR90", "Alloy", "Beta Titanium"),
        features=("Lightweight", "With Case and Cloth", "Spring Hinge", "Soft Nose Pads"),
        sizes=("Black", "Gold", "Silver", "Tortoise", "Gunmetal"),
    ),
    Line(
        level=0.74,
        products=(
            "Ladies Bracelet Watch",
            "Minimalist Quartz Watch",
            "Student Quartz Watch",
            "Couple Quartz Watch",
            "Roman Dial Watch",
        ),
        materials=("Stainless Steel", "Leather-Strap", "Mesh-Strap", "Alloy"),
        features=("Water-Resistant", "Luminous Hands", "Date Display", "Gift Boxed"),
        sizes=("Black", "Silver", "Rose Gold", "Blue", "White"),
    ),
    Line(
        level=0.84,
        products=(
            "Jewelry Storage Case",
            "Watch Storage Box",
            "Watch Winder Box",
            "Jewelry Trunk",
            "Cufflink Storage Box",
        ),
        materials=("PU Leather", "Walnut", "Velvet-Lined", "Carbon-Look", "Lacquered"),
        features=("Glass Lid", "Lock and Key", "Magnetic Closure", "Double Layer"),
        sizes=("Black", "Brown", "Green", "Red", "White"),
    ),
    Line(
        level=0.95,
        products=(
            "Automatic Mechanical Watch",
            "Skeleton Watch",
            "Chronograph Watch",
            "Moon Phase Watch",
            "Diver Style Watch",
        ),
        materials=("Stainless Steel", "Leather-Strap", "Tungsten Steel", "Sapphire-Glass"),
        features=("50 m Waterproof", "100 m Waterproof", "Luminous Hands", "Gift Boxed", "Spare Strap"),
        sizes=("Black", "Blue", "Green", "White", "Gold"),
    ),
)

LIFESTYLE = Vocabulary(category="Lifestyle Accessories", brands=_BRANDS, lines=_LINES)
