"""What can happen in a fresh year: which stores sell more or less, which deliveries slow, and what the news says.

As in the published calendar (tab:asymmetry), the news quotes the delay of an event that slows deliveries and nothing
else, and leaves it open if the event moves demand too. It never quotes how much demand moves.
"""

from typing import NamedTuple

EVERY_STORE_TYPE = None
NOBODY: frozenset[str] = frozenset()


class EventKind(NamedTuple):
    """A kind of event that fresh worlds draw from."""

    name: str
    months: tuple[int, ...]
    more: tuple[str, ...]
    less: tuple[str, ...]
    delayed: frozenset[str] | None
    news: str


EVENT_KINDS = (
    EventKind(
        "Blizzard on the Plains",
        (1, 2, 12),
        ("food_beverage", "home_living"),
        ("sports_outdoor", "shoes_bags"),
        EVERY_STORE_TYPE,
        "Blizzard, {window}: pantries and homes are stocked up; outdoor gear, shoes and bags wait. Snow on the "
        "highways: deliveries of every kind of goods are held up.",
    ),
    EventKind(
        "Freezing Rain",
        (1, 2, 12),
        ("fashion", "home_living"),
        ("sports_outdoor",),
        EVERY_STORE_TYPE,
        "Freezing rain, {window}: warm clothes and home goods are wanted, sport and outdoor gear is not. Trucks "
        "crawl: all inbound deliveries are late.",
    ),
    EventKind(
        "Sandstorm Season",
        (3, 4),
        ("daily_office", "beauty"),
        ("sports_outdoor", "fashion"),
        NOBODY,
        "Sandstorms, {window}: hygiene, daily goods and skin care sell well, clothes and outdoor gear poorly. "
        "Deliveries keep to their usual times.",
    ),
    EventKind(
        "Measles Scare",
        (3, 4, 5, 10, 11),
        ("daily_office",),
        ("mother_baby", "toys_entertainment"),
        frozenset({"daily_office"}),
        "Measles scare, {window}: hygiene and daily goods sell out, and new stock of them is slow to "
        "arrive. Parents put off baby goods, toys and games.",
    ),
    EventKind(
        "Chip Plant Outage",
        (2, 3, 4, 5, 6, 7, 8, 9),
        (),
        (),
        frozenset({"appliance_digital", "toys_entertainment"}),
        "A power fault halts a chip plant, {window}. Appliances, digital goods, games and figures ordered now "
        "take {delay} times as long to arrive; shoppers buy as before.",
    ),
    EventKind(
        "Dockworkers' Strike",
        (2, 3, 4, 5, 6, 8, 9, 10),
        (),
        (),
        EVERY_STORE_TYPE,
        "Dockworkers strike at the main ports, {window}. Purchase orders of every kind take {delay} times as long "
        "to arrive; demand is unchanged.",
    ),
    EventKind(
        "Sorting Center Flood",
        (5, 6, 7, 8),
        (),
        (),
        EVERY_STORE_TYPE,
        "Flood water closes a national sorting center, {window}. New stock of all kinds takes {delay} times as "
        "long to arrive; shoppers buy as usual.",
    ),
    EventKind(
        "Plum Rain Weeks",
        (6, 7),
        ("home_living", "appliance_digital"),
        ("sports_outdoor", "shoes_bags"),
        NOBODY,
        "Steady rain, {window}: home goods and appliances that keep a house dry sell fast; shoes, bags and "
        "outdoor gear do not. Deliveries are on time.",
    ),
    EventKind(
        "Record Hot Spell",
        (6, 7, 8),
        ("appliance_digital", "food_beverage"),
        ("fashion",),
        frozenset({"appliance_digital"}),
        "Record heat, {window}: cooling appliances and drinks are in demand, few try on clothes. Appliance makers "
        "cannot keep up: their deliveries fall behind.",
    ),
    EventKind(
        "Coastal Typhoon",
        (7, 8, 9),
        ("food_beverage", "daily_office"),
        ("fashion", "sports_outdoor"),
        EVERY_STORE_TYPE,
        "Typhoon off the coast, {window}: food and daily goods are bought in haste, clothes and outdoor gear are "
        "not. Roads close: deliveries of all goods are late.",
    ),
    EventKind(
        "Camping Craze",
        (4, 5, 9, 10),
        ("sports_outdoor", "food_beverage"),
        (),
        frozenset({"sports_outdoor"}),
        "Everyone is off to the hills, {window}: outdoor gear and picnic food sell briskly, and deliveries of "
        "sports and outdoor goods cannot keep up.",
    ),
    EventKind(
        "Pet Show on Television",
        (2, 3, 5, 6, 8, 9, 11),
        ("pet",),
        (),
        frozenset({"pet"}),
        "A television show about pets, {window}, has owners spoiling theirs: pet supplies sell fast, and new "
        "stock of them is slow to arrive.",
    ),
    EventKind(
        "Cosmetics Safety Report",
        (3, 4, 5, 8, 9, 10),
        (),
        ("beauty", "mother_baby"),
        NOBODY,
        "A safety report names harmful additives, {window}: shoppers hold back on beauty and on mother and baby "
        "goods. Deliveries run normally.",
    ),
    EventKind(
        "Counterfeit Label Scandal",
        (3, 4, 5, 6, 8, 9, 10),
        (),
        ("fashion", "shoes_bags"),
        NOBODY,
        "Fake labels in large online shops, {window}: trust in clothes, shoes and bags is shaken and sales fall. "
        "Deliveries are not affected.",
    ),
    EventKind(
        "Layoff Headlines",
        (2, 3, 9, 10, 11),
        ("food_beverage", "daily_office"),
        ("appliance_digital", "shoes_bags"),
        NOBODY,
        "Layoffs fill the headlines, {window}: people cook at home and buy daily goods, and put off electronics, "
        "shoes and bags. Deliveries are normal.",
    ),
    EventKind(
        "Steel and Resin Shortage",
        (2, 3, 4, 9, 10, 11),
        (),
        (),
        frozenset({"appliance_digital", "home_living", "auto_hardware"}),
        "Steel and resin are scarce, {window}. Orders for appliances and digital goods, home goods, and auto and "
        "hardware take {delay} times as long; demand holds steady.",
    ),
    EventKind(
        "Fuel Price Jump",
        (1, 3, 5, 6, 9, 10, 11),
        (),
        ("auto_hardware",),
        NOBODY,
        "Fuel is expensive, {window}, and drivers leave the car at home: auto goods and hardware sell less. "
        "Carriers keep their delivery times.",
    ),
    EventKind(
        "Gaming Tournament Fever",
        (4, 5, 7, 8, 10, 11),
        ("toys_entertainment", "appliance_digital"),
        (),
        frozenset({"toys_entertainment"}),
        "A world tournament, {window}, has fans buying games, figures and digital gear. Suppliers of games and "
        "figures are overrun: deliveries take longer.",
    ),
)
