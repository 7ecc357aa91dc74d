"""Stored replies, by the million: Arrow batches and files. Needs `pip install "onlytext[bulk]"`."""

from onlytext._visible import visible
from onlytext.bulk._batch import batch_schema, clean_batch
from onlytext.bulk._plan import Wish
from onlytext.bulk._report import figures, report_page
from onlytext.bulk._run import Progress, Summary, clean_files
from onlytext.bulk._tally import Finding, Sample, Tally
from onlytext.bulk.errors import BulkError

__all__ = [
    "BulkError",
    "Finding",
    "Progress",
    "Sample",
    "Summary",
    "Tally",
    "Wish",
    "batch_schema",
    "clean_batch",
    "clean_files",
    "figures",
    "report_page",
    "visible",
]
