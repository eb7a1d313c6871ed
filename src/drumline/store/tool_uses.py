"""The rows of tools: what members were given in a phase, and how often they called what."""

import json
from collections.abc import Sequence

from drumline.store.engine import Row, from_rows
from drumline.store.session import Session
from drumline.team.tool_use import Kit, Used


@from_rows
def as_kit(row: Row) -> Kit:
    """A row of `kits` as the noun it is."""
    return Kit(row["member"], tuple(json.loads(row["tools"])), tuple(json.loads(row["servers"])))


@from_rows
def as_used(row: Row) -> Used:
    """A row of `tool_uses` as the noun it is."""
    return Used(*(row[name] for name in Used._fields))


class ToolUses:
    """What one team's members used."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, used: Sequence[Used]) -> None:
        for each in used:
            self._session.write("tool_uses", "count_tool_use", **each._asdict())

    def names(self, run: str, phase: str, member: str) -> frozenset[str]:
        where = {"run": run, "phase": phase, "member": member}
        return frozenset(row["tool"] for row in self._session.read("tools_used_by", **where))

    def page(self, run: str = "") -> list[Used]:
        return [as_used(row) for row in self._session.read("list_tool_uses", run=run)]

    def kits(self, run: str, phase: str) -> list[Kit]:
        return [as_kit(row) for row in self._session.read("kits_in_phase", run=run, phase=phase)]

    def equip(self, run: str, phase: str, kit: Kit) -> bool:
        where = {"run": run, "phase": phase, "member": kit.member}
        known = self._session.read("get_kit", **where)
        if known and as_kit(known[0]) == kit:
            return False
        given = {"tools": json.dumps(kit.tools), "servers": json.dumps(kit.servers)}
        self._session.write("kits", "keep_kit", **where, **given)
        return True
