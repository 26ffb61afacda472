#!/usr/bin/env python3
"""A planted defect has exactly one place in a shipped file, and asks for its name."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from defects import DEFECTS, Defect  # noqa: E402
from plant import CannotPlant, planted  # noqa: E402

LATE = Defect("late", "a.cpp", "answer();", 'if (!defect("late")) answer();')


class Planting(unittest.TestCase):
    def test_the_shipped_text_is_replaced(self):
        self.assertEqual(planted("a.cpp", "commit();\nanswer();\n", [LATE]),
                         'commit();\nif (!defect("late")) answer();\n')

    def test_other_files_stay(self):
        self.assertEqual(planted("b.cpp", "answer();", [LATE]), "answer();")

    def test_a_text_that_does_not_occur_once_is_named(self):
        for text in ("", "answer(); answer();"):
            with self.assertRaisesRegex(CannotPlant, "cannot plant late: .* occurs [02] times in src/a.cpp"):
                planted("a.cpp", text, [LATE])

    def test_a_text_that_never_asks_is_refused(self):
        with self.assertRaisesRegex(CannotPlant, "does not ask"):
            planted("a.cpp", "answer();", [LATE._replace(planted="")])

    def test_every_defect_has_its_place(self):
        src = pathlib.Path(__file__).parents[2] / "src"
        for file in sorted({defect.file for defect in DEFECTS}):
            planted(file, (src / file).read_text(encoding="utf-8"))

    def test_every_defect_is_hunted(self):
        tests = pathlib.Path(__file__).parents[1]
        programs = ("sim/negative_controls.cpp", "race/suspend_and_send.cpp")
        texts = "".join((tests / program).read_text(encoding="utf-8") for program in programs)
        self.assertEqual([one.name for one in DEFECTS if f'"{one.name}"' not in texts], [])


if __name__ == "__main__":
    unittest.main()
