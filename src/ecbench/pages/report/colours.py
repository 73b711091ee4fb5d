"""The colours of all pages, by day and by night."""

from collections.abc import Mapping

LIGHT: Mapping[str, str] = {
    "paper": "#fdfcfa", "card": "#ffffff", "ink": "#22262b", "muted": "#5f6873", "grid": "#dcdfe3",
    "accent": "#1f6f8b", "event": "#c2571a", "promotion": "#2f7d4f", "published": "#a9b0b8",
    "span-event": "#f8e6d8", "span-promotion": "#dcefe3",
    "bank": "#3f6b8a", "wallet": "#b98a2e", "escrow": "#8c7bb0", "mistake": "#8a5a00",
    "race-1": "#b3372f", "race-2": "#2f7d4f", "race-3": "#6a3d9a",
    "good": "#2f7d4f", "bad": "#b3372f", "warn": "#fff3d6", "warn-ink": "#6b4a00",
    "run-0": "#1f6f8b", "run-1": "#d1661c", "run-2": "#2f8a57", "run-3": "#8a4fb0", "run-4": "#b3372f",
    "run-5": "#8a7a12", "run-6": "#3f5fc0", "run-7": "#a83a78",
    "part-0": "#2b6ca3", "part-1": "#e08a3c", "part-2": "#4fa06f", "part-3": "#9a6fc0", "part-4": "#c9544b",
    "part-5": "#8fa3b0", "part-6": "#d3b13f", "part-7": "#6d7680",
    "heat-0": "#eef3f6", "heat-1": "#c6dde7", "heat-2": "#8fbdd0", "heat-3": "#3f88a6", "heat-4": "#125066",
    "on-heat": "#ffffff",
}  # fmt: skip

DARK: Mapping[str, str] = {
    "paper": "#14171a", "card": "#1c2024", "ink": "#e4e7ea", "muted": "#9aa4ae", "grid": "#363c43",
    "accent": "#5fb4d1", "event": "#ee8d55", "promotion": "#66bd88", "published": "#5c656e",
    "span-event": "#3a2a1e", "span-promotion": "#1f3528",
    "bank": "#7fb0d0", "wallet": "#d8ad58", "escrow": "#b7a8d8", "mistake": "#e0b35c",
    "race-1": "#ff9d8f", "race-2": "#7cc39f", "race-3": "#cba6f7",
    "good": "#66bd88", "bad": "#ef7d73", "warn": "#3b3016", "warn-ink": "#f3d48a",
    "run-0": "#5fb4d1", "run-1": "#f0955a", "run-2": "#6cc894", "run-3": "#c191e4", "run-4": "#ef7d73",
    "run-5": "#d3c35a", "run-6": "#8ea6f2", "run-7": "#e886bb",
    "part-0": "#6aa9de", "part-1": "#efa766", "part-2": "#77c596", "part-3": "#bd97e0", "part-4": "#ec857c",
    "part-5": "#9fb3c0", "part-6": "#e2c763", "part-7": "#828c96",
    "heat-0": "#232a2f", "heat-1": "#2a4552", "heat-2": "#346577", "heat-3": "#5fa5be", "heat-4": "#a4dcee",
    "on-heat": "#10161a",
}  # fmt: skip


def style_rules() -> str:
    """As CSS variables. Paper is white whatever the screen is."""
    light, dark = (" ".join(f"--{name}: {colour};" for name, colour in each.items()) for each in (LIGHT, DARK))
    day, night = f":root {{ {light} }}", f":root {{ {dark} }}"
    return f"{day}\n@media (prefers-color-scheme: dark) {{ {night} }}\n@media print {{ {day} }}\n"
