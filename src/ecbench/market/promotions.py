"""A store's place in a promotion."""

from datetime import date

from ecbench.market.books import Store
from ecbench.market.calendar import is_over, is_running


def drop_finished_enrolment(store: Store, morning: date, yesterday: date) -> None:
    """A store leaves a promotion on the second morning after the promotion's last window of the year."""
    if store.enrolment is None:
        return
    promotion = store.enrolment.promotion
    if not is_running(promotion, yesterday) and is_over(promotion, morning):
        store.enrolment = None
