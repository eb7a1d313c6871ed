"""When an account may be used again, from the words in which Codex says that it may not."""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

_LIMIT = re.compile(r"usage limit|quota exceeded", re.IGNORECASE)
_AT = re.compile(
    r"try again at (?:([A-Z][a-z]{2}) ([0-9]{1,2})(?:st|nd|rd|th), ([0-9]{4}) )?"
    r"([0-9]{1,2}):([0-9]{2}) ([AP]M)",
    re.IGNORECASE,
)
_IN = re.compile(r"try again in ((?:[0-9]+ (?:day|hour|minute)s? ?)+)", re.IGNORECASE)
_SPAN = re.compile(r"([0-9]+) (day|hour|minute)", re.IGNORECASE)
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()  # noqa: SIM905 - as one reads them
NOON = 12


def is_limit(said: str) -> bool:
    """Whether these words say that the account is used up, rather than that one request went wrong."""
    return _LIMIT.search(said) is not None


def lifted_at(said: str, told_at: datetime, zone: tzinfo | None) -> datetime | None:
    """The time that words told at a time name, read in this zone; None where they name none."""
    try:
        then = _clock_time(said, told_at.astimezone(zone).replace(tzinfo=zone))
        return then.astimezone(UTC) if then is not None else _after(said, told_at)
    except (ValueError, OverflowError):
        return None


def zone_of(name: str) -> tzinfo | None:
    """The zone in which a process with this TZ writes times; None is that of this machine."""
    try:
        return ZoneInfo(name) if name else None
    except (ValueError, OSError, KeyError):
        return None


def _clock_time(said: str, now: datetime) -> datetime | None:
    """As on a clock: a time alone is the next one of that name."""
    found = _AT.search(said)
    if found is None:
        return None
    month, day, year, hour, minute, half = found.groups()
    hour = int(hour) % NOON + (NOON if half.upper() == "PM" else 0)
    then = now.replace(hour=hour, minute=int(minute), second=0, microsecond=0)
    if month:
        then = then.replace(year=int(year), month=_MONTHS.index(month.lower()) + 1, day=int(day))
    elif then <= now - timedelta(minutes=1):
        then += timedelta(days=1)
    return then


def _after(said: str, told_at: datetime) -> datetime | None:
    found = _IN.search(said)
    if found is None:
        return None
    spans = {f"{unit.lower()}s": int(count) for count, unit in _SPAN.findall(found[1])}
    return (told_at + timedelta(**spans)).astimezone(UTC)
