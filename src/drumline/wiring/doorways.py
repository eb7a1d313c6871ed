"""What goes through a member's doorway, for those who answer there."""

from drumline.runtimes.post import Handed
from drumline.runtimes.runtime import Answer

__all__ = ["Answer", "Handed"]
