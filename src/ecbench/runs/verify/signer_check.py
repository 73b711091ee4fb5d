"""What the signer of a run vouches for, by signatures that match its records; whom to trust, the user decides."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ecbench.runs.folder import MANIFEST, Run
from ecbench.runs.record.reader import Recording
from ecbench.runs.results.counters import add_usage
from ecbench.runs.signatures.keys import require_cryptography
from ecbench.runs.signatures.signature import SIGNATURES, Participant, Signature, check_signatures, read_signatures


@dataclass(slots=True)
class Vouched:
    """What signatures say of one participant, over all years."""

    provider: str | None = None
    models: list[str] = field(default_factory=list)  # ids that the provider reported
    turns: int = 0
    usage: dict[str, float] = field(default_factory=dict)

    def add(self, participant: Participant) -> None:
        self.provider = participant.provider or self.provider
        self.models += [model for model in participant.models if model not in self.models]
        self.turns += participant.turns
        add_usage(self.usage, participant.usage)

    def described(self, name: str) -> str:
        turns = f"{name}: {self.turns:,} turns"
        if self.provider is None:
            return turns
        models = ", ".join(" ".join(model.split()) for model in self.models) or "a model without an id"
        used = ", ".join(f"{amount:,.10g} {unit.replace('_', ' ')}" for unit, amount in self.usage.items())
        return f"{turns}, answered by {models} at {self.provider}, which reported {used or 'no usage'}"


@dataclass(slots=True)
class SignerCheck:
    """What the signatures of a run add up to, and what does not hold among them."""

    run: Run
    trusted: Sequence[str] = ()  # public keys, as the user gave them
    differences: list[str] = field(default_factory=list)
    participants: dict[str, Vouched] = field(default_factory=dict)  # by name
    years: int = 0
    times: tuple[str, str] = ("", "")  # from when to when
    signed_at: dict[int, str] = field(default_factory=dict)  # by episode, the time of its last signature

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
        yield f"{self.turns:,} turns of {years}, recorded from {first} to {last}"
        for name, participant in self.participants.items():
            yield participant.described(name)
        for name, seat in zip(self.run.terms.labels, self.run.terms.seats, strict=True):
            if address := seat.model.get("base_url"):
                yield f"{name} was asked at {address!s:.200}, the address that run.json states for its provider"

    def not_vouched(self) -> Iterator[str]:
        """What signatures cannot say, even of a signer whom the user trusts."""
        if any(each.provider is None for each in self.participants.values()):
            yield "that the program of a participant is what its name says: the signer saw only the calls that it made"
        if any(each.provider is not None for each in self.participants.values()):
            yield "that a provider's model is what its id says, and that the provider counted right"

    def add_year(self, episode: int, recording: Recording) -> None:
        """Hold the signatures of a year against its record."""
        if self.run.signed is None:
            return
        content = read_signatures(self.run, episode)
        found = check_signatures(self.run, episode, recording, content)
        path, problem = self.run.episode_folder(episode) / SIGNATURES, found.problem
        if not problem and recording.begun and not found.covers(recording):
            problem = f"{path}: the record goes on after what is signed; ecbench resume --sign signs the rest"
        if not problem and found.size != len(content):
            problem = f"{path}: its last line was not finished"
        if not problem and any(signature.episodes > self.run.episodes for signature in found.signatures):
            years = max(signature.episodes for signature in found.signatures)
            problem = f"{path}: the run had {years:,} years when this one was signed; now it has {self.run.episodes:,}"
        if problem:
            self.differences.append(f"{self.run.called(episode)}: {problem}")
        elif found.signatures:
            self._add(found.signatures)
            self.signed_at[episode] = found.signatures[-1].time

    def _add(self, signatures: Sequence[Signature]) -> None:
        self.years += 1
        first, last = signatures[0], signatures[-1]
        self.times = (min(filter(None, (self.times[0], first.began))), max(self.times[1], last.time))
        for participant in last.participants:
            self.participants.setdefault(participant.name, Vouched()).add(participant)


def begin_check(run: Run, trusted: Sequence[str]) -> SignerCheck:
    """The check of a run before its years are added: whether it is signed, and by a key that the user trusts.

    Raises RunError where the package that checks signatures is missing.
    """
    found = SignerCheck(run, trusted)
    if run.signed is not None:
        require_cryptography()
        if not run.signed.covers_plan(run.manifest.stopping):
            found.differences.append(f"{MANIFEST}: its stopping plan is not the one that was signed when the run began")
    if trusted and found.key is None:
        found.differences.append(f"the run is not signed, and --trust asks for a signature of {' or '.join(trusted)}")
    elif trusted and found.key not in trusted:
        found.differences.append(f"the run is signed with {found.key}, not with {' or '.join(trusted)}")
    return found
