"""The published year: ten events and eight promotions, with the news each event makes.

News tells which stores sell more or less and whether deliveries slow down, in words; it stays within the two
hundred characters that a notification carries.
"""

from ecbench.world.model import Event, Promotion

EVENTS = (
    Event(
        name="Winter Storm",
        start=(1, 15),
        days=4,
        demand={"food_beverage": 2.0, "home_living": 1.5, "fashion": 0.3, "sports_outdoor": 0.2},
        delay=2.5,
        delayed=None,
        news="Winter storm: families stock up on food and home goods, while clothing and outdoor gear "
        "barely move. Icy roads slow inbound deliveries of every kind.",
    ),
    Event(
        name="Factory Fire in Guangdong",
        start=(3, 1),
        days=7,
        demand={},
        delay=4.0,
        delayed=frozenset({"appliance_digital", "toys_entertainment"}),
        news="A fire has stopped an electronics and toy plant in Guangdong. New orders for appliances, "
        "digital goods, games and figures will arrive far later than usual.",
    ),
    Event(
        name="Flu Outbreak",
        start=(4, 10),
        days=7,
        demand={"daily_office": 2.5, "beauty": 1.5, "sports_outdoor": 0.4, "toys_entertainment": 0.5},
        delay=2.0,
        delayed=frozenset({"daily_office"}),
        news="Flu spreads: hygiene and daily goods sell fast but restock slowly, and beauty and personal "
        "care are up. Fewer shoppers look at sports, games and figures.",
    ),
    Event(
        name="Logistics Hub Shutdown",
        start=(5, 20),
        days=5,
        demand={},
        delay=5.0,
        delayed=None,
        news="A central freight hub has closed for emergency repairs. Shoppers buy as before, but new "
        "purchase orders in every trade face very long delivery delays.",
    ),
    Event(
        name="Summer Heatwave",
        start=(7, 5),
        days=7,
        demand={"appliance_digital": 3.0, "food_beverage": 2.0, "sports_outdoor": 0.3, "home_living": 0.5},
        delay=2.0,
        delayed=frozenset({"appliance_digital"}),
        news="Heatwave: cooling appliances and cold drinks are in great demand, and appliance deliveries "
        "lag. Outdoor gear is left on the shelf and home goods slow down.",
    ),
    Event(
        name="Celebrity Product Recall",
        start=(8, 20),
        days=5,
        demand={"beauty": 0.4, "fashion": 0.6},
        delay=1.0,
        delayed=frozenset(),
        news="A star's product line has been recalled and shoppers grow wary: beauty sales drop sharply "
        "and fashion softens. Deliveries run as normal.",
    ),
    Event(
        name="Typhoon Warning",
        start=(9, 15),
        days=3,
        demand={"food_beverage": 2.5, "daily_office": 2.0, "fashion": 0.2, "shoes_bags": 0.2},
        delay=3.0,
        delayed=None,
        news="Typhoon warning: a rush on food and daily necessities, while clothes, shoes and bags stand "
        "still. Ports and roads close, so deliveries of all goods run late.",
    ),
    Event(
        name="Economic Downturn News",
        start=(10, 5),
        days=7,
        demand={
            "appliance_digital": 0.5,
            "fashion": 0.6,
            "shoes_bags": 0.5,
            "food_beverage": 1.3,
            "daily_office": 1.2,
        },
        delay=1.0,
        delayed=frozenset(),
        news="Gloomy economic data: households put off electronics, clothes, shoes and bags, and spend a "
        "little more on food and daily goods. Deliveries are not affected.",
    ),
    Event(
        name="Raw Material Shortage",
        start=(11, 20),
        days=7,
        demand={},
        delay=3.0,
        delayed=frozenset({"appliance_digital", "home_living", "auto_hardware"}),
        news="Metals and resins run short. Makers of appliances and digital goods, home goods, and auto "
        "and hardware parts ship new orders late; demand is unchanged.",
    ),
    Event(
        name="Cold Wave",
        start=(12, 20),
        days=5,
        demand={"fashion": 2.0, "home_living": 2.5, "food_beverage": 0.4, "sports_outdoor": 0.3},
        delay=2.0,
        delayed=None,
        news="Cold wave: warm clothes and home goods sell briskly, food and drink orders fall, and "
        "outdoor gear is quiet. Frozen highways delay deliveries of all goods.",
    ),
)

PROMOTIONS = (
    Promotion("New Year Kickoff Sale", (((1, 1), (1, 7)),), 2.0, 1.5),
    Promotion("Winter Clearance Festival", (((1, 29), (2, 6)),), 1.8, 1.5),
    Promotion("Spring Blossom Sale", (((3, 4), (3, 8)),), 2.5, 1.8),
    Promotion("Midyear Mega Sale", (((5, 29), (5, 31)), ((6, 14), (6, 18))), 3.0, 2.0),
    Promotion("Summer Members Days", (((8, 6), (8, 8)),), 2.0, 1.5),
    Promotion("Autumn Harvest Sale", (((9, 2), (9, 9)),), 2.0, 1.5),
    Promotion("Grand Autumn Carnival", (((10, 15), (10, 16)), ((10, 20), (10, 21)), ((10, 31), (11, 14))), 3.5, 2.0),
    Promotion("Year-End Finale Sale", (((12, 8), (12, 14)),), 2.5, 1.8),
)
