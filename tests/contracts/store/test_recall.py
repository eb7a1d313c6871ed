"""What every store promises about recall: it finds what is written down now, wherever, by plain words."""

import os
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from drumline.control import handoffs, recall, team_notes
from drumline.control.recall import CANDIDATES, Wanted
from drumline.control.team_notes import Saying
from drumline.errors import BadInput
from drumline.store.database import Database
from drumline.store.memory_files import MemoryFiles
from drumline.store.upkeep import Caretaker
from drumline.team.document import Reading
from drumline.team.handoff import read_handoff
from drumline.team.json_tree import tree
from drumline.team.recall import Within
from drumline.team.wording_forms import NoteTag
from tests.steering import start
from tests.trying import tries
from tests.words import BOSS, add, claim, holds, verbs

HOME = "test:/repo"
ADA = "memory/agents/ada/learnings.md"
LONG_AGO = 1_000_000_000
ANYTHING = st.text(max_size=60) | st.sampled_from(
    [
        '"',
        '" OR "',
        "NEAR(a b)",
        "a*",
        "{words}: b",
        "-a",
        "a AND",
        "'a':*",
        "a & | !",
        "^a",
        "a\x00b",
    ]
)


def write(root: Path, path: str, text: str, *, old: bool = True) -> Path:
    """Write a file by hand; long ago, unless a test is about what was written just now."""
    place = root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(text)
    if old:
        os.utime(place, (LONG_AGO, LONG_AGO))
    return place


def entry(*texts: str) -> str:
    return "# L\n\n## Gotchas\n" + "".join(f"- {text} (added: 2026-02-13)\n" for text in texts)


def follow(store, root, home=HOME):
    return recall.follow(store, MemoryFiles(str(root)), home)


def texts(store, words, **within):
    found = store.ask(recall.search, Wanted(words, Within(**within), 100)).found
    return [each.piece.text.partition(" (added")[0] for each in found]


@pytest.mark.requirement("MEM-07")
def test_learnings_decisions_and_retros_are_found_by_their_words(store, tmp_path):
    write(tmp_path, ADA, entry("TrustService needs bootstrap"))
    write(tmp_path, "memory/team/decisions.md", "## Architecture\n- REST needs no bootstrap\n")
    write(tmp_path, "memory/team/retro-history.md", "## Sprint 1\n\nThe bootstrap took long.\n")
    follow(store, tmp_path)
    found = store.ask(recall.search, Wanted("bootstrap")).found
    assert {each.piece.kind.value for each in found} == {"learning", "decision", "retro"}
    assert texts(store, "trust") == ["TrustService needs bootstrap"]


@pytest.mark.requirement("MEM-07", "MEM-08")
def test_a_hand_edit_is_found_at_the_next_look_and_what_it_replaced_is_not(store, tmp_path):
    write(tmp_path, ADA, entry("use joi"))
    follow(store, tmp_path)
    write(tmp_path, ADA, entry("use zod"), old=False)
    follow(store, tmp_path)
    assert texts(store, "zod") == ["use zod"]
    assert texts(store, "joi") == []


@pytest.mark.requirement("MEM-07", "MEM-08")
def test_an_edit_that_leaves_size_and_time_as_they_were_is_found_too(store, tmp_path):
    place = write(tmp_path, ADA, entry("use joi"), old=False)
    follow(store, tmp_path)
    seen = place.stat()
    place.write_text(entry("use zod"))
    os.utime(place, ns=(seen.st_atime_ns, seen.st_mtime_ns))
    follow(store, tmp_path)
    assert texts(store, "use") == ["use zod"]


@pytest.mark.requirement("MEM-07")
def test_a_file_that_was_not_changed_is_not_read_again(store, tmp_path):
    write(tmp_path, ADA, entry("use joi"))
    assert follow(store, tmp_path) > 0
    assert follow(store, tmp_path) == 0


@pytest.mark.requirement("MEM-07")
def test_a_folder_whose_name_no_store_can_keep_hides_nothing_else(store, tmp_path):
    write(tmp_path, os.fsdecode(b"memory/agents/\xff/learnings.md"), entry("hidden words"))
    write(tmp_path, ADA, entry("plain words"))
    follow(store, tmp_path)
    assert texts(store, "words") == ["plain words"]


