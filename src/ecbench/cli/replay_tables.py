"""A recorded year as a table of days."""

from ecbench.cli.plain_table import plain_table
from ecbench.cli.plain_text import plain_console
from ecbench.cli.progress import day_of_year, how_it_ended
from ecbench.number_words import yuan
from ecbench.runs.record.events import State
from ecbench.runs.record.reader import Recording


def print_year(name: str, recording: Recording, every: int) -> None:
    console = plain_console()
    columns = (">Day", ">Date", ">Bank", ">Wallet", ">Escrow", ">Total", ">Stores", ">Calls", ">Turns")
    table = plain_table(*columns, title=f"{name.capitalize()}: {_ending(recording)}", no_wrap=True)
    for state in day_ends(recording, every):
        money = [yuan(amount) for amount in (state.bank, state.wallet, state.escrow, state.total)]
        table.add_row(
            str(state.day), day_of_year(state.time), *money, str(state.stores), f"{state.calls:,}", f"{state.turn:,}"
        )
    console.print(table)
    for note in (recording.dropped, recording.damage):
        if note:
            console.print(f"Note: {note}")


def day_ends(recording: Recording, every: int) -> list[State]:
    """The last state of every so many days, and the last of all."""
    last_of_day = {state.day: state for state in recording.states}
    final = max(last_of_day, default=0)
    return [state for day, state in sorted(last_of_day.items()) if day % every == 0 or day == final]


def _ending(recording: Recording) -> str:
    if recording.end is None:
        return "not finished" if recording.turns else "not begun"
    return how_it_ended(recording.end)
