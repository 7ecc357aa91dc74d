"""The audit: patterns, and the whole cleaner, over real content that must not change."""

from __future__ import annotations

from onlytext._signed import digest_of, signature_file
from onlytext.audit._bound import upper_bound
from onlytext.audit._corpus import Passage, corpus_files, fingerprint, read_corpus
from onlytext.audit._lint import lint
from onlytext.audit._proof import prove
from onlytext.audit._run import Audit, Change, Hit, Tally, audit
from onlytext.audit._signatures import (
    Signature,
    add_signatures,
    catalogue_signatures,
    read_signatures,
    unsigned,
)
from onlytext.audit._verdicts import (
    Judged,
    Verdict,
    add_verdict,
    read_verdicts,
    spare_cases,
    spare_rows,
)

__all__ = [
    "Audit",
    "Change",
    "Hit",
    "Judged",
    "Passage",
    "Signature",
    "Tally",
    "Verdict",
    "add_signatures",
    "add_verdict",
    "audit",
    "catalogue_signatures",
    "corpus_files",
    "digest_of",
    "fingerprint",
    "lint",
    "prove",
    "read_corpus",
    "read_signatures",
    "read_verdicts",
    "signature_file",
    "spare_cases",
    "spare_rows",
    "unsigned",
    "upper_bound",
]
