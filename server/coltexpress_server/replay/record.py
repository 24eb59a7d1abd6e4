"""An exported game's commits, read from the first to the last against what should stand there."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import msgspec

from coltexpress_server.replay.document import AnyEvent, Commit


class Discrepancy(Exception):
    """The file says something else than the seed and the rules do."""


class Record:
    """A place among the commits and their events.

    Every method raises Discrepancy where the file does not say what it should, naming the version.
    """

    def __init__(self, commits: Sequence[Commit]) -> None:
        """Opens the commit that started the game."""
        self._commits = commits
        self._next_commit = 0
        self._version = 0
        self._events: Sequence[AnyEvent] = ()
        self._next_event = 0
        start = self._turn_page()
        if start.choice or start.seat is not None:
            raise self.wrong("the game starts with a choice")

    def happens(self, *expected: AnyEvent) -> None:
        """These events come next."""
        for event in expected:
            if self._next_event == len(self._events):
                raise self.wrong(f"an event is missing: {_json(event)}")
            found = self._events[self._next_event]
            self._next_event += 1
            if found != event:
                raise self.wrong(f"it should be {_json(event)}, the file has {_json(found)}")

    def choice(self, seat: int, options: Collection[str]) -> str:
        """The next commit's choice: it is this seat's, and among these options."""
        _, choice = self.answer([seat])
        if choice not in options:
            raise self.wrong(
                f"seat {seat} can choose among {', '.join(sorted(options))}, "
                f"the file has {choice or 'no choice'}"
            )
        return choice

    def answer(self, seats: Collection[int]) -> tuple[int, str]:
        """The next commit's choice, which is that of one of these seats, and which one's it is."""
        self._all_read()
        commit = self._turn_page()
        if commit.seat is None or commit.seat not in seats:
            asked = " or ".join(str(seat) for seat in seats)
            raise self.wrong(f"seat {asked} is to choose, the file has seat {commit.seat}")
        return commit.seat, commit.choice

    def ends(self) -> None:
        """Nothing comes any more."""
        self._all_read()
        if self._next_commit < len(self._commits):
            self._turn_page()
            raise self.wrong("the game was over before this commit")

    def wrong(self, what: str) -> Discrepancy:
        """A discrepancy at the place reached."""
        place = f"version {self._version}"
        if self._next_event:
            place += f", event {self._next_event}"
        return Discrepancy(f"{place}: {what}")

    def _all_read(self) -> None:
        if self._next_event < len(self._events):
            found = self._events[self._next_event]
            self._next_event += 1
            raise self.wrong(f"the file has an event too many: {_json(found)}")

    def _turn_page(self) -> Commit:
        """Opens the next commit in which something of the game happened.

        Others, a seat that was left to a bot for instance, have neither choice nor events.
        """
        while self._next_commit < len(self._commits):
            commit = self._commits[self._next_commit]
            if self._next_commit and commit.version != self._version + 1:
                raise self.wrong(f"version {commit.version} follows")
            self._next_commit += 1
            self._version = commit.version
            self._events = commit.events
            self._next_event = 0
            if commit.choice or commit.events:
                return commit
        raise self.wrong("the file ends before the game does")


def _json(event: AnyEvent) -> str:
    return msgspec.json.encode(event).decode()
