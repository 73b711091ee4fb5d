"""Ed25519 keys and signatures. No other module uses the `cryptography` package.

A private key is a PEM file that only its owner can read. A public key is a short text, `ed25519:11qYAYKxCrfVS_7...`.
"""

import os
import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct

from ecbench.errors import RunError
from ecbench.extras import import_with_extra
from ecbench.runs.record.atomic_write import read_file, write_new_file

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

PUBLIC_SUFFIX = ".pub"
KEY_FILE_LIMIT = 64 * 1024  # bytes, many times as long as any key
SEED_SIZE = 32
RUN_ID_SIZE = 16

_KIND = "ed25519:"
_PURPOSE = b"ecbench signature\n"  # is signed with the content: such a signature means nothing elsewhere

_PUBLIC = r"\Aed25519:[A-Za-z0-9_-]{43}\Z"
PublicKeyText = Annotated[str, Meta(pattern=_PUBLIC)]


class SignedBy(Struct, frozen=True, omit_defaults=True):
    """What `run.json` states of a signed run."""

    key: PublicKeyText
    run: Annotated[str, Meta(pattern=r"\A[0-9a-f]{32}\Z")]  # random: signatures of different runs cannot be mixed

    @classmethod
    def new(cls, key: "SigningKey") -> "SignedBy":
        return cls(key.public, token_hex(RUN_ID_SIZE))


class SigningKey:
    """A private key in memory. It can be pickled for a worker process, and its `repr` shows the public key alone."""

    __slots__ = ("_key", "public")

    def __init__(self, seed: bytes) -> None:
        self._key: Ed25519PrivateKey = _ed25519().Ed25519PrivateKey.from_private_bytes(seed)
        self.public = _KIND + _text(self._key.public_key().public_bytes_raw())

    def __reduce__(self) -> tuple[Any, ...]:
        return SigningKey, (self._key.private_bytes_raw(),)

    def __repr__(self) -> str:
        return f"<SigningKey {self.public}>"

    def sign(self, content: bytes) -> str:
        return _text(self._key.sign(_PURPOSE + content))

    def pem(self) -> bytes:
        """The key as its file has it."""
        from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

        return self._key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def signature_holds(public: str, signature: str, content: bytes) -> bool:
    """Whether the owner of a public key signed this content."""
    from_bytes = _ed25519().Ed25519PublicKey.from_public_bytes
    from cryptography.exceptions import InvalidSignature

    try:
        from_bytes(_bytes(public.removeprefix(_KIND))).verify(_bytes(signature), _PURPOSE + content)
    except (InvalidSignature, ValueError):
        return False
    return True


def write_new_key(path: Path) -> SigningKey:
    """Make a key, in `path` for its owner and in `path`.pub for everybody. Raises RunError if either exists."""
    key = SigningKey(os.urandom(SEED_SIZE))
    try:
        write_new_file(path, key.pem(), 0o600)
        try:
            write_new_file(public_file(path), f"{key.public}\n".encode(), 0o644)
        except OSError:
            path.unlink()
            raise
    except FileExistsError as error:
        raise RunError(f"{error.filename} exists, and a key is never overwritten; give another name") from error
    except OSError as error:
        raise RunError(f"cannot write {error.filename or path}: {error.strerror}") from error
    return key


def public_file(path: Path) -> Path:
    """Where the public key of a key file lies: beside it."""
    return path.with_name(path.name + PUBLIC_SUFFIX)


def read_signing_key(path: Path) -> SigningKey:
    """Raises RunError if the file contains no private key."""
    content, kind = _key_file(path), _ed25519().Ed25519PrivateKey
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        key = load_pem_private_key(content, None)
        if not isinstance(key, kind):
            raise TypeError("a key of another kind")
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        made = "give the file that `ecbench season keys` made, without .pub"
        raise RunError(f"{path} contains no private key of the kind Ed25519; {made}") from error
    return SigningKey(key.private_bytes_raw())


def read_public_key(given: str) -> str:
    """A public key given as text, or by the file with it. Raises RunError if it is neither."""
    text = given if given.startswith(_KIND) else _key_file(Path(given)).decode(errors="replace").strip()
    if not re.fullmatch(_PUBLIC, text):
        raise RunError(f"{given:.200} is not a public key; KEYFILE.pub contains one ({_KIND} and 43 letters)")
    return text


def _key_file(path: Path) -> bytes:
    try:
        return read_file(path, KEY_FILE_LIMIT)
    except OSError as error:
        made = "`ecbench season keys KEYFILE` makes one"
        raise RunError(f"cannot read the key {path}: {error.strerror}; {made}, and KEYFILE.pub to publish") from error


def _text(content: bytes) -> str:
    return urlsafe_b64encode(content).decode().rstrip("=")


def _bytes(text: str) -> bytes:
    """Raises ValueError, also for text that is not exactly what `_text` gives."""
    content = urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    if _text(content) != text:
        raise ValueError("this is not the base64 that encoding it gives")
    return content


def _ed25519() -> Any:
    return import_with_extra("cryptography.hazmat.primitives.asymmetric.ed25519", "sign")
