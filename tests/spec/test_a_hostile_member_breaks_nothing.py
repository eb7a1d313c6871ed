"""A hostile member, from inside its sandbox, against everything that is not its own."""

import json

import pytest

from tests.running import scripted, team, until
from tests.spooling import drop

ATTACKS = r"""
import glob, json, os, pathlib, signal, socket, sqlite3, subprocess, urllib.request
root, state, doors, endpoint = {root!r}, {state!r}, {doors!r}, {endpoint!r}
found = {{}}

def tried(name, act):
    try:
        found[name] = f"done: {{act()!r}}"[:300]
    except BaseException as error:
        found[name] = f"failed: {{type(error).__name__}}: {{error}}"[:300]

def write(path, text="broken"):
    with open(path, "w") as file:
        file.write(text)

def run(*words, **environ):
    done = subprocess.run(words, capture_output=True, text=True, env={{**os.environ, **environ}}, timeout=20)
    if done.returncode:
        raise OSError(done.stderr[-200:] or done.returncode)
    return done.stdout

def any_of(pattern):
    names = glob.glob(pattern, recursive=True)
    if not names:
        raise OSError(f"nothing is seen at {{pattern}}")
    return names

def say(path, **asked):
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(5)
        line.connect(path)
        line.sendall(json.dumps(asked).encode() + b"\n")
        answer = line.recv(65536).decode()
    if '"error"' in answer or not answer:
        raise OSError(answer or "hung up")
    return answer

own = os.path.dirname(os.environ["DRUMLINE_SOCKET"])
peer = own.replace("/ada", "/brook")
tried("store: write", lambda: write(state + "/state.db"))
tried("store: open", lambda: sqlite3.connect(state + "/state.db").execute("CREATE TABLE x (y)"))
tried("store: remove", lambda: os.unlink(state + "/state.db"))
tried("store: read", lambda: open(state + "/state.db", "rb").read(10))
tried("policy: write", lambda: write(any_of(state + "/policy/*")[0]))
tried("policy: make", lambda: write(state + "/policy/current", "none"))
tried("standing: write", lambda: write(os.environ["DRUMLINE_STANDING"], "{{}}"))
tried("audit: write", lambda: write(any_of(state + "/audit/*")[0]))
tried("audit: make", lambda: write(state + "/audit/now.jsonl"))
tried("spool: drop", lambda: write(state + "/spool/incoming/20260101T120000Z-1-1.claude.json"))
tried("spool: taken in", lambda: write(any_of(state + "/spool/processed/*")[0]))
tried("spool: remove", lambda: os.rename(state + "/spool", state + "/gone"))
tried("spool: hook", lambda: write(any_of(state + "/hooks/*/turn_settled.sh")[0]))
tried("diary: read", lambda: open(state + "/diaries/brook/diary.jsonl").read(10))
tried("token: read", lambda: open(peer + "/token").read())
tried("token: any", lambda: any_of(doors + "/**/brook/token"))
tried("token: own, write", lambda: write(own + "/token"))
tried("endpoint: token, read", lambda: open(state + "/endpoint.token").read())
tried("endpoint: token, any", lambda: any_of(state + "/endpoint*"))
tried("endpoint: token, write", lambda: write(state + "/endpoint.token", "mine"))
tried("endpoint: token, remove", lambda: os.unlink(state + "/endpoint.token"))
tried("endpoint: address, write", lambda: write(state + "/endpoint", "elsewhere"))
def browse(path, **headers):
    return urllib.request.urlopen(urllib.request.Request(endpoint + path, headers=headers), timeout=5).read()

tried("endpoint: no token", lambda: browse("/status"))
tried("endpoint: own token", lambda: browse("/status", Authorization="Bearer " + open(own + "/token").read()))
tried("endpoint: another host's name", lambda: browse("/health", Host="evil.example"))
tried("leash: own, remove", lambda: os.unlink(os.path.dirname(own) + "/.ada/leash"))
tried("hooks: of main", lambda: write(root + "/.git/hooks/pre-commit"))
tried("hooks: own", lambda: write(".git/hooks/pre-commit"))
tried("hooks: own, by config", lambda: run("git", "config", "core.hooksPath", "mine"))
tried("zone: own", lambda: write(".claude/settings.json"))
tried("zone: of main", lambda: write(root + "/.claude/team.yaml"))
tried("refs: main", lambda: write(root + "/.git/refs/heads/main"))
tried("refs: by git", lambda: run("git", "-C", root, "update-ref", "refs/heads/main", "HEAD~0"))
tried("refs: new", lambda: run("git", "-C", root, "branch", "mine"))
run("git", "commit", "--quiet", "--allow-empty", "--message=mine")
tried("refs: push", lambda: run("git", "push", root, "HEAD:refs/heads/main"))
tried("objects: remove", lambda: os.unlink(any_of(root + "/.git/objects/??/*")[0]))
tried("objects: write", lambda: write(root + "/.git/objects/broken"))
tried("tree: write", lambda: write(root + "/play.yaml"))
tried("peer: checkout", lambda: any_of(state + "/checkouts/brook/*"))
tried("peer: socket", lambda: say(peer + "/socket", token=open(own + "/token").read(), ask="run", words=["status"]))
tried("socket: no token", lambda: say(own + "/socket", ask="run", words=["status"]))
tried("socket: wrong token", lambda: say(own + "/socket", token="0" * 64, ask="run", words=["status"]))
tried("cli: for a peer", lambda: run("drumline", "task", "claim", "--next", "--member", "brook"))
tried("cli: its socket", lambda: run("drumline", "status", DRUMLINE_SOCKET=peer + "/socket"))
tried("cli: no socket", lambda: run("drumline", "-C", root, "task", "add", "mine", DRUMLINE_SOCKET=""))
tried("cli: another store", lambda: run("drumline", "status", "--store", "sqlite:///x.db"))
tried("cli: as a person", lambda: run("drumline", "policy", "compile"))
def tool(name, arguments, **environ):
    said = [
        {{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {{"protocolVersion": "2025-06-18", "capabilities": {{}}, "clientInfo": {{"name": "x", "version": "1"}}}}}},
        {{"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {{"name": name, "arguments": arguments}}}},
    ]
    words = "".join(json.dumps(each) + "\n" for each in said)
    done = subprocess.run(["drumline", "mcp"], input=words, capture_output=True, text=True, env={{**os.environ, **environ}}, timeout=20)
    last = json.loads(done.stdout.splitlines()[-1])
    if "error" in last or last["result"].get("isError"):
        raise OSError(str(last)[:200])
    return last

letter = {{"to": ["human"], "text": "by mcp"}}
tried("mcp: its socket", lambda: tool("mail_send", letter, DRUMLINE_SOCKET=peer + "/socket"))
tried("mcp: for a peer", lambda: tool("task_claim", {{"member": "brook"}}))
sent = json.loads(tool("mail_send", letter, DRUMLINE_MEMBER="brook")["result"]["content"][0]["text"])
found["mcp: by another name"] = "failed: it is known as ada" if sent["from"] == "ada" else "done: as " + sent["from"]
tried("kill: runner", lambda: os.kill({runner}, signal.SIGKILL))
tried("kill: everyone outside", lambda: [os.kill(int(n), 0) for n in os.listdir("/proc") if n.isdecimal() and "member\0run" in open(f"/proc/{{n}}/cmdline").read()][0])
who = run("env", "DRUMLINE_MEMBER=brook", "drumline", "mail", "send", "--to", "human", "from brook")
pathlib.Path("found.new").write_text(json.dumps(found))
os.rename("found.new", "found.json")
"""
SCENARIO = """\
scenario: hostile
members:
  ada:
    - steps:
        - tool: {{name: Bash, input: {{command: "echo broken > {state}/policy/current"}}}}
        - tool: {{name: Bash, input: {{command: "git push origin HEAD:main"}}}}
        - tool: {{name: Write, input: {{file_path: "{root}/.claude/team.yaml", content: broken}}}}
        - tool: {{name: Bash, input: {{command: "python3 attack.py"}}}}
        - structured: {{}}
  brook:
    - when: nobody asks this
      steps:
        - say: nothing
"""
JUDGED = {"C-TEAM-007", "C-TEAM-004"}


