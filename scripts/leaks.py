"""Judges what the leak detector has written: python3 scripts/leaks.py PATTERNS REPORT …. A pattern is a line; of several parts with " & " between them all have to be in the stack. Ends with 1 when anything is told that no pattern passes over.

The detector's own suppressions hide more than they name: what can be reached from something that is passed over counts as reached. Here each piece stands for itself.
"""

import pathlib
import re
import sys


def pieces(report):
    """Each leak with its stack; and whatever else is told, which is never passed over."""
    for piece in re.split(r"\n(?=(?:Direct|Indirect) leak of |==\d+==ERROR: )", report):
        if piece.startswith(("Direct leak", "Indirect leak")):
            yield piece.split("\n\n")[0]
        elif "ERROR: AddressSanitizer" in piece:
            yield piece


def main():
    patterns = [line.strip().split(" & ") for line in pathlib.Path(sys.argv[1]).read_text().splitlines() if line.strip() and not line.startswith("#")]
    told = []
    passed = 0
    for report in sys.argv[2:]:
        for piece in pieces(pathlib.Path(report).read_text(errors="replace")):
            # What the detector finds in a stack by itself.
            if "leak of" in piece[:20] and any(all(part in piece for part in pattern) for pattern in patterns):
                passed += 1
            else:
                told.append(piece)
    for piece in told[:20]:
        print(piece, end="\n\n")
    print(f"leaks: {len(told)} told, {passed} of others passed over")
    return 1 if told else 0


sys.exit(main())
