"""What probes come to when one scene shows several things: who failed is told, and nobody else is blamed."""

import pytest

from drumline.runtimes.probes import Probe, Scene, Seen, proofs

BOTH = ("here", "there")
SCENES = {name: Scene(on="session", nudge=name) for name in (*BOTH, "both")}
TABLE = [
    Probe(name, "both", lambda seen: "" if seen.text == "well" else "it let go", "held", "", name)
    for name in BOTH
]


@pytest.mark.requirement("RUN-08")
@pytest.mark.parametrize(
    ("wrong", "passed", "played"),
    [
        pytest.param((), (True, True), ["both"], id="nothing is wrong, and one scene shows it"),
        pytest.param(
            ("both", "there"), (True, False), ["both", *BOTH], id="one of them is wrong, and named"
        ),
        pytest.param(
            ("both",), (False, False), ["both", *BOTH], id="each holds alone, but not together"
        ),
        pytest.param(
            ("both", *BOTH), (False, False), ["both", *BOTH], id="both are wrong, and named"
        ),
    ],
)
def test_what_fails_together_is_looked_for_alone(wrong, passed, played):
    shown = []

    def play(scene, _seconds):
        shown.append(scene.nudge)
        return Seen(text="" if scene.nudge in wrong else "well")

    found = list(proofs(TABLE, SCENES, play, lambda _: None))
    assert tuple(each.passed for each in found) == passed
    assert sorted(shown) == sorted(played)