@pytest.mark.requirement("MEM-07")
def test_a_file_that_is_gone_is_found_no_more(store, tmp_path):
    place = write(tmp_path, ADA, entry("use joi"))
    follow(store, tmp_path)
    place.unlink()
    follow(store, tmp_path)
    assert texts(store, "joi") == []


@pytest.mark.requirement("MEM-07")
def test_every_team_on_the_store_is_searched_unless_one_is_named(stores, store, tmp_path):
    other = stores.open("borea")
    write(tmp_path / "a", ADA, entry("use joi here"))
    write(tmp_path / "b", ADA, entry("use joi there"))
    follow(store, tmp_path / "a")
    follow(other, tmp_path / "b")
    assert set(texts(store, "joi")) == {"use joi here", "use joi there"}
    assert texts(store, "joi", team="borea") == ["use joi there"]
    (found,) = store.ask(recall.search, Wanted("there")).found
    assert (found.team, found.place, found.path) == ("borea", "test:/repo", ADA)


@pytest.mark.requirement("MEM-07")
def test_a_search_is_kept_to_a_kind_and_a_member(store, tmp_path):
    write(tmp_path, ADA, entry("use joi"))
    write(tmp_path, "memory/agents/brook/archive.md", entry("use joi no more"))
    follow(store, tmp_path)
    assert texts(store, "joi", member="ada") == ["use joi"]
    assert texts(store, "joi", kind="archived") == ["use joi no more"]
    assert texts(store, "joi", member="ada", kind="archived") == []


@pytest.mark.requirement("MEM-07")
def test_the_filters_words_find_nothing_by_themselves(store, tmp_path):
    write(tmp_path, ADA, entry("use joi"))
    follow(store, tmp_path)
    assert texts(store, "kind=learning") == []
    assert texts(store, "atlas") == []


@pytest.mark.requirement("MEM-07")
def test_a_word_finds_longer_ones_and_some_of_the_words_do_where_all_cannot(store, tmp_path):
    write(tmp_path, ADA, entry("migrations are numbered", "mind the gap"))
    follow(store, tmp_path)
    assert texts(store, "migration number") == ["migrations are numbered"]
    told = store.ask(recall.search, Wanted("gap unheard-of"))
    assert told.query.any_word
    assert [each.piece.text for each in told.found] == ["mind the gap (added: 2026-02-13)"]


@pytest.mark.requirement("MEM-07")
def test_what_all_words_find_is_not_mixed_with_what_some_do(store, tmp_path):
    write(tmp_path, ADA, entry("mind the gap", "mind the door"))
    follow(store, tmp_path)
    assert texts(store, "mind gap") == ["mind the gap"]


@pytest.mark.requirement("MEM-07")
def test_of_more_than_can_be_weighed_the_newest_are(store, tmp_path):
    write(tmp_path, ADA, entry(*(f"joi number{each}" for each in range(CANDIDATES + 50))))
    follow(store, tmp_path)
    found = store.ask(recall.search, Wanted("joi", most=100)).found
    assert len(found) == 100
    assert all(each.piece.line > 50 for each in found)


