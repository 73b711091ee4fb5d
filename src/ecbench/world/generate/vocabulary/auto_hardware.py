"""The Auto & Hardware store type: its listings, return notes and market overview."""

from ecbench.world.model import Overview

RETURN_NOTES: dict[str, str] = {
    "Auto Accessories": ("Low returns; the few there are come from covers and mats that do not fit the car."),
    "Hardware & Tools": ("Low returns; tools are bought for a job at hand and mostly kept, save for a wrong size."),
    "Electrical Supplies": (
        "Low returns; buyers order by rating and standard, so only a wrong gauge or a broken part comes back."
    ),
    "Electronic Components": (
        "Low returns; makers order by part value and keep spares, apart from the odd dead piece."
    ),
    "E-Vehicles & Parts": (
        "Low returns; parts are fitted on arrival and riders rarely give up a machine they have charged and ridden."
    ),
    "Agricultural Supplies": ("Low returns; growers buy to plant or spray at once, and little is left to send back."),
    "Industrial & Lab Supplies": (
        "Low returns; purchasers order to specification and only breakage or a wrong size is sent back."
    ),
}

OVERVIEW = Overview(
    profit_potential="Uncertain: enormous volume at the thinnest margins on the platform",
    advantage="The market takes far more units a day than any other, and little of what sells comes back.",
    strengths=(
        "Demand is very deep and close to level through the year.",
        "Returns are low in every category.",
        "The range is broad, from components that cost a few coins to whole vehicles.",
    ),
    challenges=(
        "Suppliers have little room to come down, so a poor quote sells at a loss.",
        "Daily operating cost is the highest there is, and freight can swallow the margin of cheap goods.",
        "Vehicles and their parts are bulky and costly to store, and material shortages delay deliveries.",
    ),
    operating_tips=(
        "Work out freight and commission for each unit before you buy.",
        "Refuse every quote that is not close to the supplier's best.",
        "Turn stock quickly, since storage soon costs more than the goods earn.",
    ),
)
