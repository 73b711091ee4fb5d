"""Notes the agent keeps in the environment, out of reach of context eviction."""

from ecbench.tools.arguments import Arguments, optional_text
from ecbench.tools.office import Office, Refused, Reply

ACTIONS = ("add", "get", "update", "delete", "list")


def operate_memory(office: Office, arguments: Arguments) -> Reply:
    action = optional_text(arguments, "action")
    title = optional_text(arguments, "title")
    content = optional_text(arguments, "content")
    memos, limit = office.account.books.memory, office.account.rules.memory_entries
    if action not in ACTIONS:
        raise Refused(f"action must be one of {', '.join(ACTIONS)}")
    if action == "list" or (action == "get" and title is None):
        return {"memos": dict(memos), "total_memos": len(memos)}
    if title is None:
        raise Refused(f"action {action!r} needs a title")
    if action == "add":
        return _add(memos, title, content, limit)
    if action == "get":
        return _get(memos, title)
    if title not in memos:
        raise Refused(f"no memo is titled {title[:80]!r}; action 'list' shows them all")
    if action == "delete":
        del memos[title]
        return {"success": True, "message": f"Deleted the memo {title[:80]!r}.", "total_memos": len(memos)}
    memos[title] = _required(content)
    return {"success": True, "message": f"Updated the memo {title[:80]!r}."}


def _get(memos: dict[str, str], title: str) -> Reply:
    if title not in memos:
        return {"error": f"no memo is titled {title[:80]!r}", "titles": list(memos)}
    return {"title": title, "content": memos[title]}


def _add(memos: dict[str, str], title: str, content: str | None, limit: int) -> Reply:
    if title in memos:
        raise Refused(f"a memo titled {title[:80]!r} exists; change it with action 'update'")
    text = _required(content)
    if len(memos) >= limit:
        raise Refused(f"all {limit} memos are in use; delete or update one")
    memos[title] = text
    return {"success": True, "message": f"Added the memo {title[:80]!r}.", "total_memos": len(memos)}


def _required(content: str | None) -> str:
    if content is None:
        raise Refused("content must not be empty")
    return content