@pytest.mark.requirement("MEM-07")
@settings(
    max_examples=tries(60),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(query=ANYTHING)
def test_whatever_is_asked_is_looked_for_as_words_or_refused(store, tmp_path, query):
    write(tmp_path, ADA, entry("a needle in b hay"))
    follow(store, tmp_path)
    with suppress(BadInput):
        store.ask(recall.search, Wanted(query))
    found = store.ask(recall.search, Wanted(f"{query} needle")).found
    assert any("needle" in each.piece.text for each in found)


@pytest.mark.requirement("MEM-07")
def test_where_not_all_words_can_be_had_a_common_one_hides_no_rare_one(store, tmp_path):
    common = (f"store number{each}" for each in range(2 * CANDIDATES))
    write(tmp_path, ADA, entry("the flock of the gate", *common))
    follow(store, tmp_path)
    assert texts(store, "store flock")[0] == "the flock of the gate"


@pytest.mark.requirement("MEM-07")
def test_a_megabyte_of_query_is_refused(store):
    with pytest.raises(BadInput, match="cap"):
        store.ask(recall.search, Wanted("a " * 500_000))


@pytest.mark.requirement("MEM-07")
@settings(
    max_examples=tries(40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(content=st.binary(max_size=300))
def test_whatever_bytes_a_file_holds_it_is_indexed(store, tmp_path, content):
    place = tmp_path / ADA
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(content + b"\n\n- needle\n")
    follow(store, tmp_path)
    assert any("needle" in text for text in texts(store, "needle"))


@pytest.mark.requirement("MEM-07")
def test_links_folders_and_pipes_among_the_files_are_passed_over(store, tmp_path):
    outside = write(tmp_path / "outside", "secret.md", "- joi outside\n")
    root = tmp_path / "root"
    write(root, ADA, entry("joi inside"))
    (root / "memory" / "link.md").symlink_to(outside)
    (root / "memory" / "folder.md").mkdir()
    os.mkfifo(root / "memory" / "pipe.md")
    (root / "memory" / "loop").symlink_to(root / "memory")
    follow(store, root)
    assert texts(store, "joi") == ["joi inside"]


@pytest.mark.requirement("MEM-07")
def test_the_last_handoff_of_a_task_is_found_and_an_earlier_one_no_more(store, tmp_path):
    task = add(store)
    fence = claim(store, task).fence
    for narrative in ("the cache was cold", "the cache is warm"):
        call = {
            "status": "PASS",
            "narrative": narrative,
            "files": [],
            "decisions": [],
            "unresolved": [],
        }
        said = read_handoff(Reading(tree(call)))
        store.do(handoffs.hand_off, BOSS, task.id, holds("ada", fence), said)
        follow(store, tmp_path)
    assert any("warm" in text for text in texts(store, "cache warm", kind="handoff", member="ada"))
    assert texts(store, "cold") == []


@pytest.mark.requirement("MEM-07", "MEM-06")
def test_the_notes_of_a_run_are_found_and_so_is_why_one_was_settled(store, tmp_path):
    start(store)
    store.do(team_notes.write, BOSS, Saying(NoteTag.WARNING, "mind the gap"))
    follow(store, tmp_path)
    (number,) = [each.number for each in store.ask(team_notes.of_run, "run-1")]
    assert texts(store, "gap", kind="note") == ["mind the gap"]
    store.do(team_notes.settle, BOSS, [number], "bridged")
    follow(store, tmp_path)
    assert texts(store, "bridged", kind="note") == ["mind the gap bridged"]


@pytest.mark.requirement("MEM-07", "SCALE-01")
def test_the_index_is_no_part_of_the_log_and_is_made_again_after_a_restore(
    store, make_stores, tmp_path, clock
):
    write(tmp_path, ADA, entry("use joi"))
    said = len(verbs(store))
    follow(store, tmp_path)
    assert len(verbs(store)) == said
    assert list(Caretaker(store.engine).check()) == []
    backup = tmp_path / "backup.db"
    Caretaker(store.engine).backup(str(backup))
    fresh = make_stores(clock)
    engine = fresh.engine()
    Caretaker(engine).migrate()
    Caretaker(engine).restore(str(backup))
    again = Database(engine, "atlas")
    assert texts(again, "joi") == []
    follow(again, tmp_path)
    assert texts(again, "joi") == ["use joi"]
    fresh.close()


@pytest.mark.requirement("MEM-07", "MEM-08")
def test_while_two_planes_look_and_a_person_edits_the_index_comes_to_what_the_file_says(
    stores, store, tmp_path
):
    links = [Database(stores.engine(), "atlas") for _ in range(2)]
    done, errors = threading.Event(), []

    def plane(link):
        try:
            while not done.is_set():
                follow(link, tmp_path)
        except BaseException as error:  # noqa: BLE001 - a thread's error must reach the test
            errors.append(error)

    threads = [threading.Thread(target=plane, args=(link,)) for link in links]
    for thread in threads:
        thread.start()
    for version in range(40):
        write(tmp_path, ADA, entry(f"version{version} of it", "and this stays"), old=False)
    done.set()
    for thread in threads:
        thread.join()
    follow(store, tmp_path)
    assert errors == []
    assert texts(store, "version39") == ["version39 of it"]
    assert texts(store, "stays") == ["and this stays"]
    assert [text for text in texts(store, "version") if text != "version39 of it"] == []
