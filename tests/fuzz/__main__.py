"""Try every command on inputs and options that are not as they should be, at length.

python -m tests.fuzz --cases 25000 --seed 1
python -m tests.fuzz --seed 1 --case 4711
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from tests.fuzz.cases import KINDS, Judged, case, judged
from tests.fuzz.examples import EXAMPLES
from tests.fuzz.running import lay_out

KEPT = Path("assay-out") / "fuzz"
OUTCOMES = ("accepted", "refused", "faulty")


def arguments() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=1000, help="how many")
    parser.add_argument("--start", type=int, default=0, help="the first number")
    parser.add_argument("--case", type=int, help="only this number, and show all of it")
    parser.add_argument("--command", choices=[*EXAMPLES], help="only cases of this command")
    parser.add_argument("--kind", choices=[*KINDS], help="only cases of this kind")
    return parser.parse_args()


def main() -> int:
    """Run cases, print the faulty ones and a summary."""
    asked = arguments()
    numbers = (
        range(asked.start, asked.start + asked.cases)
        if asked.case is None
        else range(asked.case, asked.case + 1)
    )
    counts: Counter[tuple[str, str, str]] = Counter()
    for number in numbers:
        if asked.command and [*EXAMPLES][number % len(EXAMPLES)] != asked.command:
            continue
        each = case(asked.seed, number)
        if asked.kind and each.kind != asked.kind:
            continue
        found = judged(each)
        counts[each.command, each.kind, found.outcome] += 1
        if found.faults or asked.case is not None:
            print(described(found, kept(found)), flush=True)
    print(summary(counts))
    return 1 if any(outcome == "faulty" for _, _, outcome in counts) else 0


def kept(found: Judged) -> Path:
    """Keep the files of a case, so that it can become a test."""
    folder = KEPT / f"{found.case.seed}-{found.case.number}"
    folder.mkdir(parents=True, exist_ok=True)
    lay_out(found.case.asked, folder)
    return folder


def described(found: Judged, folder: Path) -> str:
    """Say all that is needed to see the case again."""
    each, ended = found.case, found.ended
    lines = [
        f"case {each.number} of seed {each.seed}, {each.kind} {each.how} ({folder}):",
        *(f"  {fault}" for fault in found.faults),
        f"  assay {shlex.join(each.asked.arguments)[:2000]!r}",
        f"  exit code {ended.code}, wrote {sorted(ended.written)}",
        f"  {ended.err[:600]!r}",
        *((ended.raised or "").splitlines()[-12:]),
    ]
    return "\n".join(line.encode(errors="backslashreplace").decode() for line in lines)


def summary(counts: Counter[tuple[str, str, str]]) -> str:
    """Return a table: commands down, kinds of change across, accepted/refused/faulty in each."""
    commands = list(dict.fromkeys(command for command in EXAMPLES))
    lines = [f"{'':16}" + "".join(f"{kind:>14}" for kind in (*KINDS, "all"))]
    for command in commands:
        cells = [_cell(counts, command, [kind]) for kind in KINDS]
        lines.append(f"{command:16}" + "".join(f"{each:>14}" for each in cells))
        lines[-1] += f"{_cell(counts, command, KINDS):>14}"
    total = {o: sum(n for (_, _, each), n in counts.items() if each == o) for o in OUTCOMES}
    shown = ", ".join(f"{number} {outcome}" for outcome, number in total.items())
    return "\n".join([*lines, f"{sum(total.values())} cases: {shown}"])


def _cell(counts: Counter[tuple[str, str, str]], command: str, kinds: Iterable[str]) -> str:
    chosen = [*kinds]
    return "/".join(str(sum(counts[command, kind, each] for kind in chosen)) for each in OUTCOMES)


if __name__ == "__main__":
    sys.exit(main())
