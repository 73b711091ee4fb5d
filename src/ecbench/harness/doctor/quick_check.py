"""The check before a run: whether its models answer, call tools and have room for the conversation."""

from ecbench.harness.context import ContextPolicy
from ecbench.harness.doctor.diagnosis import Diagnosis
from ecbench.harness.doctor.examination import Examination, explained, failure_line
from ecbench.harness.doctor.reach import look_at_server
from ecbench.harness.doctor.server_windows import judge_window, stated_window
from ecbench.harness.doctor.tool_calls import ONE_CALL, judge_call
from ecbench.harness.messages import Message, ModelFailure
from ecbench.harness.models import ProviderModel

QUICK_SECONDS = 20.0  # for one request; those of a run wait longer


async def check_before_run(model: ProviderModel, policy: ContextPolicy | None) -> Diagnosis:
    """One or two small requests: the server, a tool call, the window. `policy` is None for the suppliers' model.

    Raises `ModelFailure` if the model cannot play at all: a wrong key, name or address, or a server without tools.
    """
    exam = Examination(model, min(QUICK_SECONDS, model.settings.attempt_seconds))
    try:
        if policy is None:
            await exam.ask([Message("user", "Answer with OK.")])
            return exam.result
        answer = await exam.demand_call([Message("user", ONE_CALL)])
    except ModelFailure as failure:
        if failure.kind != "busy":
            raise await explained(model, failure) from failure
        exam.result.add("server", "note", failure_line(failure, model), "the run goes on trying")
        return exam.result
    server = await look_at_server(model)
    exam.result.findings.append(judge_call(answer, server.kind))
    judge_window(exam.result, await stated_window(exam.model, server), server.kind, policy)
    return exam.result
