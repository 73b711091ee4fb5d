"""`signature.json`: one signature for each episode, made when it ends or stops (docs/runs.md).

A year that is resumed is signed again; the heads that were signed before must stand in its chain.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Annotated

from msgspec import Meta, Struct, structs

from ecbench.errors import DamagedRecord, RunError
from ecbench.extras import require_extra
from ecbench.players.turn import Count
from ecbench.runs.folder import MANIFEST, Run
from ecbench.runs.record.atomic_write import MANIFEST_LIMIT, atomic_write, read_file
from ecbench.runs.record.json_values import encode, parse, typed
from ecbench.runs.record.reader import Recording
from ecbench.runs.results.derived_files import add_answer, add_usage
from ecbench.runs.signatures.keys import SigningKey, signature_holds

SIGNATURE = "signature.json"

Digest = Annotated[str, Meta(pattern=r"\A[0-9a-f]{64}\Z")]
Time = Annotated[str, Meta(pattern=r"\A\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\Z")]


class Participant(Struct, frozen=True, omit_defaults=True):
    """Who acted at a seat; of a model also what its provider reported."""

    name: str
    turns: Count
    provider: str | None = None
    models: tuple[str, ...] = ()  # ids that the provider reported
    usage: dict[str, int | float] = {}  # refused answers included

    def with_year(self, other: "Participant") -> "Participant":
        """The same participant over one year more."""
        usage = dict(self.usage)
        add_usage(usage, other.usage)
        models = tuple(dict.fromkeys((*self.models, *other.models)))
        return Participant(self.name, self.turns + other.turns, other.provider or self.provider, models, usage)

    @property
    def described(self) -> str:
        turns = f"{self.name}: {self.turns:,} turns"
        if self.provider is None:
            return turns
        models = ", ".join(" ".join(model.split()) for model in self.models) or "a model without an id"
        used = ", ".join(f"{amount:,.10g} {unit.replace('_', ' ')}" for unit, amount in self.usage.items())
        return f"{turns}, answered by {models} at {self.provider}, which reported {used or 'no usage'}"


class Signature(Struct, frozen=True, kw_only=True):
    """A signed statement. What is signed is the text of the file with an empty signature."""

    run: str
    episode: Count
    episodes: Count  # of the run at that time; a host adds some
    plan: str  # the SHA-256 of the run's stopping plan; empty without one
    earlier: tuple[Digest, ...]  # heads that were signed when the year stopped before
    head: Digest  # of the record
    over: bool  # whether the year has ended for good
    participants: tuple[Participant, ...]
    began: Time  # when the process that signed first opened the record, UTC
    time: Time
    signature: str = ""

    @property
    def text(self) -> bytes:
        return encode(self) + b"\n"

    def signed_with(self, key: SigningKey) -> "Signature":
        return structs.replace(self, signature=key.sign(self.text))

    def is_signed_with(self, key: str) -> bool:
        """Whether the owner of this public key made it."""
        return signature_holds(key, self.signature, structs.replace(self, signature="").text)

    def covers(self, recording: Recording) -> bool:
        """Whether it is about all of the record."""
        return self.head == head_to_sign(recording)


def now() -> str:
    """As signatures state a time."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def signed_with(run: Run, key: SigningKey | None) -> Run:
    """The run with the key that signs its years. Raises RunError unless it is the key that the run was begun with."""
    stated, given = run.signed.key if run.signed else None, key.public if key else None
    if stated is None and given is not None:
        raise RunError(f"{run.folder} was begun without signatures, and they cannot begin later; leave out --sign")
    if given is None and stated is not None:
        raise RunError(f"the episodes of {run.folder} are signed; give --sign KEYFILE with the key {stated}")
    if given != stated:
        raise RunError(
            f"{run.folder} is signed with {stated}, and --sign gives {given}; give the key it was begun with"
        )
    return replace(run, signing_key=key)


def head_to_sign(recording: Recording) -> str:
    """The end of a year that can be resumed is overwritten, so the turns before it are signed."""
    return recording.year_end.head if recording.finished and recording.year_end else recording.head


def participants_of(run: Run, episode: int, recording: Recording) -> tuple[Participant, ...]:
    """By seat. Of a fork without the turns that it took over: who signs has not seen them."""
    terms, found = run.terms_of(episode), []
    played = recording.turns[terms.fork.turns if terms.fork else 0 :]
    for seat, (agent, name) in enumerate(zip(terms.seats, run.seat_labels(episode), strict=True)):
        own, usage = [turn for turn in played if turn.seat == seat], dict[str, int | float]()
        for turn in own:
            add_answer(usage, turn.message)
        models = tuple(dict.fromkeys(turn.message["model"] for turn in own if turn.message.get("model")))
        provider = agent.agent.partition("/")[0] if agent.asks_model else None
        found.append(Participant(name, len(own), provider, models, usage))
    return tuple(found)


