"""The suppliers: the published numbers of each kind, and nothing visible that tells which kind one is."""

from collections import Counter
from collections.abc import Callable
from functools import cache
from statistics import fmean, stdev

import pytest

from ecbench.world.generate import generate_world
from ecbench.world.generate.sources import ALL_CATEGORIES
from ecbench.world.generate.supplier_roster import draw_roster, email_of, fresh_shares
from ecbench.world.model import Supplier
from ecbench.world.supplier_kinds import FRESH_FRAUDULENT

CATEGORY_NAMES = [category.name for category in ALL_CATEGORIES]
SEEDS = (0, 1, 2, 3)


@cache
def roster(seed: int) -> tuple[Supplier, ...]:
    return draw_roster(seed, CATEGORY_NAMES, 576, 152 / 576)


@pytest.mark.parametrize("suppliers, fraudulent", [(576, 152), (300, 60), (300, 0), (120, 60)])
def test_the_mean_number_of_cheats_is_the_one_asked_for(suppliers: int, fraudulent: int) -> None:
    drawn = [len(fresh_shares(seed, CATEGORY_NAMES, suppliers, fraudulent)[1]) for seed in range(400)]
    assert fmean(drawn) == pytest.approx(fraudulent, abs=4 * stdev(drawn) / 20)  # four standard errors


def test_fresh_worlds_draw_the_number_of_cheats_of_each_category_independently() -> None:
    drawn = [fresh_shares(seed, CATEGORY_NAMES, 576, 152) for seed in range(100)]
    assert all(len(posts) + len(marks) == 576 for posts, marks in drawn)
    assert all(min(Counter(posts).values()) >= 4 for posts, _ in drawn)
    assert 8 < stdev(len(marks) for _, marks in drawn) < 13  # binomial: 10.6; a quota: 0
    numbers = Counter(Counter(marks)[name] for _, marks in drawn for name in CATEGORY_NAMES)
    assert set(range(6)) <= set(numbers) and numbers[0] > 200 and numbers[5] > 200


def test_a_fresh_category_with_few_suppliers_keeps_an_honest_one() -> None:
    posts, marks = fresh_shares(7, CATEGORY_NAMES, 120, 60)
    assert len(posts) + len(marks) == 120 and set(posts) == set(CATEGORY_NAMES)


@pytest.mark.parametrize("seed", SEEDS)
def test_names_are_unique_an_email_says_no_more_than_the_name_and_an_id_no_more_than_the_row(seed: int) -> None:
    assert len({supplier.name for supplier in roster(seed)}) == 576
    assert {supplier.order_limit for supplier in roster(seed)} == set(range(10, 21))
    for row, supplier in enumerate(roster(seed), start=1):
        assert supplier.email == email_of(supplier.name)
        assert supplier.id == f"SUP-{row:04d}"


VISIBLE_ORDERS: dict[str, Callable[[Supplier], str]] = {
    "id": lambda s: s.id,
    "name": lambda s: s.name,
    "last word of the name": lambda s: s.name.split()[-1],
    "length of the name": lambda s: f"{len(s.name):03d}",
    "email": lambda s: s.email,
    "email read backwards": lambda s: s.email[::-1],
    "order limit": lambda s: f"{s.order_limit:02d}",
}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("order", VISIBLE_ORDERS)
def test_sorting_by_anything_visible_does_not_part_honest_from_fraudulent(seed: int, order: str) -> None:
    """The rank sum of the fraudulent ones (Mann-Whitney) stays near what chance gives."""
    key = VISIBLE_ORDERS[order]
    places: dict[str, list[int]] = {}
    for place, supplier in enumerate(sorted(roster(seed), key=key), start=1):
        places.setdefault(key(supplier), []).append(place)
    rank = {value: sum(tied) / len(tied) for value, tied in places.items()}
    ranks = [rank[key(s)] for s in roster(seed) if not s.honest]
    n, m = len(ranks), 576 - len(ranks)
    spread = (n * m * (n + m + 1) / 12) ** 0.5
    assert abs(sum(ranks) - n * (n + m + 1) / 2) < 3.3 * spread


@pytest.mark.parametrize("seed", SEEDS)
def test_every_part_of_a_fraudulent_name_is_borne_by_honest_suppliers_too(seed: int) -> None:
    honest = {part for s in roster(seed) if s.honest for part in s.name.split()}
    fraudulent = {part for s in roster(seed) if not s.honest for part in s.name.split()}
    assert fraudulent <= honest


@pytest.mark.parametrize("seed", SEEDS)
def test_within_a_category_fraudulent_suppliers_may_stand_first_or_last(seed: int) -> None:
    ends = Counter[tuple[str, bool]]()
    for category in CATEGORY_NAMES:
        rows = [s for s in roster(seed) if s.category == category]
        ends["first", rows[0].honest] += 1
        ends["last", rows[-1].honest] += 1
    assert all(ends[end, honest] >= 5 for end in ("first", "last") for honest in (True, False))


@pytest.mark.parametrize(
    ("suppliers", "fraud_share", "reason"),
    [
        (59, 0.0, "at least one honest supplier"),
        (100, 0.5, "at least one honest supplier"),
        (576, 1.0, "below 1"),
        (576, -0.1, "at least 0"),
        (576, float("nan"), "at least 0"),
        (1_000_000, 0.1, "too many"),
    ],
)
def test_an_impossible_roster_is_refused_with_the_reason(suppliers: int, fraud_share: float, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        draw_roster(1, CATEGORY_NAMES, suppliers, fraud_share)


def test_a_scam_that_is_added_is_dealt_to_fresh_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FRESH_FRAUDULENT, "short_weight", 30)  # type: ignore[misc]
    scams = Counter(supplier.scam for supplier in generate_world(seed=11, name="with a new scam").suppliers)
    cheats = scams.total() - scams[""]
    share = 30 / sum(FRESH_FRAUDULENT.values())
    assert scams["short_weight"] == pytest.approx(cheats * share, abs=1)  # type: ignore[index]
