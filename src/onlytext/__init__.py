r"""Only the text: takes what is not content out of an LLM reply, before any parser sees it.

>>> from onlytext import Text, clean
>>> clean("<think>Short, then.</think>\nBread is warm.", Text()).text
'Bread is warm.'
"""

from onlytext._clean import clean
from onlytext._fields import clean_fields
from onlytext._format import Marker, Sections, Text
from onlytext._parse import parse
from onlytext._patterns import Patterns
from onlytext._record import Record
from onlytext._reply import Clean, Doubt, Removal
from onlytext.errors import Ambiguous, NoContent, OnlytextError, Refused

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
