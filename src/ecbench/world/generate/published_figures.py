"""The published figures of the marketplace: store types and categories.

The default world uses them as they are; a fresh world deals those that are hidden from merchants to other trades.
"""

from ecbench.world.generate.vocabulary import RETURN_NOTES
from ecbench.world.model import Category, Elasticity, Size, StoreType

LIN: Elasticity = "linear"
EXP: Elasticity = "exponential"
CES: Elasticity = "constant_elasticity"
QUAD: Elasticity = "quadratic"

# id, name, tier, capacity, demand scale, and what `store_worth.worth` finds on the default world, in yuan a day
_STORE_TYPE_TABLE = (
    ("appliance_digital", "Appliance & Digital", 2, 13.959, 0.6, 35_141),
    ("fashion", "Fashion", 2, 224.37, 4.0, 10_117),
    ("shoes_bags", "Shoes & Bags", 2, 127.2, 0.2, 9_640),
    ("food_beverage", "Food & Beverage", 1, 658.56, 9.0, 13_116),
    ("beauty", "Beauty", 3, 21.78, 1.5, 32_446),
    ("sports_outdoor", "Sports & Outdoor", 3, 41.16, 1.5, 8_456),
    ("mother_baby", "Mother & Baby", 2, 44.0154, 0.8, 5_888),
    ("home_living", "Home & Living", 1, 4218.18, 6.0, 157_299),
    ("daily_office", "Daily & Office", 1, 1345.8, 4.0, 58_396),
    ("pet", "Pet Supplies", 3, 91.2, 0.75, 6_518),
    ("auto_hardware", "Auto & Hardware", 1, 19862.16, 4.0, 92_214),
    ("toys_entertainment", "Toys & Entertainment", 3, 23.28, 1.5, 11_470),
)

SEASONALITY = {
    "appliance_digital": (1.0, 0.9, 1.0, 1.0, 1.0, 1.3, 0.9, 1.0, 1.0, 1.0, 1.4, 1.1),
    "fashion": (0.75, 0.7, 1.0, 0.95, 0.85, 1.0, 0.8, 0.8, 0.95, 0.85, 1.55, 0.85),
    "shoes_bags": (0.9, 0.8, 1.1, 1.1, 1.0, 1.2, 0.9, 0.9, 1.0, 1.0, 1.4, 1.0),
    "food_beverage": (1.3, 1.6, 1.0, 0.9, 0.9, 0.8, 1.1, 1.1, 1.3, 0.9, 0.6, 1.5),
    "beauty": (1.0, 1.0, 1.3, 1.0, 1.0, 1.2, 1.0, 1.0, 1.0, 1.0, 1.3, 1.0),
    "sports_outdoor": (0.8, 0.8, 1.0, 1.2, 1.3, 1.2, 1.3, 1.2, 1.0, 1.0, 1.0, 0.8),
    "mother_baby": (1.0, 1.0, 1.0, 1.0, 1.1, 1.2, 1.0, 1.0, 1.1, 1.0, 1.2, 1.0),
    "home_living": (1.0, 0.9, 1.1, 1.1, 1.0, 1.2, 1.0, 1.0, 1.0, 1.0, 1.3, 1.0),
    "daily_office": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.1, 1.2, 1.0, 1.0, 1.0),
    "pet": (1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.1, 1.0),
    "auto_hardware": (1.0, 0.9, 1.1, 1.1, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.1, 1.0),
    "toys_entertainment": (1.2, 1.0, 1.0, 1.0, 1.1, 1.2, 1.1, 1.0, 1.0, 1.0, 1.7, 1.3),
}

_Row = tuple[str, Size, int, int, int, int, float, float, Elasticity, float, float, float]

