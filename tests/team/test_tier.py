"""How large a change is."""

import pytest

from drumline.team.tier import Tier, tier_for


@pytest.mark.requirement("PIPE-02")
@pytest.mark.parametrize(
    ("files", "modules", "tier"),
    [
        (0, 0, Tier.TRIVIAL),
        (2, 1, Tier.TRIVIAL),
        (3, 1, Tier.STANDARD),
        (3, 2, Tier.STANDARD),
        (4, 1, Tier.COMPLEX),
        (3, 3, Tier.COMPLEX),
        (2, 2, Tier.STANDARD),
        (1, 5, Tier.COMPLEX),
        (50, 1, Tier.COMPLEX),
    ],
)
def test_the_higher_of_files_and_modules_decides_the_tier(files, modules, tier):
    assert tier_for(files, modules) is tier
