"""What the verbs of claims about agent CLIs need of a store."""

from typing import Protocol

from drumline.team.runtime_claim import ClaimId, RuntimeClaim


class RuntimeClaims(Protocol):
    """What is said of agent CLIs, and what came of trying it."""

    def add(
        self, runtime: str, probe: str, says: str, author: str, corrects: ClaimId | None
    ) -> RuntimeClaim: ...
    def get(self, number: ClaimId) -> RuntimeClaim | None: ...
    def page(self, *, most: int) -> list[RuntimeClaim]: ...
    def tried(
        self, number: ClaimId, version: str, detail: str, *, passed: bool
    ) -> RuntimeClaim: ...
