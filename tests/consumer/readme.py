"""Builds the program in the README with the README's CMake lines and runs it twice."""
import re

MOST_LINES = 15
SECTION = re.compile(r"^## Workflows in C\+\+\n(.*?)^## ", re.M | re.S)
OUTPUTS = ("reserving tea\ntea paid with 12\n", "tea paid with 12\n")


def block(section, language):
    """The one fenced block of that language."""
    found = re.findall(rf"^```{language}\n(.*?)^```$", section, re.M | re.S)
    if len(found) != 1:
        raise SystemExit(f"README.md: {len(found)} {language} blocks instead of one")
    return found[0]


def check(readme, folder, run, flags):
    section = SECTION.search(readme.read_text(encoding="utf-8"))
    if not section:
        raise SystemExit("README.md has no section about workflows in C++")
    program = block(section[1], "cpp")
    if program.count("\n") > MOST_LINES:
        raise SystemExit(f"README.md: the program has {program.count(chr(10))} lines; the limit is {MOST_LINES}")
    (folder / "work").mkdir(parents=True)
    (folder / "main.cpp").write_text(program, encoding="utf-8")
    (folder / "CMakeLists.txt").write_text(block(section[1], "cmake"), encoding="utf-8")
    run("cmake", "-G", "Ninja", "-S", folder, "-B", folder / "build", *flags)
    run("cmake", "--build", folder / "build")
    for number, expected in enumerate(OUTPUTS, 1):
        said = run(folder / "build" / "orders", cwd=folder / "work")
        if said != expected:
            raise SystemExit(f"README.md: run {number} of the program printed:\n{said}instead of:\n{expected}")
