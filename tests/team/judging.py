"""The judge as tests ask it: built-in rules, a repository that need not exist."""

from drumline.hooks import grammar
from drumline.team import registry
from drumline.team.call import Call, World
from drumline.team.judge import Ruling, judge
from drumline.team.standing import Standing

ROOT = "/repo"
POLICY = registry.compiled(registry.built_in())
WORLD = World(
    read=grammar.read,
    real=lambda path: path,
    home="/home/user",
    temporary=("/tmp", "/var/tmp"),
)


def ruled(tool: str, given: dict, *, cwd: str = ROOT, world: World = WORLD, **standing) -> Ruling:
    facts = {"member": "ada", "isolation": "shared", **standing}
    return judge(Call(tool, given, cwd), Standing(facts, ROOT), POLICY, world)


def command(text: str, role: str = "teammate", **standing) -> Ruling:
    return ruled("Bash", {"command": text}, role=role, **standing)
