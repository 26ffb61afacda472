"""Builds a user's project against an installed prefix and runs it, and so the program in the README; configures it
against the source tree."""
import subprocess
import sys
import tempfile
from pathlib import Path

import readme

SOURCE, BUILD = (Path(argument).resolve() for argument in sys.argv[1:3])
# Programs that link a library built with a sanitizer need the same sanitizer.
COMPILER, SANITIZE = sys.argv[3:5]
FLAGS = [f"-DCMAKE_CXX_COMPILER={COMPILER}", f"-DCMAKE_CXX_FLAGS=-fsanitize={SANITIZE}" if SANITIZE else ""]
CONSUMER = SOURCE / "tests/consumer"
CONFIGURE = ["cmake", "-G", "Ninja", "-S", CONSUMER, *filter(None, FLAGS)]


def run(*command, cwd=None):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True, cwd=cwd)
    if result.returncode != 0:
        print(result.stdout[-3000:], result.stderr[-3000:])
        sys.exit(f"failed: {' '.join(str(part) for part in command)}")
    return result.stdout


def main():
    with tempfile.TemporaryDirectory(prefix="holdfast_consumer.") as folder:
        prefix, installed, tree = (Path(folder) / name for name in ("prefix", "installed", "tree"))
        run("cmake", "--install", BUILD, "--prefix", prefix)
        run(*CONFIGURE, "-B", installed, f"-DCMAKE_PREFIX_PATH={prefix}")
        run("cmake", "--build", installed)
        output = run(installed / "consumer").strip()
        if output != "hello world":
            sys.exit(f"the consumer printed: {output}")
        readme.check(SOURCE / "README.md", Path(folder) / "readme", run,
                     [*filter(None, FLAGS), f"-DCMAKE_PREFIX_PATH={prefix}"])
        # Compiles one file only: building the library again would test nothing new.
        run(*CONFIGURE, "-B", tree, f"-DHOLDFAST_TREE={SOURCE}")
        run("ninja", "-C", tree, "CMakeFiles/consumer.dir/main.cpp.o")
    print("a consumer builds against an installed prefix and against the source tree; so does the program in the README")


if __name__ == "__main__":
    main()
