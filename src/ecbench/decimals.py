"""Figures rounded as `round` rounds them, without its detour through decimal digits."""


def money(value: float) -> float:
    """Yuan to the cent: what `round(value, 2)` gives."""
    return _rounded(value, 100.0, 2)


def ratio(value: float) -> float:
    """To the thousandth: what `round(value, 3)` gives."""
    return _rounded(value, 1000.0, 3)


def _rounded(value: float, scale: float, digits: int) -> float:
    """Where the scaled value is clearly nearer to one whole number than to the next, that one holds the digits."""
    if 0.0 < value < 1e9:
        scaled = value * scale + 0.5
        rest = scaled % 1.0
        if 0.001 < rest < 0.999:
            return (scaled - rest) / scale
    return round(value, digits)
