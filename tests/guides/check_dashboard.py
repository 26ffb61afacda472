#!/usr/bin/env python3
"""Checks every query of the Grafana dashboard against the metrics that exist.

usage: check_dashboard.py REPO_ROOT

A query may name only metrics that the reference lists, with the labels that it lists there, and every metric that a
server shows must be in the reference, with the same type. The server is the binary that HOLDFAST_BINARY names.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request

from run_guides import Server

ROW = re.compile(r"^\| `(holdfast_\w+)(?:\{([^}]*)\})?` \| (counter|gauge|histogram) \|", re.M)
NAME = re.compile(r"\bholdfast_\w+")
SERIES = re.compile(r"(holdfast_\w+)(?:\{([^}]*)\})?")
TYPE = re.compile(r"^# TYPE (holdfast_\w+) (\w+)$", re.M)
GROUPED = re.compile(r"\bby \(([^)]*)\)")


def documented(root):
    """{metric: (labels, type)} of the reference."""
    text = pathlib.Path(root, "docs", "reference", "operations.md").read_text(encoding="utf-8")
    return {name: (set(filter(None, re.split(r",\s*", labels or ""))), kind)
            for name, labels, kind in ROW.findall(text)}


def family(name, metrics):
    """The metric that a series belongs to."""
    for ending in ("_bucket", "_sum", "_count"):
        whole = name.removesuffix(ending)
        if whole != name and metrics.get(whole, (None, None))[1] == "histogram":
            return whole
    return name


def query_complaints(expression, metrics):
    labels = set()
    for name in NAME.findall(expression):
        known = metrics.get(family(name, metrics))
        if known is None:
            yield f"there is no metric {name}"
            continue
        labels |= known[0] | ({"le"} if name.endswith("_bucket") else set())
        if known[1] == "counter" and f"rate({name}" not in expression and f"increase({name}" not in expression:
            yield f"{name} is a counter: ask for its rate"
    for group in GROUPED.findall(expression):
        for label in re.split(r",\s*", group):
            if label not in labels:
                yield f"no metric of the query has the label {label}"
    for name, filters in SERIES.findall(expression):
        for label in re.findall(r"(\w+)\s*[=!]", filters):
            if label not in metrics.get(family(name, metrics), (set(), ""))[0]:
                yield f"{name} has no label {label}"


def dashboard_complaints(root, metrics):
    dashboard = json.loads(pathlib.Path(root, "docs", "grafana_dashboard.json").read_text(encoding="utf-8"))
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            for complaint in query_complaints(target["expr"], metrics):
                yield f"{panel['title']}: {target['expr']}: {complaint}"


def served(binary):
    """{metric: type} of a server that has started a workflow."""
    with tempfile.TemporaryDirectory() as place:
        server = Server(binary, pathlib.Path(place))
        try:
            environment = {**os.environ, "HOLDFAST_SERVER": server.url}
            for command in (["define", "order"], ["start", "order"], ["list"]):
                subprocess.run([binary, *command], env=environment, check=True, capture_output=True)
            with urllib.request.urlopen(server.url + "/metrics", timeout=20) as answer:
                return dict(TYPE.findall(answer.read().decode()))
        finally:
            server.stop()


def main(root):
    binary = os.environ.get("HOLDFAST_BINARY") or sys.exit("HOLDFAST_BINARY is not set")
    metrics = documented(root)
    complaints = list(dashboard_complaints(root, metrics))
    shown = served(binary)
    for name, kind in sorted(shown.items()):
        if name not in metrics:
            complaints.append(f"the reference does not list {name}")
        elif metrics[name][1] != kind:
            complaints.append(f"{name} is a {kind}, not a {metrics[name][1]}")
    if len(shown) < 20:
        complaints.append(f"the server shows {len(shown)} metrics only")
    # The check finds what is wrong.
    for wrong in ("rate(holdfast_nothing_total[5m])", "holdfast_commits_total", "sum by (color) (holdfast_streams)",
                  'holdfast_streams{status="1"}'):
        if not list(query_complaints(wrong, metrics)):
            complaints.append(f"this query is not refused: {wrong}")
    for complaint in complaints:
        print(complaint)
    print(f"{len(metrics)} metrics in the reference, {len(shown)} shown, {len(complaints)} problems")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
