"""`python -m assay` is the command `assay`."""

from __future__ import annotations

from assay.cli import main

if __name__ == "__main__":
    main()
