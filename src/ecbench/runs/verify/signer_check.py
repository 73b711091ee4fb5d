"""What the signer of a run vouches for. Receipts are held against the records here; whom to trust, the user decides."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ecbench.runs.folder import Run
from ecbench.runs.receipts.receipt import RECEIPTS, Receipt
from ecbench.runs.receipts.receipt_check import examine_receipts, read_receipts
from ecbench.runs.receipts.signing import require_cryptography
from ecbench.runs.record.reader import Recording
from ecbench.runs.results.counters import add_usage


@dataclass(slots=True)
class Participant:
    """What receipts say of one participant."""

    provider: str | None = None
    models: list[str] = field(default_factory=list)  # ids that the provider reported
    turns: int = 0
    usage: dict[str, float] = field(default_factory=dict)

    def add(self, receipt: Receipt) -> None:
        self.provider = receipt.provider or self.provider
        if receipt.model and receipt.model not in self.models:
            self.models.append(receipt.model)
        self.turns += receipt.event in ("turn", "handed")
        add_usage(self.usage, receipt.usage or {})

    def described(self, name: str) -> str:
        turns = f"{name}: {self.turns:,} turns"
        if self.provider is None:
            return turns
        models = ", ".join(" ".join(model.split()) for model in self.models) or "a model without an id"
        used = ", ".join(f"{amount:,.10g} {unit.replace('_', ' ')}" for unit, amount in self.usage.items())
        return f"{turns}, answered by {models} at {self.provider}, which reported {used or 'no usage'}"


@dataclass(slots=True)
class SignerCheck:
    """What the receipts of a run add up to, and what does not hold among them."""

    run: Run
    trusted: Sequence[str] = ()  # public keys, as the user gave them
    differences: list[str] = field(default_factory=list)
    participants: dict[str, Participant] = field(default_factory=dict)  # by name
    years: int = 0
    late: int = 0  # signed by a later process than the one that recorded the turn
    times: tuple[str, str] = ("", "")  # of the first and of the last receipt

    @property
    def key(self) -> str | None:
        return self.run.signed.key if self.run.signed else None

    @property
    def vouches(self) -> bool:
        """Whether a key that the user trusts has signed all that is recorded."""
        return self.key in self.trusted and not self.differences and self.years > 0

    @property
    def turns(self) -> int:
        return sum(participant.turns for participant in self.participants.values())

    def vouched(self) -> Iterator[str]:
        """What the signer says, a line each."""
        first, last = self.times
        years = "1 year" if self.years == 1 else f"{self.years:,} years"
        yield f"{self.turns:,} turns of {years}, recorded from {first} to {last} in this order"
        for name, participant in self.participants.items():
            yield participant.described(name)
        for name, seat in zip(self.run.base_terms.labels, self.run.base_terms.seats, strict=True):
            if address := seat.model.get("base_url"):
                yield f"{name} was asked at {address!s:.200}, the address that run.json states for its provider"
        if self.late:
            receipts = "1 receipt was" if self.late == 1 else f"{self.late:,} receipts were"
            yield f"{receipts} signed late: a process ended between recording and signing"

    def not_vouched(self) -> Iterator[str]:
        """What receipts cannot say, even of a signer whom the user trusts."""
        if any(each.provider is None for each in self.participants.values()):
            yield "that the program of a participant is what its name says: the signer saw only the calls that it made"
        if any(each.provider is not None for each in self.participants.values()):
            yield "that a provider's model is what its id says, and that the provider counted right"

    def add_year(self, episode: int, recording: Recording) -> None:
        """Hold the receipts of a year against its record."""
        if self.run.signed is None:
            return
        content = read_receipts(self.run, episode)
        found = examine_receipts(self.run, episode, recording, content)
        path = self.run.episode_folder(episode) / RECEIPTS
        problem = found.problem
        if not problem and found.unsigned:
            problem = f"{path}: the last turn, or the end of the year, has no receipt; ecbench resume --sign signs it"
        if not problem and found.size != len(content):
            problem = f"{path}: its last line is not whole"
        if not problem and any(receipt.episodes > self.run.episodes for receipt in found.receipts):
            years = max(receipt.episodes for receipt in found.receipts)
            problem = f"{path}: the run had {years:,} years when this one was signed; now it has {self.run.episodes:,}"
        if problem:
            self.differences.append(f"{self.run.called(episode)}: {problem}")
        else:
            self._add(found.receipts)

    def _add(self, receipts: Sequence[Receipt]) -> None:
        if not receipts:
            return
        self.years += 1
        self.late += sum(receipt.late for receipt in receipts)
        self.times = (min(filter(None, (self.times[0], receipts[0].time))), max(self.times[1], receipts[-1].time))
        for receipt in receipts:
            if receipt.participant is not None:
                self.participants.setdefault(receipt.participant, Participant()).add(receipt)


def begin_check(run: Run, trusted: Sequence[str]) -> SignerCheck:
    """The check of a run before its years are added: whether it is signed, and by a key that the user trusts.

    Raises RunError where the package that checks signatures is missing.
    """
    found = SignerCheck(run, trusted)
    if run.signed is not None:
        require_cryptography()
    if trusted and found.key is None:
        found.differences.append(f"the run is not signed, and --trust asks for receipts of {' or '.join(trusted)}")
    elif trusted and found.key not in trusted:
        found.differences.append(f"the run is signed with {found.key}, not with {' or '.join(trusted)}")
    return found
