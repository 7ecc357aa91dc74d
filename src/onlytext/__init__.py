r"""Only the text: takes what is not content out of an LLM reply, before any parser sees it.

>>> from onlytext import Text, clean
>>> clean("<think>Short, then.</think>\nBread is warm.", Text()).text
'Bread is warm.'
"""

from typing import TYPE_CHECKING

from onlytext._clean import clean
from onlytext._format import Marker, Sections, Text
from onlytext._patterns import Patterns
from onlytext._reply import Clean, Doubt, Removal
from onlytext.errors import Ambiguous, NoContent, OnlytextError, Refused

if TYPE_CHECKING:
    from onlytext._fields import clean_fields
    from onlytext._parse import parse
    from onlytext._record import Record
else:
    # What not every program asks for is imported when it is, so that the import stays quick.
    _LATER = {
        "Record": "onlytext._record",
        "clean_fields": "onlytext._fields",
        "parse": "onlytext._parse",
    }

    def __getattr__(name: str) -> object:
        if name not in _LATER:
            raise AttributeError(f"module 'onlytext' has no attribute {name!r}")
        from importlib import import_module

        found = globals()[name] = getattr(import_module(_LATER[name]), name)
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})


__all__ = [
    "Ambiguous",
    "Clean",
    "Doubt",
    "Marker",
    "NoContent",
    "OnlytextError",
    "Patterns",
    "Record",
    "Refused",
    "Removal",
    "Sections",
    "Text",
    "clean",
    "clean_fields",
    "parse",
]