# name, parcel size, price band, monthly sales band, return band,
# elasticity family and parameter, floor, scam cap
_CATEGORY_TABLE: dict[str, tuple[_Row, ...]] = {
    "appliance_digital": (
        ("Major Appliances", "XLarge", 500, 2500, 100, 500, 0.1, 0.2, QUAD, 5.212, 0.72, 0.5),
        ("Small Appliances", "Large", 50, 600, 500, 1000, 0.03, 0.1, EXP, 2.583, 0.55, 0.7),
        ("Audio & Video Electronics", "Large", 100, 1500, 1000, 3000, 0.0, 0.03, CES, 1.631, 0.65, 0.72),
        ("Smartphones", "Small", 300, 3000, 1000, 3000, 0.0, 0.03, LIN, 3.949, 0.68, 0.75),
        ("Laptops", "Medium", 800, 5000, 1000, 3000, 0.0, 0.03, QUAD, 4.129, 0.7, 0.78),
        ("Computer Hardware & Peripherals", "Medium", 30, 800, 1000, 3000, 0.03, 0.1, EXP, 3.598, 0.45, 0.6),
        ("3C Digital Accessories", "Small", 5, 150, 1000, 3000, 0.1, 0.2, QUAD, 5.779, 0.4, 0.55),
        ("Storage Devices", "Small", 20, 400, 50, 100, 0.0, 0.03, QUAD, 3.839, 0.55, 0.7),
        ("Networking Equipment", "Medium", 30, 500, 1000, 3000, 0.03, 0.1, CES, 2.746, 0.5, 0.65),
    ),
    "fashion": (
        ("Women's Fashion", "Medium", 30, 300, 100, 500, 0.4, 0.55, QUAD, 5.74, 0.39, 0.44),
        ("Men's Clothing", "Medium", 30, 250, 50, 100, 0.4, 0.55, LIN, 2.428, 0.42, 0.46),
        ("Underwear & Loungewear", "Small", 15, 120, 500, 1000, 0.2, 0.4, QUAD, 5.368, 0.375, 0.425),
        ("Fashion Accessories", "Small", 10, 150, 500, 1000, 0.2, 0.4, LIN, 2.995, 0.385, 0.435),
        ("Sportswear & Casual", "Medium", 30, 250, 1000, 3000, 0.2, 0.4, LIN, 3.411, 0.385, 0.435),
    ),
    "shoes_bags": (
        ("Women's Shoes", "Medium", 40, 400, 1000, 3000, 0.4, 0.55, CES, 2.053, 0.45, 0.88),
        ("Men's Shoes", "Medium", 50, 400, 1500, 2500, 0.1, 0.2, QUAD, 4.633, 0.5, 0.88),
        ("Sneakers", "Medium", 80, 600, 1500, 2500, 0.2, 0.4, QUAD, 2.795, 0.84, 0.93),
        ("Bags & Luggage", "Large", 50, 1000, 500, 1000, 0.0, 0.03, CES, 2.891, 0.6, 0.9),
    ),
    "food_beverage": (
        ("Snacks & Nuts", "Small", 8, 60, 100, 500, 0.2, 0.35, LIN, 2.918, 0.572, 0.611),
        ("Groceries & Staples", "Small", 10, 80, 50, 100, 0.2, 0.35, EXP, 3.924, 0.566, 0.605),
        ("Coffee & Beverages", "Small", 10, 60, 50, 100, 0.2, 0.35, EXP, 4.257, 0.566, 0.605),
        ("Fresh Food & Meat", "Medium", 15, 120, 0, 50, 0.2, 0.35, LIN, 3.531, 0.559, 0.598),
        ("Alcoholic Beverages", "Medium", 20, 500, 50, 100, 0.2, 0.35, QUAD, 3.544, 0.546, 0.585),
        ("Health Supplements", "Small", 30, 200, 100, 500, 0.2, 0.35, QUAD, 2.974, 0.507, 0.552),
    ),
    "beauty": (
        ("Skincare & Beauty", "Small", 15, 400, 3000, 5000, 0.1, 0.2, EXP, 3.133, 0.3, 0.45),
        ("Beauty Devices", "Medium", 80, 1000, 1000, 3000, 0.03, 0.1, EXP, 4.73, 0.4, 0.55),
        ("Personal Care & Massage", "Medium", 30, 600, 1000, 3000, 0.0, 0.03, CES, 1.352, 0.45, 0.6),
    ),
    "sports_outdoor": (
        ("Sports & Fitness", "Medium", 15, 300, 100, 500, 0.03, 0.1, CES, 2.204, 0.17, 0.27),
        ("Sports Bags & Accessories", "Large", 30, 400, 1000, 3000, 0.1, 0.2, QUAD, 3.877, 0.19, 0.31),
        ("Outdoor & Camping", "Large", 20, 600, 50, 100, 0.0, 0.03, CES, 1.961, 0.17, 0.27),
    ),
    "mother_baby": (
        ("Children's Clothing", "Small", 15, 100, 100, 500, 0.03, 0.1, CES, 1.42, 0.4, 0.55),
        ("Children's Shoes", "Small", 20, 120, 500, 1000, 0.03, 0.1, QUAD, 3.241, 0.45, 0.6),
        ("Baby Products", "Medium", 15, 400, 1000, 3000, 0.0, 0.03, LIN, 2.629, 0.35, 0.5),
        ("Maternity Products", "Small", 20, 200, 50, 100, 0.03, 0.1, QUAD, 4.716, 0.5, 0.65),
        ("Toys & Educational", "Large", 15, 600, 1000, 3000, 0.1, 0.2, EXP, 4.687, 0.3, 0.45),
    ),
    "home_living": (
        ("Furniture", "Large", 100, 800, 50, 100, 0.2, 0.35, EXP, 4.944, 0.73, 0.88),
        ("Bedding", "Large", 30, 400, 100, 500, 0.2, 0.35, EXP, 4.023, 0.7, 0.85),
        ("Household Essentials", "Small", 3, 50, 0, 50, 0.2, 0.35, CES, 2.059, 0.74, 0.89),
        ("Storage & Organization", "Medium", 10, 100, 1000, 3000, 0.2, 0.35, CES, 2.898, 0.69, 0.84),
        ("Lighting", "Medium", 15, 500, 1000, 3000, 0.2, 0.35, CES, 2.507, 0.73, 0.88),
        ("Home Building Materials", "Large", 20, 400, 1000, 3000, 0.2, 0.35, CES, 2.612, 0.74, 0.89),
        ("Basic Construction Materials", "Medium", 10, 200, 1000, 3000, 0.2, 0.35, EXP, 3.889, 0.72, 0.87),
        ("Cleaning Tools", "Small", 5, 50, 0, 50, 0.2, 0.35, EXP, 3.419, 0.74, 0.89),
        ("Kitchenware", "Medium", 8, 200, 500, 1000, 0.2, 0.35, CES, 2.506, 0.67, 0.82),
    ),
    "daily_office": (
        ("Cleaning & Hygiene", "Small", 5, 60, 100, 500, 0.2, 0.35, LIN, 3.411, 0.566, 0.605),
        ("Gifts & Party Supplies", "Small", 5, 80, 0, 50, 0.2, 0.35, EXP, 3.392, 0.533, 0.585),
        ("Lifestyle Accessories", "Small", 20, 400, 100, 500, 0.2, 0.35, LIN, 2.891, 0.533, 0.585),
        ("Stationery & Office Supplies", "Small", 3, 80, 100, 500, 0.2, 0.35, EXP, 4.659, 0.52, 0.572),
        ("Office Equipment", "Large", 20, 600, 500, 1000, 0.2, 0.35, LIN, 3.896, 0.552, 0.598),
        ("Medical Devices", "Small", 10, 800, 100, 500, 0.2, 0.35, CES, 2.314, 0.533, 0.585),
    ),
    "pet": (("Pet Supplies", "Small", 8, 150, 300, 1500, 0.0, 0.03, QUAD, 4.556, 0.22, 0.28),),
    "auto_hardware": (
        ("Auto Accessories", "Medium", 10, 400, 100, 500, 0.0, 0.08, EXP, 4.942, 0.84, 0.92),
        ("Hardware & Tools", "Medium", 5, 200, 100, 500, 0.0, 0.08, CES, 2.35, 0.86, 0.93),
        ("Electrical Supplies", "Small", 3, 80, 1000, 3000, 0.0, 0.08, QUAD, 4.521, 0.88, 0.94),
        ("Electronic Components", "Small", 1, 50, 0, 50, 0.0, 0.08, CES, 2.219, 0.9, 0.95),
        ("E-Vehicles & Parts", "XLarge", 100, 1200, 100, 500, 0.0, 0.08, EXP, 4.812, 0.83, 0.9),
        ("Agricultural Supplies", "Large", 10, 400, 50, 100, 0.0, 0.08, LIN, 2.185, 0.85, 0.92),
        ("Industrial & Lab Supplies", "Medium", 10, 200, 0, 50, 0.0, 0.08, EXP, 4.229, 0.85, 0.92),
    ),
    "toys_entertainment": (
        ("Collectibles & Figures", "Small", 15, 500, 100, 500, 0.0, 0.03, CES, 1.777, 0.26, 0.4),
        ("Gaming & Accessories", "Small", 30, 1000, 50, 100, 0.03, 0.1, QUAD, 3.707, 0.31, 0.45),
    ),
}


