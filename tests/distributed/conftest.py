"""Tests of engines in an environment of their own: `make test-engines` makes it and runs them."""

from __future__ import annotations

import os
from importlib.util import find_spec

here = all(find_spec(name) is not None for name in ("pyspark", "dask", "distributed", "ibis"))
collect_ignore_glob = [] if here else ["test_*.py"]

# Nothing of ours starts Python in Spark's workers, and nothing listens beyond this machine.
os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
