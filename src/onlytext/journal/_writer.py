"""The one thread that writes: what is handed in while it commits shares the next commit."""

from __future__ import annotations

import asyncio
import atexit
import queue
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError

from onlytext.journal._errors import JournalError
from onlytext.journal._statements import Rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy.engine import Connection

    from onlytext.journal._place import Place

# So many pieces of work share a commit at the most.
_GROUP: Final = 512
_TRIES: Final = 5
# What PostgreSQL calls two transactions that got in each other's way: one is to try again.
_AGAIN: Final = frozenset({"40001", "40P01"})

Asked = frozenset[str]


@dataclass(slots=True, eq=False)
class Work:
    """Rows to store, or a question to ask in the same transaction, and who waits for it if anybody does."""

    rows: Rows | None = None
    ask: Callable[[Connection], Asked] | None = None
    waiter: asyncio.Future[Asked] | None = None


class Writer:
    """Commits what is handed in, in the order it came, and tells each that waits for it."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._engine = place.writer()
        self._work: queue.SimpleQueue[Work | None] = queue.SimpleQueue()
        self._connection: Connection | None = None
        self._lock = threading.Lock()
        self._closed = False
        self._thread: threading.Thread | None = None

    async def done(self, work: Work) -> Asked:
        """The answer once it is durable. Cancelled, the work is done all the same."""
        work.waiter = asyncio.get_running_loop().create_future()
        self.hand_in(work)
        return await work.waiter

    def hand_in(self, work: Work) -> None:
        """Leave the work to the thread, which starts with the first."""
        with self._lock:
            if self._closed:
                raise JournalError(f"{self._place} is closed")
            if self._thread is None:
                # What was handed in is stored before the interpreter ends, and a journal that
                # nobody closed doesn't keep it from ending.
                self._thread = threading.Thread(
                    target=self._run, name="onlytext journal", daemon=True
                )
                self._thread.start()
                atexit.register(self.close)
            self._work.put(work)

    def close(self) -> None:
        """Store what was handed in, and give the connection back. Closing twice does no harm."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._work.put(None)
            thread = self._thread
        if thread is not None:
            thread.join()
            atexit.unregister(self.close)
        self._engine.dispose()

    def _run(self) -> None:
        try:
            while (first := self._work.get()) is not None:
                group, last = self._group(first)
                self._settle(group)
                if last:
                    break
        finally:
            self._disconnect()

    def _group(self, first: Work) -> tuple[list[Work], bool]:
        """All that is waiting, and whether the end was among it."""
        group = [first]
        while len(group) < _GROUP:
            try:
                work = self._work.get_nowait()
            except queue.Empty:
                return group, False
            if work is None:
                return group, True
            group.append(work)
        return group, False

    def _settle(self, group: list[Work]) -> None:
        """Commit the group; where that fails for what one of them holds, commit each by itself."""
        try:
            answers = self._commit(group)
        except OperationalError as error:
            _tell(group, self._place.error("can't be written", error))
        except Exception as error:  # noqa: BLE001 - whatever it is, those who wait have to be told
            if len(group) == 1:
                if isinstance(error, (SQLAlchemyError, OSError)):
                    error = self._place.error("can't take this in", error)
                _tell(group, error)
                return
            for work in group:
                self._settle([work])
        else:
            _tell(group, answers)

    def _commit(self, group: list[Work]) -> list[Asked]:
        for attempt in range(1, _TRIES + 1):
            try:
                return self._transact(group)
            except DBAPIError as error:
                lost = error.connection_invalidated
                if not lost and getattr(error.orig, "sqlstate", None) not in _AGAIN:
                    raise
                # Every store may be done twice, so it doesn't matter how far this one had come.
                if lost:
                    self._disconnect()
                if attempt == _TRIES:
                    raise
        raise AssertionError("there is at least one try")  # pragma: no cover

    def _transact(self, group: list[Work]) -> list[Asked]:
        if self._connection is None:
            self._connection = self._engine.connect()
        rows = Rows()
        for work in group:
            if work.rows is not None:
                rows.update(work.rows)
        with self._connection.begin():
            rows.store(self._connection)
            return [
                frozenset[str]() if work.ask is None else work.ask(self._connection)
                for work in group
            ]

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _tell(group: Sequence[Work], what: Sequence[Asked] | Exception) -> None:
    """Tell each that waits; those of one event loop in one go."""
    loops: dict[asyncio.AbstractEventLoop, list[Callable[[], None]]] = {}
    for number, work in enumerate(group):
        if work.waiter is not None:
            tellers = loops.setdefault(work.waiter.get_loop(), [])
            tellers.append(_teller(work.waiter, what, number))
    for loop, tellers in loops.items():
        try:
            loop.call_soon_threadsafe(_call_all, tellers)
        except RuntimeError:
            # The loop is closed, so nobody waits any more; the rows are stored.
            continue


def _teller(
    waiter: asyncio.Future[Asked], what: Sequence[Asked] | Exception, number: int
) -> Callable[[], None]:
    def tell() -> None:
        if not waiter.done():
            _finish(waiter, what, number)

    return tell


def _call_all(tellers: list[Callable[[], None]]) -> None:
    for tell in tellers:
        tell()


def _finish(
    waiter: asyncio.Future[Asked],
    what: Sequence[Asked] | Exception,
    number: int,
) -> None:
    if isinstance(what, JournalError):
        # One exception for each: a traceback grows where it is raised.
        again = JournalError(str(what))
        again.__cause__ = what.__cause__ or what
        waiter.set_exception(again)
    elif isinstance(what, Exception):
        waiter.set_exception(what)
    else:
        waiter.set_result(what[number])
