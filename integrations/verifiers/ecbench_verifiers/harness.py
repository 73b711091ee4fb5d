"""What plays a task unless the command line names another program: a chat loop on this machine, without an account."""

import verifiers.v1 as vf
from verifiers.v1.harnesses.null import NullHarness


class YearHarness(NullHarness):
    """The chat loop of verifiers: the model has the tools of its year and nothing else."""


class LocalYearConfig(vf.SingleAgentEnvConfig):
    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())
    """The loop runs no code of the model, so a process does; the default of verifiers is a sandbox behind a login."""


class LocalYearEnv(vf.SingleAgentEnv, vf.Env[LocalYearConfig]):
    """One agent plays one year, its harness in a process of its own."""