def wholesale_ratio(floor_ratio: float) -> float:
    """Suppliers open midway between their floor and the reference price."""
    return round(0.5 + 0.5 * floor_ratio, 2)


def _category(store_type: str, row: _Row) -> Category:
    name, size, price_min, price_max, sales_min, sales_max, return_min, return_max, family, eta, floor, cap = row
    return Category(
        name=name,
        store_type=store_type,
        size=size,
        price_min=float(price_min),
        price_max=float(price_max),
        sales_min=float(sales_min),
        sales_max=float(sales_max),
        return_min=return_min,
        return_max=return_max,
        return_note=RETURN_NOTES[name],
        elasticity=family,
        eta=eta,
        wholesale_ratio=wholesale_ratio(floor),
        floor_ratio=floor,
        scam_cap_ratio=cap,
        price_range=f"{price_min}-{price_max}",
    )


CATEGORIES: dict[str, tuple[Category, ...]] = {
    store_type: tuple(_category(store_type, row) for row in rows) for store_type, rows in _CATEGORY_TABLE.items()
}
ALL_CATEGORIES = tuple(category for categories in CATEGORIES.values() for category in categories)
STORE_TYPES = tuple(
    StoreType(key, name, tier, capacity, demand_scale, SEASONALITY[key], tuple(c.name for c in CATEGORIES[key]))
    for key, name, tier, capacity, demand_scale, _ in _STORE_TYPE_TABLE
)
WORTH = {row[0]: row[-1] for row in _STORE_TYPE_TABLE}

# Twenty categories bring more returns than their published notes say; the paper gives their share of all goods.
UNDERSTATED_RETURNS = frozenset(
    category.name
    for category in ALL_CATEGORIES
    if category.store_type in ("food_beverage", "home_living", "daily_office") and category.name != "Furniture"
)
UNDERSTATED_SHARE = 0.255
MEDIAN_PRICE = 134.4  # of the goods in the release's sample
