"""What a run came to, in words."""

from typing import Any


def summary_lines(found: dict[str, Any]) -> list[str]:
    """A run's summary, a fact a line."""
    head = f"{found['run']} is {found['state']}" + (f": {found['why']}" if found["why"] else "")
    cost = (
        f"{found['seconds']:.0f} s, {found['usd']:.4f} USD, {found['tokens']:,} tokens,"
        f" {found['lead_calls']} calls of the lead, {found['other_calls']} of others"
    )
    shares = ", ".join(
        f"{zone} {said['share']:.0%}{_against(said)}" for zone, said in found["shares"].items()
    )
    gates = [
        f"gate {each['phase']} ({each['iteration']}.): {each['state']} by {each['by']}  {each['summary']}"
        for each in found["gates"]
    ]
    tasks = [
        f"{each['task']} {each['state']}: {each['title']}"
        + (f"  ({each['failures']} failures)" if each["failures"] else "")
        for each in found["tasks"]
    ]
    reviews = [
        f"{each['task']} {each['step']}: {each['verdict']} by {each['by']} at {each['version'][:12]}"
        for each in found["reviews"]
    ]
    more = [
        f"{name}: {said}" for kind in ("escalations", "gaps") for name, said in found[kind].items()
    ]
    commit = [f"delivered as {found['commit'][:12]}"] if found["commit"] else []
    return [
        head,
        *_stands_still(found),
        cost,
        f"of what members cost: {shares}",
        *gates,
        *tasks,
        *reviews,
        *more,
        *commit,
    ]


def _stands_still(found: dict[str, Any]) -> list[str]:
    """What a run that is not over waits for, and who does not run that should."""
    waits = [f"waits for: {found['waits_for']}"] if found["waits_for"] else []
    return waits + [f"{name} is away: {why}" for name, why in found["away"].items()]


def _against(said: dict[str, Any]) -> str:
    """What a zone's share was meant to be, and whether it is; nothing where nothing was meant."""
    if said["meant"] is None:
        return ""
    verdict = {True: ", kept", False: ", not kept", None: ""}[said["kept"]]
    return f" (meant {said['meant']:.0%}{verdict})"
