"""The requests and answers of a host as an OpenAPI document."""

from typing import Any

from ecbench import __version__
from ecbench.adapters.http.turn_request import KEY_PATTERN, LONGEST_ID
from ecbench.gate import MOST_CALLS

Schema = dict[str, Any]

_TEXT: Schema = {"type": "string"}
_MAYBE: Schema = {"type": ["string", "null"]}
_COUNT: Schema = {"type": "integer", "minimum": 0}
_ID: Schema = {"type": ["string", "null"], "minLength": 1, "maxLength": LONGEST_ID}


def _object(properties: Schema, required: list[str] | None = None) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties) if required is None else required,
    }


_ERROR = _object({"error": _TEXT})
_RESULT = _object(
    {
        "termination_reason": {"enum": ["year_end", "bankruptcy", "turn_limit", "idle", "failed"]},
        "termination_detail": _TEXT,
        "reward_meta": {"type": "object"},
        "env_completed": {"type": "boolean"},
        "env_terminated": {"type": "boolean"},
        "final_state": {"type": "number"},
        "books": {"type": "object"},
        "turns": _COUNT,
    }
)
_SESSION = _object(
    {
        "messages": {"type": "array", "items": _object({"role": _TEXT, "content": _TEXT})},
        "tools": {"type": "array", "items": {"type": "object"}},
        "allow_parallel_tool_calls": {"type": "boolean"},
        "max_turns": _COUNT,
        "config": _object(
            {
                "max_day": _COUNT,
                "initial_balance": {"type": "number"},
                "daily_fee": {"type": "number", "description": "What the cheapest store costs a day, in yuan."},
                "run_index": _COUNT,
                "max_tool_response_chars": _COUNT,
            }
        ),
    }
)
_CALL: Schema = {
    "description": "An object with the name of a tool and its arguments. A call that cannot be read fails alone.",
    "properties": {
        "id": {**_ID, "description": "Unique in the whole year; the server makes one where it is left out."},
        "name": {"description": "The name of a tool."},
        "arguments": {"description": "An object, or the JSON text of one."},
    },
}
_TURN = _object(
    {
        "tool_calls": {"type": "array", "items": _CALL, "minItems": 1, "maxItems": MOST_CALLS},
        "content": {**_MAYBE, "description": "The agent's text, for the record."},
        "reasoning_content": {**_MAYBE, "description": "Its reasoning, for the record."},
    },
    ["tool_calls"],
)
_ANSWERED = _object(
    {
        "tool_responses": {"type": "array", "items": _object({"tool_call_id": _TEXT, "content": _TEXT})},
        "turn": {"type": "integer", "minimum": 1},
        "done": {"type": "boolean"},
        "termination_reason": _MAYBE,
        "termination_detail": _MAYBE,
    }
)
_NEW_SESSION = _object({"token": _TEXT, "run_index": _COUNT})
_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "schema": {"type": "string", "pattern": f"^{KEY_PATTERN}$"},
    "description": "A turn that is sent twice under one key runs once.",
}

_REASONS = {
    400: "Malformed",
    401: "A wrong token",
    403: "A token that plays one year",
    408: "The body did not arrive in time",
    409: "The year is over, or not over yet",
    413: "More than a mebibyte",
    429: "Too many requests, or years",
    431: "An address or headers that are too long",
    503: "The record cannot be written at the moment, or too many requests are being answered",
}
_OF_THE_SERVER = (400, 408, 413, 431, 503)  # answered before the request is read


def document() -> Schema:
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "E-Commerce Bench",
            "version": __version__,
            "description": "A simulated year of an online business, played turn by turn.",
        },
        "paths": {
            "/health": {"get": _operation("health", "Whether the host is there", {200: _object({"status": _TEXT})})},
            "/openapi.json": {"get": _operation("openapi", "This document", {200: {"type": "object"}}, 401, 429)},
            "/v1/session": {"get": _operation("session", "The job, the tools, the terms", {200: _SESSION}, 401, 429)},
            "/v1/actions": {"post": _actions()},
            "/v1/finish": {"post": _posting("finish", "End the year now", {200: _RESULT})},
            "/v1/result": {"get": _operation("result", "How the year ended", {200: _RESULT}, 401, 409, 429)},
            "/v1/sessions": {"post": _posting("sessions", "One more year, and its token", {201: _NEW_SESSION}, 403)},
        },
        "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
    }


def _actions() -> Schema:
    operation = _posting("actions", "Take a turn", {200: _ANSWERED}, 409)
    return operation | {"parameters": [_KEY], "requestBody": _body(_TURN, required=True)}


def _posting(name: str, summary: str, answers: dict[int, Schema], *refusals: int) -> Schema:
    operation = _operation(name, summary, answers, 401, 429, *refusals)
    return operation | {"requestBody": _body({"type": "object"}, required=False)}


def _operation(name: str, summary: str, answers: dict[int, Schema], *refusals: int) -> Schema:
    responses = {str(status): {"description": "Done", "content": _json(schema)} for status, schema in answers.items()}
    responses |= {
        str(status): {"description": _REASONS[status], "content": _json(_ERROR)}
        for status in sorted({*_OF_THE_SERVER, *refusals})
    }
    security: list[Schema] = [] if name == "health" else [{"token": []}]
    return {"operationId": name, "summary": summary, "security": security, "responses": responses}


def _body(schema: Schema, *, required: bool) -> Schema:
    return {"required": required, "content": _json(schema)}


def _json(schema: Schema) -> Schema:
    return {"application/json": {"schema": schema}}
