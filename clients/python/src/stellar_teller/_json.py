"""Exact JSON. Amounts and memo ids are integers of 64 bits, and metadata comes back exactly as it was given.

- A member that is named like an amount must be an integer literal: 1.0, 1e7 and "1" are no amounts.
- A member may be there once: two readers of a doubled member could see two amounts.
- Metadata belongs to its owner, so none of this holds inside it. Its source text is kept beside its value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

EXACT_NAME = re.compile(r"(^|_)(stroops|memo_id|sequence)$|^next_after$")

# int() of more digits raises ValueError since Python 3.11, for it takes quadratic time. Before, it took the time.
_MAX_DIGITS = 4300
# The service takes 32. Versions of Python differ in what their stack takes.
_MAX_DEPTH = 100
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_NESTING = re.compile(rf"{_STRING.pattern}|[\[{{]|[\]}}]", re.DOTALL)
_COLON = re.compile(r"[ \t\r\n]*:[ \t\r\n]*")


def read(content: bytes) -> Any:
    """The value of a JSON text in UTF-8. An object with `metadata` gets `metadata_text`: its source, or None for null.

    Raises ValueError for everything that is not exactly readable, whatever the bytes are.
    """
    text = content.decode("utf-8")
    _check_depth(text)
    texts: list[str] = []
    return _reader(texts).decode(_without_metadata(text, texts))


def write(value: object) -> bytes:
    """The JSON text of a request. `metadata_text` of an object is written as its `metadata`, as it is.

    Raises TypeError for a value that JSON does not have, and ValueError for a number that is not finite, and for an
    object whose `metadata` and `metadata_text` differ.
    """
    return _text_of(value, in_metadata=False).encode("utf-8")


def _text_of(value: object, in_metadata: bool) -> str:
    """`in_metadata`: names mean nothing there."""
    if isinstance(value, Mapping):
        if not in_metadata and "metadata" in value and "metadata_text" in value:
            value = _with_one_metadata(value)
        return "{" + ",".join(_member(name, member, in_metadata) for name, member in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes, bytearray)):
        return "[" + ",".join(_text_of(item, in_metadata) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _member(name: object, value: object, in_metadata: bool) -> str:
    if not isinstance(name, str):
        raise TypeError(f"the name of a JSON member must be a text, not {name!r}")
    if name == "metadata_text" and not in_metadata:
        return f'"metadata":{_checked(value)}'
    return f"{_text_of(name, in_metadata)}:{_text_of(value, in_metadata or name == 'metadata')}"


def _with_one_metadata(value: Mapping[Any, object]) -> Mapping[Any, object]:
    """Leaves out `metadata` where `metadata_text` says the same, as in everything that this client has read."""
    text = _checked(value["metadata_text"])
    if _spelled(read(f'{{"metadata":{text}}}'.encode())["metadata"]) != _spelled(value["metadata"]):
        raise ValueError("metadata and metadata_text differ: give one of them")
    return {name: member for name, member in value.items() if name != "metadata"}


def _spelled(value: object) -> str:
    """One text for one value: Python takes True, 1 and 1.0 for the same."""
    return json.dumps(value, sort_keys=True)


def _checked(text: object) -> str:
    """The text, if it is one JSON object: any other would write members of its own beside the metadata."""
    if text is None:
        return "null"
    if not isinstance(text, str) or not isinstance(_PLAIN.decode(text), dict):
        raise ValueError("metadata_text must be the text of a JSON object")
    return text


def _check_depth(text: str) -> None:
    if text.count("[") + text.count("{") <= _MAX_DEPTH:
        return
    depth = 0
    for token in _NESTING.finditer(text):
        match token.group():
            case "[" | "{":
                depth += 1
            case "]" | "}":
                depth -= 1
        if depth > _MAX_DEPTH:
            raise ValueError(f"is nested deeper than {_MAX_DEPTH} levels")


def _without_metadata(text: str, texts: list[str]) -> str:
    """The text with a number in place of each `metadata`: the number of its source in `texts`."""
    parts: list[str] = []
    copied = position = 0
    while found := _STRING.search(text, position):
        position = found.end()
        if not _is_metadata(found.group()):
            continue
        colon = _COLON.match(text, position)
        if colon is None:
            continue
        _, position = _PLAIN.raw_decode(text, colon.end())
        parts += (text[copied : colon.end()], str(len(texts)))
        texts.append(text[colon.end() : position])
        copied = position
    return "".join((*parts, text[copied:]))


def _is_metadata(token: str) -> bool:
    return token == '"metadata"' or ("\\" in token and _PLAIN.decode(token) == "metadata")


def _integer(digits: str) -> int:
    if len(digits) > _MAX_DIGITS:
        raise ValueError(f"has an integer of {len(digits)} digits")
    return int(digits)


def _no_constant(name: str) -> None:
    raise ValueError(f"has {name}, which is no JSON")


_PLAIN = json.JSONDecoder(parse_int=_integer, parse_constant=_no_constant)


def _reader(texts: list[str]) -> json.JSONDecoder:
    def checked(members: list[tuple[str, Any]]) -> dict[str, Any]:
        value: dict[str, Any] = {}
        for name, member in members:
            if name in value:
                raise ValueError(f"has the member {name!r} twice")
            if EXACT_NAME.search(name) and member is not None and type(member) is not int:
                raise ValueError(f"has a {name!r} that is no integer")
            value[name] = member
        if "metadata" in value:
            source = texts[value["metadata"]]
            value["metadata"] = _PLAIN.decode(source)
            value["metadata_text"] = None if value["metadata"] is None else source
        return value

    return json.JSONDecoder(object_pairs_hook=checked, parse_int=_integer, parse_constant=_no_constant)
