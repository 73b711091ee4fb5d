"""Parts of a page that a script unpacks when they are wanted."""

import base64
import gzip
import json
from typing import Any


def packed(content: str) -> str:
    """The same text for the same content: no clock goes into the header. Half of a surrogate pair becomes a ?."""
    return base64.b64encode(gzip.compress(content.encode(errors="replace"), 6, mtime=0)).decode()


def packed_data(data: Any) -> str:
    return packed(json.dumps(data, ensure_ascii=False, separators=(",", ":")))
