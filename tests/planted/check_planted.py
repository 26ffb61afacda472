#!/usr/bin/env python3
"""Plants one mistake at a time in the shipped SQL: the tests of the store must notice each of them.

usage: check_planted.py PROGRAM

PROGRAM is store_tests with tests/planted/planted_sql.cpp linked before the library."""
import os
import subprocess
import sys

SCHEDULES = "Isolation.EverySchedule*"  # takes minutes where nothing is wrong

# The tests that are to notice it, and the stores where each of them is planted.
CONTROLS = {
    # The key of history refuses a second writer too: only the schedules show what lock and guard are for.
    "unguarded_update": (SCHEDULES, ["postgres"]),
    "memory_not_checked": ("Recalled.*", ["postgres"]),
    "attempt_counted_late": ("PostgresNodes.AClaimLeases*:*Signals.TheOldest*:*Signals.*Attempt*:*Signals.ADeadLetter*",
                             ["sqlite", "postgres"]),
    "due_signal_stays": ("*Signals.AScheduledSignal*", ["sqlite", "postgres"]),
    "dead_node_acts": ("*SharedNodes.*:*Signals.ALeaseIsValid*", ["postgres"]),
    "destination_not_written": ("*Mail.AnEventsFates*", ["sqlite", "postgres"]),
    "retention_in_two_steps": ("*Retention.*", ["sqlite", "postgres"]),
    "history_without_anchor": ("*Trimming.TheNewest*", ["sqlite", "postgres"]),
}


def run(program, tests, defect=""):
    """The exit code, and the names of the tests that failed."""
    done = subprocess.run([program, f"--gtest_filter={tests}"], capture_output=True, text=True,
                          env={**os.environ, "HOLDFAST_DEFECT": defect}, timeout=600)
    failed = [line.split()[3].rstrip(",") for line in done.stdout.splitlines()
              if line.startswith("[  FAILED  ]") and line.endswith("ms)")]
    passed = "[  PASSED  ]" in done.stdout
    return done.returncode, failed, passed


def main():
    program = sys.argv[1]
    code, failed, passed = run(program, ":".join(tests for tests, _ in CONTROLS.values() if tests != SCHEDULES))
    if code or not passed:
        print("without a defect these fail:", *failed)
        return 1
    caught = 0
    for defect, (tests, stores) in CONTROLS.items():
        code, failed, _ = run(program, tests, defect)
        missing = [store for store in stores
                   if not any(name.endswith("/" + store) or "/" not in name for name in failed)]
        good = code == 1 and failed and not missing
        caught += bool(good)
        print(f"{defect}: " + (f"caught by {failed[0]}" if good else
                               f"NOT CAUGHT (exit {code}, missed on {', '.join(missing)})"))
    print(f"{caught} of {len(CONTROLS)} planted mistakes caught")
    return 0 if caught == len(CONTROLS) else 1


if __name__ == "__main__":
    sys.exit(main())
