"""The hook of every event, as an agent CLI starts it: `python -I -S guard.py STATE_FOLDER`.

What it does stands in answer.py, which is compiled once: a script is compiled at every start.
"""

import os
import sys

if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    from drumline.hooks.answer import main

    os._exit(main(sys.argv[1:]))  # nothing is left open, and taking a process down costs 2 ms
