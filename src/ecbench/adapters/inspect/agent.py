"""The paper's turn loop as an agent of Inspect: the same turns, with Inspect's model, limits and log.

A retried evaluation first replays the recorded turns of the earlier attempt and then continues with the model.
"""

from collections.abc import Awaitable, Callable, Sequence

from anyio import from_thread
from inspect_ai.agent import Agent, AgentState, agent
from inspect_ai.model import Model, get_model, model_roles
from inspect_ai.util import LimitExceededError, suspend_turn_limit

from ecbench.adapters.inspect.sample_year import YearTerms, current_year
from ecbench.harness.brief import Brief
from ecbench.harness.loop import open_conversation, play
from ecbench.harness.messages import Answer, Message, ModelFailure
from ecbench.harness.model_voice import Ask
from ecbench.harness.models import InspectModel, tool_info
from ecbench.harness.replay import RecordedModel
from ecbench.harness.response_parsing import parse_strictly
from ecbench.harness.settings import ModelSettings
from ecbench.rules import rule_set
from ecbench.runs.play.models import recorded_answer
from ecbench.runs.play.resumed_voice import model_voice
from ecbench.seat import Record, Turn
from ecbench.suppliers.voices import TemplateVoice, Voice
from ecbench.tools import tool_schemas

SUPPLIER_ROLE = "supplier"


@agent
def merchant(terms: YearTerms) -> Agent:
    """Runs a business for a year, by the rules of the paper's loop."""
    rules = rule_set(terms.rule_set)
    brief = Brief(days=terms.days, stake=terms.stake, max_turns=terms.max_turns, rules=rules, wording=terms.wording)

    async def execute(state: AgentState) -> AgentState:
        year = current_year()
        seat = year.resume()
        talk = open_conversation(brief.on(seat.year.world))
        model = inspect_model(get_model(), tool_schemas(rules))
        answers = RecordedModel([recorded_answer(turn) for turn in seat.recording.turns], model)
        try:
            outcome = await play(seat, answers, talk, act_in_thread=SUPPLIER_ROLE in model_roles())
            year.ending = outcome.ending
        finally:
            # One of Inspect's limits ends the year as well: the sample is scored as it stands.
            year.leave()
            state.messages = model.forms(talk.transcript.live())
        return state

    return execute


def supplier_name() -> str:
    return str(get_model(role=SUPPLIER_ROLE)) if SUPPLIER_ROLE in model_roles() else "template"


def supplier_voice(turns: Sequence[Turn]) -> Voice:
    """A model writes the suppliers' letters where the evaluation gives that role to one; else the templates do."""
    if SUPPLIER_ROLE not in model_roles():
        return TemplateVoice()
    model = inspect_model(get_model(role=SUPPLIER_ROLE), [])
    return model_voice(turns, _asking(model.answer))


def _asking(answer: Callable[[Sequence[Message]], Awaitable[Answer]]) -> Ask:
    """For tools in a worker thread; the model runs on the event loop.

    A letter is not a turn. Where the model fails, the template writes it.
    """

    async def letter(system: str, user: str) -> Answer:
        try:
            with suspend_turn_limit():
                return await answer([Message("system", system), Message("user", user)])
        except LimitExceededError:
            raise
        except Exception as problem:
            raise ModelFailure(f"{type(problem).__name__}: {problem}") from problem

    def ask(system: str, user: str) -> Answer:
        return from_thread.run(letter, system, user)

    return ask


def inspect_model(model: Model, schemas: Sequence[Record]) -> InspectModel:
    """A model of the current evaluation, whose settings, log and failures are Inspect's."""
    parse_strictly(model.api)
    return InspectModel(model, [tool_info(schema) for schema in schemas], ModelSettings(str(model)), standalone=False)
