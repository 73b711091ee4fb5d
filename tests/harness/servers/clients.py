"""The providers' own clients, each holding a conversation with two tools in its provider's form.

They are loaded at their first use: that takes seconds, and every worker of the tests reads this file.
"""

from functools import cache
from typing import TYPE_CHECKING, Any

from tests.harness.servers.anthropic_answers import MODEL as CLAUDE
from tests.harness.servers.anthropic_messages import AnthropicMessages
from tests.harness.servers.conversation import KEY
from tests.harness.servers.google_generate import MODEL as GEMINI
from tests.harness.servers.google_generate import GoogleGenerate
from tests.harness.servers.openai_chat import MODEL as CHAT
from tests.harness.servers.openai_chat import OpenAIChat
from tests.harness.servers.openai_responses import MODEL as GPT
from tests.harness.servers.openai_responses import OpenAIResponses
from tests.harness.servers.wire import Dialect

if TYPE_CHECKING:
    from anthropic import Anthropic as AnthropicClient
    from google.genai import Client as GoogleClient
    from openai import OpenAI

SCHEMA = {"type": "object", "properties": {"days": {"type": "integer"}}}

History = list[Any]


class Anthropic:
    bad_request = "invalid_request_error"
    dialect: Dialect = AnthropicMessages()

    @staticmethod
    @cache
    def open(url: str) -> "AnthropicClient":
        from anthropic import Anthropic as AnthropicClient

        return AnthropicClient(base_url=url, api_key=KEY, max_retries=0)

    def ask(self, url: str, history: History, **more: Any) -> dict[str, Any]:
        tools = [{"name": name, "input_schema": SCHEMA} for name in ("look", "wait")]
        given = {"model": CLAUDE, "max_tokens": 1_000, "system": "Trade.", "tools": tools, "messages": history, **more}
        with self.open(url).messages.stream(**given) as stream:
            said = stream.get_final_message()
        return {"role": "assistant", "content": [block.model_dump(exclude_none=True) for block in said.content]}

    def user(self, text: str) -> dict[str, Any]:
        return {"role": "user", "content": [{"type": "text", "text": text}]}

    def results(self, said: dict[str, Any]) -> list[Any]:
        calls = [block["id"] for block in said["content"] if block["type"] == "tool_use"]
        results = [{"type": "tool_result", "tool_use_id": call, "content": "{}"} for call in calls]
        return [{"role": "user", "content": results}] if calls else [self.user("Go on.")]


class Google:
    bad_request = "INVALID_ARGUMENT"
    dialect: Dialect = GoogleGenerate()

    @staticmethod
    @cache
    def open(url: str) -> "GoogleClient":
        from google.genai import Client as GoogleClient

        return GoogleClient(api_key=KEY, http_options={"base_url": url})

    def ask(self, url: str, history: History, **more: Any) -> dict[str, Any]:
        tools = [{"function_declarations": [{"name": name, "parameters": SCHEMA} for name in ("look", "wait")]}]
        config: Any = {"system_instruction": "Trade.", "tools": tools, **more}
        said = self.open(url).models.generate_content(model=GEMINI, contents=history, config=config)
        assert said.candidates and said.candidates[0].content
        return said.candidates[0].content.model_dump(exclude_none=True)

    def user(self, text: str) -> dict[str, Any]:
        return {"role": "user", "parts": [{"text": text}]}

    def results(self, said: dict[str, Any]) -> list[Any]:
        calls = [part["function_call"] for part in said["parts"] if "function_call" in part]
        responses = [{"id": call["id"], "name": call["name"], "response": {"output": "{}"}} for call in calls]
        return [
            {"role": "user", "parts": [{"function_response": each} for each in responses]}
            if calls
            else self.user("Go on.")
        ]


@cache
def open_openai(url: str) -> "OpenAI":
    from openai import OpenAI

    return OpenAI(base_url=url, api_key=KEY, max_retries=0)


class Chat:
    bad_request = "Error code: 400"
    dialect: Dialect = OpenAIChat()

    def ask(self, url: str, history: History, **more: Any) -> dict[str, Any]:
        tools = [{"type": "function", "function": {"name": name, "parameters": SCHEMA}} for name in ("look", "wait")]
        messages = [{"role": "system", "content": "Trade."}, *history]
        given: Any = {"model": CHAT, "messages": messages, "tools": tools, **more}
        said = open_openai(url).chat.completions.create(**given)
        return dict(said.choices[0].message.model_dump(exclude_none=True))

    def user(self, text: str) -> dict[str, Any]:
        return {"role": "user", "content": text}

    def results(self, said: dict[str, Any]) -> list[Any]:
        calls = [call["id"] for call in said.get("tool_calls", [])]
        return [{"role": "tool", "tool_call_id": call, "content": "{}"} for call in calls] or [self.user("Go on.")]


class Responses:
    bad_request = "Error code: 400"

    def __init__(self) -> None:
        self.dialect: Dialect = OpenAIResponses()

    def ask(self, url: str, history: History, **more: Any) -> list[dict[str, Any]]:
        tools = [{"type": "function", "name": name, "parameters": SCHEMA} for name in ("look", "wait")]
        system = [{"type": "message", "role": "developer", "content": [{"type": "input_text", "text": "Trade."}]}]
        given: Any = {"input": [*system, *history], "tools": tools}
        given |= {"include": ["reasoning.encrypted_content"], "store": False, **more}
        said = open_openai(url).responses.create(model=GPT, **given)
        return [item.model_dump(exclude_none=True) for item in said.output]

    def user(self, text: str) -> dict[str, Any]:
        return {"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]}

    def results(self, said: list[dict[str, Any]]) -> list[Any]:
        calls = [item["call_id"] for item in said if item["type"] == "function_call"]
        outputs = [{"type": "function_call_output", "call_id": call, "output": "{}"} for call in calls]
        return outputs or [self.user("Go on.")]


Client = Anthropic | Google | Chat | Responses
CLIENTS: list[type[Client]] = [Anthropic, Google, Chat, Responses]
