"""Records are read by many threads at once, as in a host of many years."""

import subprocess
import sys

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
