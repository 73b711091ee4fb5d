"""The Appliance & Digital store type: its listings, return notes and market overview."""

from ecbench.world.model import Overview

RETURN_NOTES: dict[str, str] = {
    "Major Appliances": (
        "Moderate returns, mostly machines that turn out not to fit the kitchen, the doorway or the socket."
    ),
    "Small Appliances": "Low returns; a few pieces go back because they are louder or smaller than the buyer pictured.",
    "Audio & Video Electronics": (
        "Very low returns; buyers listen and read reviews beforehand and keep what they unpack."
    ),
    "Smartphones": "Very low returns, since buyers compare models for days and set the phone up at once.",
    "Laptops": "Very low returns; the purchase is planned and the configuration is known in advance.",
    "Computer Hardware & Peripherals": "Low returns, mostly parts that do not match the rest of a buyer's machine.",
    "3C Digital Accessories": "Moderate returns, as cases, films and chargers are often ordered for the wrong model.",
    "Storage Devices": (
        "Very low returns; capacity and connector are clear from the listing and data soon fills the device."
    ),
    "Networking Equipment": "Low returns, mostly routers whose signal did not reach as far as hoped.",
}

OVERVIEW = Overview(
    profit_potential="Good for a careful trader: high tickets, few units and mixed margins",
    advantage="A single sale brings in far more money than in most trades, and most goods stay with their buyers.",
    strengths=(
        "Phones, laptops, audio gear and storage hardly ever come back.",
        "Accessories, peripherals and networking gear leave a wide margin.",
        (
            "Midyear and late autumn lift sales well above the ordinary month, and a heatwave sends buyers running "
            "for appliances."
        ),
    ),
    challenges=(
        "The market takes few units a day, so money tied up in the wrong stock stays tied up.",
        "Phones, laptops and large appliances leave much less between cost and price.",
        "Factory accidents and shortages of materials can delay deliveries, and bad economic news makes buyers wait.",
    ),
    operating_tips=(
        "Spread the shelf over several categories, so that no single one has to carry the store.",
        "Order large appliances sparingly: they are the costliest goods to ship and to store.",
        "Bargain hard for the expensive goods, where a small step in the quote decides the profit.",
    ),
)
