"""The page of questions shows an answer to each, by the command that its script runs."""

from pathlib import Path

import pytest
from questions import QUESTIONS, WIDTH

PAGE = Path(__file__).parents[2] / "docs" / "understand.md"


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_has_its_command_and_an_answer(name: str) -> None:
    _, _, rest = PAGE.read_text(encoding="utf-8").partition(f"<!-- begin {name} -->")
    block, closed, _ = rest.partition(f"<!-- end {name} -->")
    assert closed
    command, *answer = block.partition("```console\n")[2].partition("```")[0].splitlines()
    assert command == f"$ {QUESTIONS[name]}"
    assert answer
    assert all(len(line) <= WIDTH for line in answer)
