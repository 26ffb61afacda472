#!/usr/bin/env python3
"""Spans of ended workflows at a collector: ids, parents and times; a collector that is away holds nothing up.

The server is the binary that HOLDFAST_BINARY names.
"""
import datetime
import http.server
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request

WITHIN = 60
HASH = "0" * 64  # of the input of a step
PROCESSES = []  # all that were started, so that none outlives a failure
TRACE, CALLER = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


def eventually(what, holds):
    """Polls a condition that other processes bring about."""
    deadline = time.monotonic() + WITHIN
    while time.monotonic() < deadline:
        found = holds()
        if found:
            return found
        time.sleep(0.01)
    sys.exit(f"not within {WITHIN} s: {what}")


def check(holds, message):
    if not holds:
        sys.exit(message)


class Collector:
    """Keeps the spans that were posted, or answers 503."""

    def __init__(self):
        self.spans, self.resources, self.refuses, self.posts = [], [], False, 0
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                collector.posts += 1
                if self.path == "/v1/traces" and not collector.refuses:
                    for one in body["resourceSpans"]:
                        collector.resources.append(attributes(one["resource"]))
                        for scope in one["scopeSpans"]:
                            collector.spans += scope["spans"]
                self.send_response(503 if collector.refuses else 200)
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def of(self, workflow):
        return [span for span in self.spans if attributes(span).get("holdfast.workflow") == workflow]


def attributes(thing):
    return {one["key"]: list(one["value"].values())[0] for one in thing["attributes"]}


class Server:
    def __init__(self, folder, collector):
        address = folder / "address"
        with open(folder / "log", "ab") as log:
            self.process = subprocess.Popen(
                [os.environ["HOLDFAST_BINARY"], "serve", "--store", f"sqlite:{folder / 'spans.db'}", "--node", "one",
                 "--listen", "127.0.0.1:0", "--address-file", address, "--otlp-endpoint", collector],
                stdout=log, stderr=log)
        PROCESSES.append(self.process)
        self.url = eventually("the server starts", lambda: address.exists() and address.read_text().strip())

    def call(self, method, path, body=None, **headers):
        request = urllib.request.Request(
            self.url + "/api/v1" + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", **headers})
        with urllib.request.urlopen(request, timeout=WITHIN) as answer:
            text = answer.read()
            return json.loads(text) if text else None

    def metric(self, name):
        with urllib.request.urlopen(self.url + "/metrics", timeout=WITHIN) as answer:
            lines = answer.read().decode().splitlines()
        return float(next(line.split()[-1] for line in lines if line.startswith(name + " ")))


def nanoseconds(moment):
    at = datetime.datetime.fromisoformat(moment)
    micros = (at - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)) // datetime.timedelta(microseconds=1)
    return str(micros * 1000)


def run_workflow(server, **headers):
    """Two steps with a wait between them, which an event ends."""
    workflow = server.call("POST", "/workflows", {"definition": "order"}, **headers)["id"]
    place = f"/workflows/{workflow}"
    server.call("PUT", f"{place}/steps/0", {"run": 1, "name": "charge", "inputHash": HASH, "value": 7})
    server.call("POST", f"{place}/wait", {"run": 1, "index": 1, "names": ["paid"]})
    server.call("POST", f"{place}/events/paid", {"value": 1})
    server.call("PUT", f"{place}/steps/2", {"run": 1, "name": "ship", "inputHash": HASH, "value": 8})
    server.call("POST", f"{place}/complete", {"run": 1, "index": 3, "result": "done"})
    return workflow


