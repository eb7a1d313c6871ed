"""Watch a small team work its board: real processes, a real store, one real kill -9."""

import shlex
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from drumline.surfaces.cli.demonstration.outcome import promises, summary, closing
from drumline.surfaces.cli.demonstration.run import View, perform
from drumline.surfaces.cli.demonstration.view import Plain, Silent
from drumline.surfaces.cli.output import json_flag, show
