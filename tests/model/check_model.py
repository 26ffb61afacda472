#!/usr/bin/env python3
"""Explores the model of waits and sends with Spin, complete and with one protection at a time removed.

usage: check_model.py [--events N] [--keep DIRECTORY]

The complete model must hold; every weakened one must give the expected counter-example. `--events 3`
adds a second broadcast (minutes, 3 GB). `--keep` leaves the verifiers and trails for `spin -t`. Exit code 1
if any check fails.
"""
import argparse
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

MODEL = pathlib.Path(__file__).with_name("wait_and_send.pml")
SAFETY = "safety"
CLAIMS = ("consumed_once", "all_answered")

# The protection that is removed, the check that fails, and what Spin must print.
CONTROLS = (
    ("NO_CHANNEL_LOCK", SAFETY, "waiting["),
    ("FIRST_KEY_ONLY", SAFETY, "waiting["),
    ("NO_KEY", SAFETY, "event==1"),
    ("OLD_SNAPSHOT", SAFETY, "waiting["),
    ("NO_ROW_LOCK", SAFETY, "winners["),
    ("NO_TOKEN", SAFETY, "token=="),
    ("NO_DEDUPE", SAFETY, "delivered["),
    ("NO_COUNT", SAFETY, "delivered["),
    ("EARLY_ANSWER", "consumed_once", "acceptance cycle"),
)


def run(command, folder):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout


def build(folder, defines, what, optimise):
    """Builds the verifier of one variant: for asserts and deadlocks, or for the LTL claims."""
    folder.mkdir()
    shutil.copy(MODEL, folder)
    run(["spin", *(f"-D{define}" for define in defines), "-a", MODEL.name], folder)
    kind = ["-DSAFETY", "-DNOCLAIM"] if what == SAFETY else ["-DNFAIR=3"]
    run(["gcc", "-w", optimise, *kind, "-o", "pan", "pan.c"], folder)


def explore(folder, what):
    """Runs a verifier; returns errors, states and the violated assertion."""
    claim = [] if what == SAFETY else ["-a", "-f", "-N", what]
    start = time.monotonic()
    text = run(["./pan", "-m20000", *claim], folder)
    if "max search depth too small" in text:
        sys.exit(f"{folder.name}: the search was cut short")
    return {
        "errors": int(re.search(r"errors: (\d+)", text)[1]),
        "states": int(re.search(r"(\d+) states, stored", text)[1]),
        "megabytes": float(re.search(r"([\d.]+)\s+total actual memory", text)[1]),
        "seconds": time.monotonic() - start,
        "violated": next(iter(re.findall(r"^pan:\d+: (.*) \(at depth", text, re.M)), ""),
        "unreached": re.findall(r'wait_and_send.pml:(\d+), state \d+, "(?!-end-)', text),
    }


def check_whole(folder, defines, what):
    build(folder, defines, what, "-O1")
    held = True
    for name in CLAIMS if what == "claims" else (SAFETY,):
        found = explore(folder, name)
        good = found["errors"] == 0 and not found["unreached"]
        held = held and good
        print(f"{name}: {found['errors']} errors, {found['states']:,} states, {found['seconds']:.1f} s, "
              f"{found['megabytes']:.0f} MB {found['violated']}", flush=True)
        if found["unreached"]:
            print(f"  never reached: lines {', '.join(found['unreached'])}")
    return held


def check_control(folder, defines, control):
    define, what, expected = control
    build(folder, [*defines, define], what, "-O0")
    found = explore(folder, what)
    caught = found["errors"] > 0 and expected in found["violated"]
    print(f"{define}: {'counter-example' if caught else 'NOT CAUGHT'} after {found['states']:,} states: "
          f"{found['violated']}", flush=True)
    return caught


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--events", type=int, default=2, choices=(2, 3))
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    place = options.keep or pathlib.Path(tempfile.mkdtemp(prefix="holdfast-model-"))
    place.mkdir(parents=True, exist_ok=True)
    defines = [f"EVENTS={options.events}"]
    try:
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            checks = [pool.submit(check_whole, place / what, defines, what) for what in ("claims", SAFETY)]
            checks += [pool.submit(check_control, place / control[0].lower(), defines, control)
                       for control in CONTROLS]
            results = [check.result() for check in checks]
    finally:
        if not options.keep:
            shutil.rmtree(place)
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