def a_trace(server, collector):
    workflow = run_workflow(server, traceparent=f"00-{TRACE}-{CALLER}-01")
    root = eventually("its spans arrive", lambda: collector.of(workflow))[0]
    rows = {(row["type"], row["payload"].get("index")): row for row in
            server.call("GET", f"/workflows/{workflow}/history?limit=100")["items"] if isinstance(row["payload"], dict)}
    shown = server.call("GET", f"/workflows/{workflow}")
    check((root["traceId"], root["parentSpanId"], root["name"]) == (TRACE, CALLER, "order"), root)
    check(root["startTimeUnixNano"] == nanoseconds(shown["createdAt"]), root)
    check(root["endTimeUnixNano"] == nanoseconds(shown["completedAt"]), root)
    within = {span["name"]: span for span in collector.spans if span.get("parentSpanId") == root["spanId"]}
    check(sorted(within) == ["step charge", "step ship", "wait for paid"], sorted(within))
    wanted = {"step charge": (shown["createdAt"], rows["StepRecorded", 0]["at"]),
              "wait for paid": (rows["Suspended", 1]["at"], rows["Delivered", 1]["at"]),
              "step ship": (rows["Delivered", 1]["at"], rows["StepRecorded", 2]["at"])}
    for name, (begin, end) in wanted.items():
        span = within[name]
        check(span["traceId"] == TRACE, span)
        check((span["startTimeUnixNano"], span["endTimeUnixNano"]) == (nanoseconds(begin), nanoseconds(end)), (span, begin, end))
    ids = [span["spanId"] for span in collector.spans]
    check(len(ids) == len(set(ids)) == 4, ids)
    check(collector.resources[0] == {"service.name": "holdfast", "service.instance.id": "one"}, collector.resources)
    print("the spans of a workflow: parents and times as in its history")


def without_a_caller(server, collector):
    plain = run_workflow(server)
    root = eventually("its spans arrive", lambda: collector.of(plain))[0]
    check("parentSpanId" not in root and root["traceId"] == plain.replace("-", ""), root)
    before = len(collector.spans)
    run_workflow(server, traceparent=f"00-{TRACE}-{CALLER}-00")
    broken = run_workflow(server, traceparent=f"00-{'0' * 32}-{CALLER}-01")
    root = eventually("its spans arrive", lambda: collector.of(broken))[0]
    check("parentSpanId" not in root, root)
    check(len(collector.spans) == before + 4, "what its caller does not sample is sent")
    print("a trace of its own without a caller; none if the caller does not sample")


def a_failure(server, collector):
    failed = server.call("POST", "/workflows", {"definition": "order"})["id"]
    server.call("POST", f"/workflows/{failed}/fail", {"run": 1, "index": 0, "code": "no_money"})
    root = eventually("its span arrives", lambda: collector.of(failed))[0]
    check(root["status"]["code"] == 2 and attributes(root)["holdfast.status"] == "failed", root)
    print("a failed workflow has a failed span")


def a_collector_that_is_away(server, collector):
    collector.refuses = True
    ended = [run_workflow(server) for _ in range(3)]
    eventually("spans are dropped", lambda: server.metric("holdfast_spans_dropped_total") > 0)
    check(all(server.call("GET", f"/workflows/{one}")["status"] == "succeeded" for one in ended), "it held workflows up")
    collector.refuses = False
    later = run_workflow(server)
    eventually("it is heard again", lambda: collector.of(later))
    eventually("they are counted", lambda: server.metric("holdfast_spans_sent_total") == len(collector.spans))
    print("what a collector refuses is dropped and counted; the engine goes on")


def main():
    if "HOLDFAST_BINARY" not in os.environ:
        sys.exit("HOLDFAST_BINARY is not set")
    try:
        with tempfile.TemporaryDirectory() as place:
            collector = Collector()
            server = Server(pathlib.Path(place), collector.url)
            server.call("PUT", "/definitions/order", {})
            for run in (a_trace, without_a_caller, a_failure, a_collector_that_is_away):
                run(server, collector)
            server.process.terminate()
            check(server.process.wait(WITHIN) == 0, "the server did not stop well")
    finally:
        for process in PROCESSES:
            process.kill()


if __name__ == "__main__":
    main()