def sign(run: Run, episode: int, recording: Recording, began: str) -> None:
    """Sign a record as it stands on the disk, where its run is signed and it is not signed yet. Raises RunError."""
    if run.signed is None or run.signing_key is None or not recording.begun:
        return
    before = check_signature(run, episode, recording)
    if before is not None and before.covers(recording):
        return
    stated = Signature(
        run=run.signed.run,
        episode=episode,
        episodes=run.episodes,
        plan=_plan_digest(run),
        earlier=(*before.earlier, before.head) if before else (),
        head=head_to_sign(recording),
        over=recording.finished,
        participants=participants_of(run, episode, recording),
        began=before.began if before else began,
        time=now(),
    )
    path = run.episode_folder(episode) / SIGNATURE
    try:
        atomic_write(path, stated.signed_with(run.signing_key).text)
    except OSError as error:
        raise RunError(f"cannot write {path}: {error.strerror}; ecbench resume --sign signs the record") from error


def _plan_digest(run: Run) -> str:
    plan = run.manifest.stopping
    return sha256(encode(plan)).hexdigest() if plan else ""


def read_signature(run: Run, episode: int) -> Signature | None:
    """What the file states, which `check_signature` checks; None if there is none. Raises RunError."""
    path = run.episode_folder(episode) / SIGNATURE
    try:
        content = read_file(path, MANIFEST_LIMIT)
        signature = typed(parse(content), Signature)
        if content != signature.text:
            raise ValueError("it was edited")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RunError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise DamagedRecord(f"{path}: it is not a signature ({error})") from error
    return signature


def check_signature(run: Run, episode: int, recording: Recording) -> Signature | None:
    """Hold the signature of an episode against its record. Raises DamagedRecord unless it is about lines of it."""
    signature = read_signature(run, episode) if run.signed else None
    if signature is None or run.signed is None:
        return None
    ended = [recording.year_end.head] if recording.finished and recording.year_end else []
    heads = iter([recording.start_head, *(entry.head for entry in recording.entries), *ended])
    problem = ""
    if not signature.is_signed_with(run.signed.key):
        problem = f"it was edited, or it was signed with another key than {run.signed.key}"
    elif (signature.run, signature.episode) != (run.signed.run, episode):
        problem = "it is about another run or episode"
    elif signature.plan != _plan_digest(run):
        problem = f"the stopping plan of {MANIFEST} is not the one that was signed"
    elif not all(head in heads for head in (*signature.earlier, signature.head)):  # each search continues the last one
        problem = "the record is not the one that was signed"
    if problem:
        raise DamagedRecord(f"{run.episode_folder(episode) / SIGNATURE}: {problem}")
    return signature


@dataclass(slots=True)
class SignerCheck:
    """What the signatures of a run add up to, and which of them do not hold."""

    run: Run
    trusted: Sequence[str] = ()  # public keys, as the user gave them
    differences: list[str] = field(default_factory=list)
    participants: dict[str, Participant] = field(default_factory=dict)  # by name, over all years
    years: int = 0
    times: tuple[str, str] = ("", "")  # from when to when

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
        years = "1 episode" if self.years == 1 else f"{self.years:,} episodes"
        yield f"{self.turns:,} turns of {years}, recorded from {first} to {last}"
        for participant in self.participants.values():
            yield participant.described
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
        """Hold the signature of a year against its record."""
        path = self.run.episode_folder(episode) / SIGNATURE
        try:
            found = check_signature(self.run, episode, recording)
            if self.run.signed is None or not (found or recording.begun):
                return
            if found is None or not found.covers(recording):
                raise RunError(
                    f"{path}: the record continues after the signed part; ecbench resume --sign signs the rest"
                )
            if found.episodes > self.run.episodes:
                years = f"the run had {found.episodes:,} episodes when this one was signed"
                raise RunError(f"{path}: {years}; now it has {self.run.episodes:,}")
        except RunError as problem:
            self.differences.append(f"{self.run.called(episode)}: {problem}")
            return
        self.years += 1
        self.times = (min(filter(None, (self.times[0], found.began))), max(self.times[1], found.time))
        for each in found.participants:
            known = self.participants.get(each.name)
            self.participants[each.name] = known.with_year(each) if known else each


def begin_check(run: Run, trusted: Sequence[str]) -> SignerCheck:
    """The check of a run before its years are added: whether it is signed, and by a key that the user trusts."""
    found = SignerCheck(run, trusted)
    if run.signed is not None:
        require_extra("sign")
    if trusted and found.key is None:
        found.differences.append(f"the run is not signed, and --trust asks for a signature of {' or '.join(trusted)}")
    elif trusted and found.key not in trusted:
        found.differences.append(f"the run is signed with {found.key}, not with {' or '.join(trusted)}")
    return found
