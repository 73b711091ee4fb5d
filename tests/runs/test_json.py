"""JSON of a run is read and written by quicker code than Python's own, which must not be noticed, by any thread."""

import json
import subprocess
import sys

from hypothesis import example, given
from hypothesis import strategies as st

from ecbench.runs.record.json_values import encode, parse

TEXTS = st.text(max_size=8) | st.text(st.characters(categories=["Cs"]), max_size=2)  # halves of surrogate pairs too
NUMBERS = st.integers() | st.integers(-(2**80), 2**80) | st.floats()
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


def is_json(value: object) -> bool:
    """Without NaN and infinities, which no value of a record is."""
    try:
        json.dumps(value, allow_nan=False)
    except ValueError:
        return False
    return True


@given(VALUES, st.booleans())
@example(2**64, True)
@example(-(2**63) - 1, True)
@example([0.1, -0.0, 1e22, 1e-7, float("nan"), float("-inf")], False)
def test_a_value_is_read_as_the_json_module_reads_it(value: object, ascii_alone: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_alone).encode(errors="replace")
    assert repr(parse(text)) == repr(json.loads(text))


@given(st.dictionaries(TEXTS, VALUES.filter(is_json), max_size=4))
@example({"numbers": [1e16, 9999999999999998.0, 1e-4, 1e-5, 1.2e-5, -1e-7, 5e-324, 1.7e308, -0.0, 2**70]})
@example({"characters": "".join(map(chr, range(0x3000))), "half": 1e300})
def test_what_is_written_is_one_line_that_is_read_back(record: dict[str, object]) -> None:
    line = encode(record)
    assert b"\n" not in line
    assert repr(parse(line)) == repr(json.loads(json.dumps(record)))


# In a process of its own, which a class that two threads meet at once may crash.
THREADS_THAT_MEET_NEW_CLASSES = """
import sys
from threading import Barrier, Thread

from msgspec import defstruct

from ecbench.runs.record.json_values import typed

sys.setswitchinterval(1e-7)
for _ in range(40):
    inner = defstruct("Inner", [(f"field_{index}", int) for index in range(30)])
    outer = defstruct("Outer", [("one", inner), ("some", list[inner]), ("named", dict[str, inner])])
    value = {f"field_{index}": index for index in range(30)}
    record = {"one": value, "some": [value], "named": {"a": value}}
    together, read = Barrier(3), []

    def meet():
        together.wait()
        read.append(typed(record, outer))

    threads = [Thread(target=meet) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found.one.field_7 for found in read] == [7, 7, 7]
"""


def test_threads_may_read_a_kind_of_record_for_the_first_time_at_once() -> None:
    command = [sys.executable, "-c", THREADS_THAT_MEET_NEW_CLASSES]
    ended = subprocess.run(command, check=False, timeout=60, capture_output=True)
    assert ended.returncode == 0, ended.stderr.decode()
