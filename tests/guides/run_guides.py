#!/usr/bin/env python3
"""Runs the programs of the guides against a server and compares what they print.

usage: run_guides.py REPO_ROOT

The server is the binary that HOLDFAST_BINARY names. Every `js` or `python` block in docs/guides is a complete
program, and the `text` block after it is its output, line for line. A `python` block is a file of examples/, word
for word, and every such file is quoted in a guide.

The `console` blocks of a page are one session with one server, in a folder with examples/: each line that begins with
`$ ` is a command, `> ` continues it, and the lines after it are its output, in which `...` stands for any text. A
command without output in the page may print anything. `[exit N]` is its exit code; without it the command succeeds.
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.M | re.S)
EXIT = re.compile(r"\[exit (\d+)\]")
BLOCK = re.compile(r"^```(js|python|text)\n(.*?)^```$", re.M | re.S)
RUNS = {"js": ("node", "guide.mjs"), "python": (sys.executable, "guide.py")}
STARTS_WITHIN = 20
RUNS_WITHIN = 60


def programs(text):
    """(line, kind, program, expected output) of every program block."""
    blocks = [(match[1], match[2], text.count("\n", 0, match.start()) + 1) for match in BLOCK.finditer(text)]
    for (kind, program, line), after in zip(blocks, blocks[1:] + [("", "", 0)]):
        if kind in RUNS:
            yield line, kind, program, after[1] if after[0] == "text" else None


class Server:
    """A server on a SQLite file of its own, stopped at the end."""

    def __init__(self, binary, folder):
        address = folder / "address"
        self.log = folder / "log"
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [binary, "serve", "--store", f"sqlite:{folder / 'guide.db'}", "--listen", "127.0.0.1:0",
                 "--address-file", str(address)], stdout=log, stderr=log)
        deadline = time.monotonic() + STARTS_WITHIN
        while not address.exists():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                sys.exit(f"the server did not start:\n{self.log.read_text()}")
            time.sleep(0.02)
        self.url = address.read_text().strip()

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        return self.process.wait(STARTS_WITHIN)


def complaint(name, kind, program, expected, url, folder):
    """The problem with one program; None if it prints what the guide says."""
    if expected is None:
        return f"{name}: no text block with the output follows"
    interpreter, file_name = RUNS[kind]
    script = folder / file_name
    script.write_text(program)
    environment = {**os.environ, "HOLDFAST_SERVER": url}
    run = subprocess.run([interpreter, str(script)], env=environment, capture_output=True, text=True,
                         timeout=RUNS_WITHIN, check=False)
    if run.returncode != 0:
        return f"{name}: exit code {run.returncode}\n{run.stdout}{run.stderr}"
    if run.stdout != expected:
        lines = difflib.unified_diff(expected.splitlines(), run.stdout.splitlines(), "guide", "program", lineterm="")
        return "\n".join([f"{name}: unexpected output", *lines])
    return None


def session(text):
    """[line, command, expected output, exit code] of every command in the console blocks."""
    commands = []
    for block in CONSOLE.finditer(text):
        first = text.count("\n", 0, block.start()) + 2
        for number, line in enumerate(block[1].splitlines(), first):
            if line.startswith("$ "):
                commands.append([number, line[2:], [], 0])
            elif line.startswith("> ") and not commands[-1][2]:
                commands[-1][1] += "\n" + line[2:]
            elif code := EXIT.fullmatch(line):
                commands[-1][3] = int(code[1])
            else:
                commands[-1][2].append(line)
    return commands


def is_output(printed, expected):
    pattern = ".*".join(re.escape(part) for part in "\n".join(expected).split("..."))
    return re.fullmatch(pattern, printed.rstrip("\n"), re.S) is not None


def session_complaints(name, commands, binary, root, url, folder):
    """The problems of a page whose commands run one after the other in one shell."""
    (folder / "bin").mkdir()
    (folder / "bin" / "holdfast").symlink_to(pathlib.Path(binary).resolve())
    place = folder / "session"
    place.mkdir()
    (place / "examples").symlink_to(pathlib.Path(root, "examples").resolve())
    script = []
    for number, command, _, _ in commands:
        (folder / f"{number}.sh").write_text(command + "\n")
        script.append(f". {folder}/{number}.sh > {folder}/{number}.out 2>&1; echo $? > {folder}/{number}.code")
    environment = {**os.environ, "HOLDFAST_SERVER": url, "PATH": f"{folder}/bin:{os.environ['PATH']}"}
    environment.pop("HOLDFAST_USER", None)
    subprocess.run(["bash", "-c", "\n".join(script)], env=environment, cwd=place, timeout=RUNS_WITHIN, check=False)
    for number, command, expected, code in commands:
        printed = (folder / f"{number}.out").read_text()
        ended = int((folder / f"{number}.code").read_text())
        if ended != code:
            yield f"{name}:{number}: {command}: exit code {ended}, not {code}\n{printed}"
        elif expected and not is_output(printed, expected):
            yield f"{name}:{number}: {command}: printed\n{printed}instead of\n" + "\n".join(expected)


def with_server(binary, run):
    """What `run(url, folder)` complains of, with a server of its own."""
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        server = Server(binary, folder)
        try:
            found = list(run(server.url, folder))
        finally:
            code = server.stop()
        if code != 0:
            found.append(f"the server's exit code is {code}:\n{server.log.read_text()}")
        return found


def main(root):
    binary = os.environ.get("HOLDFAST_BINARY") or sys.exit("HOLDFAST_BINARY is not set")
    count, complaints = 0, []
    examples = {path.read_text(encoding="utf-8"): path.name for path in pathlib.Path(root, "examples").glob("*.py")}
    unseen = set(examples.values())
    for guide in sorted(pathlib.Path(root, "docs", "guides").glob("*.md")):
        text = guide.read_text(encoding="utf-8")
        for line, kind, program, expected in programs(text):
            unseen.discard(examples.get(program))
            if kind == "python" and program not in examples:
                complaints.append(f"{guide.name}:{line}: not a file of examples/")
            complaints += with_server(binary, lambda url, folder: filter(None, [
                complaint(f"{guide.name}:{line}", kind, program, expected, url, folder)]))
            count += 1
        if commands := session(text):
            complaints += with_server(binary, lambda url, folder: session_complaints(
                guide.name, commands, binary, root, url, folder))
            count += len(commands)
    complaints += [f"examples/{name} is not quoted in any guide" for name in sorted(unseen)]
    print("\n".join([*complaints, f"guides: {count} programs and commands, {len(complaints)} problems"]))
    return 1 if complaints or not count else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
