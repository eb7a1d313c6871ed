"""How much property tests try: the same examples every time, and three times as many others for who goes out to find more."""

import os
from collections.abc import Collection

from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

EXPLORE = "DRUMLINE_TEST_EXPLORE"
USUAL = 100  # what Hypothesis tries unless it is told otherwise
SHARE, FEWEST = 3, 10


def tries(many: int, share: int = 1) -> int:
    """How many examples of so many: to try the same ones again finds what changed, and for that a part is enough."""
    return many if os.environ.get(EXPLORE) else min(many, max(many // SHARE, FEWEST)) // share


def choose() -> None:
    """Let every property test that says nothing else go by this."""
    settings.register_profile("the same every time", derandomize=True, max_examples=tries(USUAL))
    if not os.environ.get(EXPLORE):
        settings.load_profile("the same every time")


def play(
    machine: type[RuleBasedStateMachine],
    histories: int,
    steps: int,
    unhealthy: Collection[HealthCheck] = (HealthCheck.too_slow,),
) -> None:
    """Play so many histories of a state machine."""
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=histories,
            stateful_step_count=steps,
            deadline=None,
            suppress_health_check=unhealthy,
        ),
    )