@pytest.fixture
def attacked(tmp_path, doors):
    """A team one of whose members has attacked all it can think of."""
    root = tmp_path / "r"
    state = root / ".drumline"
    scenario = SCENARIO.format(root=root, state=state)
    with team(root, doors, scripted("ada", "brook"), scenario) as running:
        running.run("policy", "settings")  # which makes a spool for people's own sessions
        drop(state / "spool", member="brook")
        running.run("spool", "drain")
        assert list((state / "spool" / "processed").iterdir())
        running.run("member", "start", "brook")
        brook = until(lambda: running.told("member", "list")[1]["pid"])
        endpoint = running.told("up")["endpoint"]["url"]
        places = {"root": str(root), "state": str(state), "doors": str(doors)}
        words = ATTACKS.format(**places, endpoint=endpoint, runner=brook)
        (root / "attack.py").write_text(words)
        running.git("add", "attack.py")
        running.git("commit", "--quiet", "--message=what ada will run")
        before = running.git("rev-parse", "main")
        running.run("member", "pause", "brook")
        until(lambda: running.told("member", "list")[1]["state"] == "paused")
        running.run("task", "add", "Attack")
        running.run("member", "start", "ada")
        path = state / "checkouts/ada/found.json"
        until(path.exists)
        found = json.loads(path.read_text())
        assert running.git("rev-parse", "main") == before
        yield running, found


def commands(running):
    return [line.get("command") for line in running.told("audit")["entries"]]


@pytest.mark.requirement("GUARD-19", "GUARD-11", "GUARD-20")
def test_a_hostile_member_breaks_nothing_and_all_it_tried_is_recorded(attacked):
    running, found = attacked
    assert {name: said for name, said in found.items() if not said.startswith("failed")} == {}
    assert len(found) > 43
    assert "401" in found["endpoint: no token"]
    assert "401" in found["endpoint: own token"]
    trail = running.told("audit")["entries"]
    refused = {line.get("refused") for line in trail if line["team_member"] == "ada"}
    assert refused >= JUDGED
    until(lambda: "python3 attack.py" in commands(running))  # recorded once it has ended
    told = [event["subject"] for event in running.events() if event["verb"] == "doorway.refused"]
    assert any("wrong token" in said for said in told)
    letters = [e for e in running.events() if e["verb"] == "mail.sent"]
    assert {letter["actor"] for letter in letters} == {"ada"}
    assert len(letters) > 1
    assert "clean" in running.run("store", "check")
    running.git("fsck", "--full")
