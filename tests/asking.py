"""Words that tests speak about requests: ask, take, finish, and how it stands now."""

from drumline.control import requests
from drumline.team.request_result import Outcome
from tests.words import BOSS, teammate

WELL = Outcome(ok=True, result="exit 0")
BADLY = Outcome(ok=False, result="exit 1")


def ask(store, what="git push", name="ada", **more):
    return store.do(requests.file, teammate(name), what, **more)


def take(store, request, actor=BOSS, **more):
    return store.do(requests.take, actor, request.id, **more)


def finish(store, request, outcome=WELL, actor=BOSS, **more):
    return store.do(requests.finish, actor, request.id, outcome, **more)


def now(store, request):
    return store.ask(requests.find, request.id)
