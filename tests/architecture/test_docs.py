"""The pages say what the code says."""

import re
from pathlib import Path

import pytest

from docs.generate import outdated

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "AGENTS.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_the_pages_made_from_the_code_are_up_to_date():
    assert outdated() == [], "run: make docs"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page):
    links = re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


def test_every_command_is_shown_under_its_own_name():
    page = (ROOT / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    shown = re.findall(r"^## `(.+)`\n\n    Usage: (.+?) (?:\[|[A-Z])", page, re.MULTILINE)
    assert len(shown) > 20
    assert [pair for pair in shown if pair[0] != pair[1]] == []


def test_the_short_guide_is_short():
    assert len((ROOT / "AGENTS.md").read_text(encoding="utf-8").splitlines()) <= 80


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_a_page_shows_exists(page):
    from drumline.surfaces.cli.main import NOUNS  # noqa: PLC0415 - only this test asks

    shown = re.findall(
        r"^    (?:\$ )?(?:\.venv/bin/)?drumline ([a-z]+)", page.read_text("utf-8"), re.MULTILINE
    )
    assert set(shown) <= NOUNS.keys()


def test_nothing_in_the_repository_names_where_packages_came_from():
    places = re.compile(r"pypi\.org|pythonhosted|registry\.npmjs|deb\.debian", re.IGNORECASE)
    tracked = [
        path
        for pattern in ("*.toml", "Makefile", "requirements/*.lock", "src/**/*.py", "docs/**/*.md")
        for path in ROOT.glob(pattern)
    ]
    assert [path.name for path in tracked if places.search(path.read_text(encoding="utf-8"))] == []
