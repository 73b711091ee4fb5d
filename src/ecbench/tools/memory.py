"""Notes the agent keeps in the environment, out of reach of context eviction."""

from ecbench.tools.arguments import Arguments, optional_text
from ecbench.tools.office import Office, Refused, Reply

ACTIONS = ("add", "get", "update", "delete", "list")


def operate_memory(office: Office, arguments: Arguments) -> Reply:
    action, title = optional_text(arguments, "action"), optional_text(arguments, "title")
    content = optional_text(arguments, "content")
    memos, limit = office.account.books.memory, office.account.rules.memory_entries
    if action not in ACTIONS:
        raise Refused(f"action must be one of {', '.join(ACTIONS)}")
    if action == "list" or (action == "get" and title is None):
        return {"memos": dict(memos), "total_memos": len(memos)}
    if title is None:
        raise Refused(f"action {action!r} needs a title")
    quoted = repr(title[:80])
    if action == "get":
        if title not in memos:
            return {"error": f"no memo is titled {quoted}", "titles": list(memos)}
        return {"title": title, "content": memos[title]}
    if action == "add" and title in memos:
        raise Refused(f"a memo titled {quoted} exists; change it with action 'update'")
    if action != "add" and title not in memos:
        raise Refused(f"no memo is titled {quoted}; action 'list' shows them all")
    if action == "delete":
        del memos[title]
        return {"success": True, "message": f"Deleted the memo {quoted}.", "total_memos": len(memos)}
    if content is None:
        raise Refused("content must not be empty")
    if action == "update":
        memos[title] = content
        return {"success": True, "message": f"Updated the memo {quoted}."}
    if len(memos) >= limit:
        raise Refused(f"all {limit} memos are in use; delete or update one")
    memos[title] = content
    return {"success": True, "message": f"Added the memo {quoted}.", "total_memos": len(memos)}
