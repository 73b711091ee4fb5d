"""Forks stand below what they were taken from."""

from ecbench.pages.forks import forks_below


def test_forks_stand_below_their_parents_also_where_two_name_each_other() -> None:
    assert forks_below("dcba", {"d": "a", "c": "d", "b": "elsewhere"}) == ["b", "a", "d", "c"]
    assert sorted(forks_below("ab", {"a": "b", "b": "a"})) == ["a", "b"]
