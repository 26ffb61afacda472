"""Builds a user's project against an installed prefix and runs it; configures it against the source tree."""
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE, BUILD = (Path(argument).resolve() for argument in sys.argv[1:3])
CONSUMER = SOURCE / "tests/consumer"


def run(*command):
    result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if result.returncode != 0:
        print(result.stdout[-3000:], result.stderr[-3000:])
        sys.exit(f"failed: {' '.join(str(part) for part in command)}")
    return result.stdout


def main():
    with tempfile.TemporaryDirectory(prefix="holdfast_consumer.") as folder:
        prefix, installed, tree = (Path(folder) / name for name in ("prefix", "installed", "tree"))
        run("cmake", "--install", BUILD, "--prefix", prefix)
        run("cmake", "-G", "Ninja", "-S", CONSUMER, "-B", installed, f"-DCMAKE_PREFIX_PATH={prefix}")
        run("cmake", "--build", installed)
        said = run(installed / "consumer").strip()
        if said != "hello world":
            sys.exit(f"the consumer said: {said}")
        # The library itself is not built again: it is the same one.
        run("cmake", "-G", "Ninja", "-S", CONSUMER, "-B", tree, f"-DHOLDFAST_TREE={SOURCE}")
        run("ninja", "-C", tree, "CMakeFiles/consumer.dir/main.cpp.o")
    print("a consumer builds against an installed prefix and against the source tree")


if __name__ == "__main__":
    main()
