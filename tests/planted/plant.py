#!/usr/bin/env python3
"""Makes the changed copies of the shipped files that contain the planted defects (defects.py).

usage: plant.py --list         prints the files that have defects, below src
       plant.py SRC OUT FILE   writes the changed copy of SRC/FILE to OUT/FILE"""
import pathlib
import sys

from defects import DEFECTS


class CannotPlant(Exception):
    pass


def planted(file, text, defects=DEFECTS):
    """The text of the file with all its defects."""
    for defect in (one for one in defects if one.file == file):
        if f'defect("{defect.name}")' not in defect.planted:
            raise CannotPlant(f"{defect.name}: its planted text does not ask for it")
        found = text.count(defect.shipped)
        if found != 1:
            raise CannotPlant(f"cannot plant {defect.name}: its shipped text occurs {found} times in src/{file}, "
                              f"not once; bring tests/planted/defects.py up to date:\n{defect.shipped}")
        text = text.replace(defect.shipped, defect.planted)
    return text


def files():
    return sorted({defect.file for defect in DEFECTS})


def main(arguments):
    if arguments == ["--list"]:
        print(";".join(files()))
        return 0
    source, out, file = pathlib.Path(arguments[0]), pathlib.Path(arguments[1]), arguments[2]
    try:
        text = planted(file, (source / file).read_text(encoding="utf-8"))
    except CannotPlant as error:
        print(error, file=sys.stderr)
        return 1
    copy = out / file
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(f'#include "planted/defect.h"\n#line 1 "{source / file}"\n{text}', encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
