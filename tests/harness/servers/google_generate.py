"""Google's generateContent: as many responses as calls and in their order, and signatures on the parts they came on."""

import base64
from collections.abc import Mapping
from typing import Any

from tests.harness.servers.conversation import KEY, Block, Refused, Say, Talk, Think, Trouble, Turn, Use, require
from tests.harness.servers.handed_out import Entry, HandedOut, json_object
from tests.harness.servers.listening import Reply, json_reply
from tests.harness.servers.wire import STATUS

MODEL = "gemini-3-pro-preview"
PATHS = [f"/{version}/models/{MODEL}:generateContent" for version in ("v1", "v1beta")]
WRONG_KEY = "API key not valid. Please pass a valid API key."
NAMES = {
    400: "INVALID_ARGUMENT",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}


class GoogleGenerate:
    agent = f"google/{MODEL}"
    key_variable = "GOOGLE_API_KEY"
    url_path = ""

    def __init__(self) -> None:
        self.handed = HandedOut()

    def admit(self, path: str, headers: Mapping[str, str], request: dict[str, Any]) -> None:
        if headers.get("x-goog-api-key") != KEY:
            raise Refused("", WRONG_KEY)
        if path not in PATHS:
            raise Refused("", f"{path} is not found", 404)

    def read(self, request: dict[str, Any]) -> Talk:
        system = "".join(part["text"] for part in request.get("systemInstruction", {}).get("parts", []))
        return self.handed.understand(system, [system, request.get("tools")], map(entry_of, request["contents"]))

    def answer(self, request: dict[str, Any], turn: Turn, origin: str) -> Reply:
        """Calls that cannot be read are not handed out: Google gives such a turn up."""
        if any(json_object(use.arguments) is None for use in turn.uses):
            given_up = {
                "index": 0,
                "finishReason": "MALFORMED_FUNCTION_CALL",
                "finishMessage": "Malformed function call",
            }
            return json_reply(200, response(Turn(), origin) | {"candidates": [given_up]})
        told = response(turn, origin)
        self.handed.keep(origin, contents_of(told["candidates"][0]["content"]["parts"]))
        return json_reply(200, told)

    def refuse(self, refused: Refused) -> Reply:
        body = error(refused.status, str(refused))
        if str(refused) == WRONG_KEY:
            body["error"]["details"] = [
                {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
            ]
        return json_reply(refused.status, body)

    def fail(self, request: dict[str, Any], trouble: Trouble) -> Reply:
        status = STATUS[trouble]
        match trouble:
            case "filtered":
                return json_reply(200, {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "modelVersion": MODEL})
            case "overflow":
                said = "The input token count (250000) exceeds the maximum number of tokens allowed (200000)."
                return json_reply(status, error(status, said))
            case "error_body":
                return json_reply(200, error(503, "The model is overloaded."))
        return json_reply(status, error(status, f"injected {trouble}"))


def error(status: int, message: str) -> dict[str, Any]:
    return {"error": {"code": status, "message": message, "status": NAMES[status]}}


def entry_of(entry: dict[str, Any]) -> Entry:
    """A turn, whose thoughts are for people and may stay away, or words, or the responses to all calls of a turn."""
    parts, role = entry["parts"], entry["role"]
    require(parts, role, "must have a part")
    if role == "model":
        made = [part["functionCall"] for part in parts if "functionCall" in part]
        names = [call.get("id", "") for call in made]
        names += [base64.b64decode(part["thoughtSignature"]).decode() for part in parts if "thoughtSignature" in part]
        texts = tuple(part["text"] for part in parts if "text" in part and not part.get("thought"))
        calls = [(call.get("id", ""), call["name"]) for call in made]
        return Entry(role, "model", texts, entry, calls, contents_of(parts), names)
    given = [part["functionResponse"] for part in parts if "functionResponse" in part]
    require(len(given) in (0, len(parts)), role, "responses and words do not mix")
    if not given:
        return Entry(role, "user", tuple(part["text"] for part in parts), entry)
    texts = tuple(text for each in given for text in each["response"].values())
    return Entry(role, "results", texts, entry, [(each.get("id"), each["name"]) for each in given], whole=True)


def contents_of(parts: list[dict[str, Any]]) -> list[list[Any]]:
    return [
        ["use", call.get("id"), call["name"], part.get("thoughtSignature"), call.get("args", {})]
        if (call := part.get("functionCall"))
        else ["text", part["text"], part.get("thoughtSignature")]
        for part in parts
        if not part.get("thought")
    ]


def response(turn: Turn, origin: str) -> dict[str, Any]:
    """The first call of a turn is signed; without a call, the last words are."""
    kept = [block for block in turn.blocks if not isinstance(block, Think)]
    signed = next((block for block in kept if isinstance(block, Use)), kept[-1] if kept else None)
    parts = [part(block, f"{origin}_{index}", block is signed) for index, block in enumerate(turn.blocks)]
    finish = {"length": "MAX_TOKENS", "refusal": "SAFETY"}.get(turn.stop, "STOP")
    return {
        "candidates": [{"index": 0, "content": {"role": "model", "parts": parts}, "finishReason": finish}],
        "usageMetadata": {
            "promptTokenCount": 1_000,
            "cachedContentTokenCount": 400,
            "candidatesTokenCount": 30,
            "thoughtsTokenCount": 20,
            "totalTokenCount": 1_050,
        },
        "modelVersion": MODEL,
        "responseId": origin,
    }


def part(block: Block, name: str, signed: bool) -> dict[str, Any]:
    form = {"thoughtSignature": base64.b64encode(f"sig_{name}".encode()).decode()} if signed else {}
    match block:
        case Think(text):
            return {"text": text, "thought": True}
        case Say(text):
            return {"text": text} | form
        case Use(tool, arguments):
            return {"functionCall": {"id": f"call_{name}", "name": tool, "args": json_object(arguments)}} | form
