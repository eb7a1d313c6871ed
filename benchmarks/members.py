"""A thousand scripted members on one machine: what each occupies and what its work costs."""

from time import sleep
from typing import NamedTuple

from benchmarks.crowd import Crowds, Memory, Worked, crowds
from benchmarks.report import Bench, Verdict, rate, times
from drumline.team.life import RENEWAL

NAME = "members"
FEW, HANDFUL = 10, 4
MEGABYTE = 1_000_000


class Stay(NamedTuple):
    """A crowd that came, rested and worked."""

    members: int
    teams: int
    start: float
    memory: Memory
    resting: float
    worked: Worked


def run(bench: Bench) -> None:
    members = bench.pick(1000, 200)
    bench.report.heading(NAME, f"{members:,} scripted members, all in one process of a team")
    stay = _stay(bench, members)
    alone = _alone(bench, members)
    with crowds(bench.place, FEW, together=FEW) as few:
        few.idle()
        small = few.work(bench.pick(200, 50))
    _show(bench, stay, small, alone)
    _judge(bench, stay, small, alone)


def _stay(bench: Bench, members: int) -> Stay:
    with crowds(bench.place, members, together=members) as found:
        start = found.idle()
        memory = _sum(found.of_runners(), found.of_planes())
        resting = _resting(found, bench.pick(2, 1) * RENEWAL.total_seconds())
        return Stay(members, found.teams, start, memory, resting, found.work(members))


def _alone(bench: Bench, members: int) -> Memory:
    """What as many would occupy with a process each: a handful is measured, their plane shared by all."""
    with crowds(bench.place, HANDFUL, together=1) as found:
        found.idle()
        each, plane = found.of_runners(), found.of_planes()
    scale = members / HANDFUL
    return Memory(each[0] * scale + plane[0], each[1] * scale + plane[1])


def _resting(found: Crowds, seconds: float) -> float:
    """The part of one processor that a crowd takes while nobody has anything to do."""
    before = found.processor()
    sleep(seconds)
    return (found.processor() - before) / seconds


def _sum(one: Memory, other: Memory) -> Memory:
    return Memory(one[0] + other[0], one[1] + other[1])


def _show(bench: Bench, stay: Stay, small: Worked, alone: Memory) -> None:
    members, worked = stay.members, stay.worked
    rows = [
        ("seconds until all are idle", f"{stay.start:.1f}"),
        ("MB of memory for each", f"{stay.memory.resident / members / MEGABYTE:.3f}"),
        ("MB for each, one process a member", f"{alone.resident / members / MEGABYTE:.1f}"),
        ("% of a processor while idle", f"{stay.resting * 100:.1f}"),
        ("tool calls per second, a task each", rate(worked.per_second)),
        ("ms of processor for each", f"{worked.each * 1000:.1f}"),
        (f"the same with {FEW} members", f"{small.each * 1000:.1f}"),
    ]
    bench.report.table(("", f"{members:,} in {stay.teams} teams"), rows)
    bench.report.keep(
        NAME,
        members=members,
        teams=stay.teams,
        start_seconds=stay.start,
        bytes_each=stay.memory.resident / members,
        bytes_each_alone=alone.resident / members,
        idle_processors=stay.resting,
        calls_per_second=worked.per_second,
        processor_seconds_a_call=worked.each,
        processor_seconds_a_call_few=small.each,
    )


def _judge(bench: Bench, stay: Stay, small: Worked, alone: Memory) -> None:
    here, there = (each.resident / stay.members / MEGABYTE for each in (stay.memory, alone))
    once = stay.memory.shared_once / alone.shared_once
    bench.report.judge(
        Verdict(
            subject=NAME,
            says="memory of a member against a process of its own",
            ratio=stay.memory.resident / alone.resident,
            target=0.02,
            at_least=False,
            detail=f"{here:.3f} MB : {there:.1f} MB; shared pages counted once {times(once)} x",
        )
    )
    bench.report.judge(
        Verdict(
            subject=NAME,
            says=f"processor for a task with one call, {stay.members:,} members against {FEW}",
            ratio=stay.worked.each / small.each,
            target=1.3,
            at_least=False,
            detail=f"{stay.worked.each * 1000:.0f} ms : {small.each * 1000:.0f} ms",
        )
    )
