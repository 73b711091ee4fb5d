"""Problems found in a world's files, and the error that carries all of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from ecbench.errors import BadInput

SHOWN = 20


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake: where it is, what it is and what would be right. Row 1 of a CSV file is its header."""

    file: str
    message: str
    row: str = ""
    column: str = ""

    def __str__(self) -> str:
        location = [self.file]
        if self.row:
            location.append(f"row {self.row}" if self.row.isdigit() else self.row)
        if self.column:
            location.append(f"column {self.column}" if self.row.isdigit() else self.column)
        return f"{', '.join(location)}: {self.message}"


class WorldError(BadInput):
    """A folder is not a valid world. Carries every problem found; the message shows the first of them."""

    def __init__(self, subject: str, problems: Sequence[Problem]) -> None:
        self.subject = subject
        self.problems = tuple(problems)
        super().__init__(subject, self.problems)

    def __str__(self) -> str:
        if not self.problems:
            return self.subject
        count = len(self.problems)
        lines = [f"{self.subject}: {count:,} problem{'s' if count > 1 else ''}"]
        lines += [f"  {problem}" for problem in self.problems[:SHOWN]]
        if count > SHOWN:
            lines.append(f"  ... and {count - SHOWN:,} more")
        return "\n".join(lines)
