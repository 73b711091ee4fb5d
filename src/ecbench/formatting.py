"""Format figures for sentences. Texts that quote a rule format it with these, so no digit is lost."""

from datetime import date

MISSING = "–"  # in a cell without a value
WHOLE_FROM = 99.95  # times the stake
_ORDINALS = {1: "first", 2: "second", 3: "third"}
_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
SHORT_MONTHS = tuple(month[:3] for month in MONTHS)


def amount(value: float) -> str:
    """1,000 or 1,000.50, without the sign of the currency."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


def yuan(amount: float) -> str:
    """¥1,000 or -¥1,000: cents first, as in reports, then to the yuan; half a yuan is rounded away from zero."""
    whole = (round(abs(amount), 2) + 0.5) // 1
    return f"{'-' if amount < 0 and whole else ''}¥{whole:,.0f}"


def yuan_or_millions(amount: float) -> str:
    """¥999,999 or ¥1.00M, as a narrow column has it."""
    return yuan(amount) if abs(amount) < 1e6 else f"{'-' if amount < 0 else ''}¥{abs(amount) / 1e6:,.2f}M"


def times_stake(multiple: float) -> str:
    """12.3x or 123x."""
    return f"{multiple:,.1f}x" if multiple < WHOLE_FROM else f"{multiple:,.0f}x"


def percent(share: float) -> str:
    """2% or 2.5%."""
    return f"{100 * share:.6g}%"


def share(value: float) -> str:
    """0.30 or 0.125: two digits behind the point, or as many as it has."""
    text = f"{value:.2f}"
    return text if float(text) == value else f"{value:g}"


def counted(count: int, thing: str, form: str = "") -> str:
    """1 day or 10 days; `form` is how the number is formatted."""
    return f"{count} {thing}" if count == 1 else f"{count:{form}} {thing}s"


def between(least: int, most: int, thing: str) -> str:
    """3 to 7 days, or 5 days where there is no choice."""
    return counted(least, thing) if least == most else f"{least} to {most} {thing}s"


def ordinal(number: int) -> str:
    if number in _ORDINALS:
        return _ORDINALS[number]
    ending = "th" if number % 100 in (11, 12, 13) else _ENDINGS.get(number % 10, "th")
    return f"{number}{ending}"


def long_date(day: date) -> str:
    """January 1, 2026, in any locale."""
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"
