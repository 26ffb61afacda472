#!/usr/bin/env python3
"""Webhooks end to end: a receiver that is killed 50 times, and the server too, lose nothing.

usage: run_webhooks.py [KILLS]

The server is the binary that HOLDFAST_BINARY names.
"""
import hashlib
import hmac
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

from private_postgres import PrivatePostgres

SECRET = "0123456789abcdef-of-this-test"
HERE = pathlib.Path(__file__).parent
WITHIN = 60
PROCESSES = []  # all that were started, so that none outlives a failure


def spawn(command, **options):
    PROCESSES.append(subprocess.Popen(command, **options))
    return PROCESSES[-1]


def eventually(what, holds):
    """Polls a condition that other processes bring about."""
    deadline = time.monotonic() + WITHIN
    while time.monotonic() < deadline:
        found = holds()
        if found:
            return found
        time.sleep(0.01)
    sys.exit(f"not within {WITHIN} s: {what}")


class Receiver:
    def __init__(self, folder):
        self.file, self.refused, self.port = folder / "received", folder / "refused", 0
        self.file.touch()
        self.start()

    def start(self, end=""):
        """`end`: kills itself at the next post, before or after it is written."""
        self.process = spawn(
            [sys.executable, HERE / "receiver.py", str(self.port), self.file, self.refused, *([end] if end else [])],
            stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def url(self):
        return f"http://127.0.0.1:{self.port}/hook?to=me"

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def posts(self):
        """What is whole in the file: a kill may cut the last line."""
        lines = self.file.read_text(encoding="utf-8").split("\n")[:-1]
        found = []
        for line in lines:
            try:
                found.append(json.loads(line))
            except ValueError:
                pass
        return found

    def records(self):
        return [record for post in self.posts() for record in json.loads(post["body"])["records"]]


class Server:
    def __init__(self, folder, store, flags, name="server"):
        self.folder, self.store, self.flags, self.name, self.number = folder, store, flags, name, 0
        self.start()

    def start(self):
        self.number += 1
        address = self.folder / f"{self.name}{self.number}.address"
        with open(self.log(), "ab") as log:
            self.process = spawn(
                [os.environ["HOLDFAST_BINARY"], "serve", "--store", self.store, "--node", self.name,
                 "--listen", "127.0.0.1:0", "--address-file", address, *self.flags], stdout=log, stderr=log)
        self.url = eventually("the server starts", lambda: address.exists() and address.read_text().strip())

    def log(self):
        return self.folder / f"{self.name}.log"

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self):
        self.process.terminate()
        return self.process.wait(WITHIN)

    def call(self, method, path, body=None):
        request = urllib.request.Request(self.url + "/api/v1" + path, method=method,
                                         data=None if body is None else json.dumps(body).encode(),
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=WITHIN) as answer:
                text = answer.read()
                return answer.status, json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read())

    def text(self, path):
        with urllib.request.urlopen(self.url + path, timeout=WITHIN) as answer:
            return answer.read().decode()

    def history(self, workflow):
        return [(workflow, row["version"], row["type"])
                for row in self.call("GET", f"/workflows/{workflow}/history?limit=1000")[1]["items"]]

    def start_workflow(self, key=None):
        status, started = self.call("POST", "/workflows", {"definition": "order", **({"businessKey": key} if key else {})})
        check(status == 201, started)
        return started["id"]

    def cancel_workflow(self, workflow):
        check(self.call("POST", f"/workflows/{workflow}/cancel", {})[0] == 200, "not cancelled")


def told(records):
    return [(one["workflow"], one["version"], one["type"]) for one in records if one["kind"] == "workflow"]


def check(holds, message):
    if not holds:
        sys.exit(message)


def check_signatures(receiver, key):
    for post in receiver.posts():
        parts = dict(part.split("=", 1) for part in post["signature"].split(","))
        wanted = hmac.new(key.encode(), f"{parts['t']}.{post['body']}".encode(), hashlib.sha256).hexdigest()
        check(hmac.compare_digest(wanted, parts["v1"]), "a signature does not fit its body")
        check(abs(int(parts["t"]) - time.time()) < 3600, "a signature has another time")


def check_complete(server, receiver, workflows):
    """Every change was told, those of each workflow in their order, and nothing else."""
    wanted = [row for workflow in workflows for row in server.history(workflow)]
    eventually("everything is told", lambda: set(wanted) <= set(told(receiver.records())))
    firsts = list(dict.fromkeys(told(receiver.records())))
    check(set(firsts) == set(wanted), f"also told: {set(firsts) - set(wanted)}")
    for workflow in workflows:
        versions = [version for found, version, _ in firsts if found == workflow]
        check(versions == sorted(versions), f"{workflow} was told out of order: {versions}")
    return len(wanted)


def webhook_flags(folder):
    secret = folder / "secret"
    secret.write_text(SECRET)
    return ["--webhook-secret-file", secret, "--webhook-host", "127.0.0.1", "--webhook-allow-private"]


def create_webhook(server, receiver):
    check(server.call("PUT", "/definitions/order", {})[0] == 201, "no definition")
    status, hook = server.call("POST", "/webhooks", {"url": receiver.url(), "definition": "order"})
    check(status == 201, hook)
    return hook


def killed_receiver(folder, kills):
    """The receiver is killed before it writes, after it has written, or at any time; the server now and then."""
    chance = random.Random(7)
    receiver = Receiver(folder)
    server = Server(folder, f"sqlite:{folder / 'hooks.db'}", webhook_flags(folder))
    hook = create_webhook(server, receiver)
    workflows = []
    for number in range(kills):
        end = ("", "before", "after")[number % 3]
        receiver.kill()
        receiver.start(end)
        before = len(receiver.posts())
        for _ in range(chance.randint(1, 4)):
            workflows.append(server.start_workflow())
            server.cancel_workflow(workflows[-1])
        if number % 25 == 24:
            server.kill()
            server.start()
        if end:
            eventually("the receiver kills itself", lambda: receiver.process.poll() is not None)
        elif number % 2:  # otherwise it is killed at once
            eventually("something arrives", lambda: len(receiver.posts()) > before)
    receiver.kill()
    receiver.start()
    count = check_complete(server, receiver, workflows)
    check_signatures(receiver, hook["key"])
    twice = len(told(receiver.records())) - count
    check(twice > 0, "no record came twice: no kill was between the write and the answer")
    print(f"{kills} kills of the receiver: {count} changes of {len(workflows)} workflows, 0 lost, {twice} told again")
    refused_record(server, receiver, hook)
    paused(server, receiver, hook)
    no_secret(server, hook)
    check(server.call("DELETE", f"/webhooks/{hook['id']}")[0] == 204, "not removed")
    check(server.call("GET", "/webhooks")[1]["items"] == [], "it is still listed")
    for what in ("ping", "pause", "resume", "redeliver", "discard"):
        check(server.call("POST", f"/webhooks/{hook['id']}/{what}", {})[0] == 404, what + " of a removed one")
    receiver.kill()
    check(server.stop() == 0, "the server did not stop well")


def paused(server, receiver, hook):
    place = f"/webhooks/{hook['id']}"
    check(server.call("POST", place + "/ping", {})[1] == {"taken": True, "answered": 200, "why": None}, "no ping")
    check(server.call("POST", place + "/pause", {"reason": "maintenance"})[1]["status"] == "paused", "not paused")
    workflow = server.start_workflow()
    before = len(receiver.posts())
    check(server.call("POST", place + "/ping", {})[1]["taken"], "no ping while it is paused")
    check(len(receiver.posts()) == before, "it posts while it is paused")
    check(server.call("POST", place + "/resume", {})[1]["status"] == "active", "not resumed")
    eventually("it goes on", lambda: (workflow, 1, "Started") in told(receiver.records()))
    receiver.kill()
    ping = server.call("POST", place + "/ping", {})[1]
    check(ping["taken"] is False and ping["answered"] is None and ping["why"], ping)
    receiver.start()
    print("it rests while it is paused; a ping says what came of it")


def no_secret(server, hook):
    """Nothing but the first answer has the key, and nothing the secret."""
    seen = "".join(server.text(path) for path in (
        "/metrics", "/api/v1/webhooks", f"/api/v1/webhooks/{hook['id']}", f"/api/v1/workflows/{hook['id']}?include=why",
        f"/api/v1/workflows/{hook['id']}/history?limit=1000", "/api/v1/workflows?include=state"))
    seen += server.log().read_text(errors="replace")
    seen += (server.folder / "hooks.db").read_bytes().decode("latin-1")
    seen += (server.folder / "hooks.db-wal").read_bytes().decode("latin-1")
    check(hook["id"] in seen, "it looked at nothing")
    check(hook["key"] not in seen and SECRET not in seen, "a secret is shown")
    print("no key or secret in answers, log and database")


def two_nodes(folder):
    """One of two nodes posts; when it is killed, the other goes on."""
    postgres = PrivatePostgres(folder)
    try:
        receiver = Receiver(folder)
        flags = [*webhook_flags(folder), "--pump-lease-seconds", "2"]
        nodes = [Server(folder, postgres.url, flags, name) for name in ("a", "b")]
        create_webhook(nodes[0], receiver)
        workflows = []
        for number in range(40):
            workflows.append(nodes[number % 2].start_workflow())
            nodes[(number + 1) % 2].cancel_workflow(workflows[-1])
        check_complete(nodes[0], receiver, workflows)
        records = told(receiver.records())
        check(len(records) == len(set(records)), "both nodes posted")
        senders = [node for node in nodes if sent(node) > 0]
        check(len(senders) == 1, f"{len(senders)} nodes posted")
        other = nodes[1 - nodes.index(senders[0])]
        senders[0].kill()
        for _ in range(10):
            workflows.append(other.start_workflow())
        check_complete(other, receiver, workflows)
        check(sent(other) > 0, "the other node did not post")
        check(other.stop() == 0, "the server did not stop well")
        receiver.kill()
        print(f"two nodes: one posted {len(records)} changes once each; it was killed, the other went on")
    finally:
        postgres.stop()


def sent(server):
    lines = [line for line in server.text("/metrics").splitlines() if line.startswith('holdfast_webhook_posts_total{outcome="taken"}')]
    return float(lines[0].split()[1]) if lines else 0


def refused_record(server, receiver, hook):
    """One record that the receiver refuses holds nothing else up, and can be posted again."""
    bad = server.start_workflow("bad")
    receiver.refused.write_text(bad)
    good = server.start_workflow("good")
    place = f"/webhooks/{hook['id']}"
    eventually("the others go on", lambda: (good, 1, "Started") in told(receiver.records()))
    shown = eventually("it is set aside", lambda: (found := server.call("GET", place)[1])["refused"] and found)
    check(all(one["record"]["workflow"] == bad for one in shown["refused"]), shown)
    check(shown["refused"][0]["why"] == "it answered 422", shown)
    receiver.refused.write_text(bad)
    check(server.call("POST", place + "/redeliver", {})[0] == 200, "no redelivery")
    eventually("it is refused again", lambda: "again" not in server.call("GET", place)[1]["refused"][0])
    receiver.refused.write_text("")
    check(server.call("POST", place + "/redeliver", {})[0] == 200, "no redelivery")
    eventually("it is posted again", lambda: not server.call("GET", place)[1]["refused"])
    check((bad, 1, "Started") in told(receiver.records()), "it was not posted")
    receiver.refused.write_text(bad)
    server.cancel_workflow(bad)
    eventually("it is set aside", lambda: server.call("GET", place)[1]["refused"])
    check(server.call("POST", place + "/discard", {})[1]["refused"] == [], "not discarded")
    receiver.refused.write_text("")
    print("a refused record is set aside, the others go on; redelivered")


def guarded(folder):
    """Hosts that are not allowed, addresses of this machine, bad requests."""
    secret = folder / "secret"
    secret.write_text(SECRET)
    server = Server(folder, f"sqlite:{folder / 'hooks.db'}", ["--webhook-secret-file", secret, "--webhook-host", "localhost"])
    for body, part in (({"url": "http://example.org/x"}, "--webhook-host example.org"),
                       ({"url": "https://localhost/x"}, "proxy"),
                       ({"url": "http://user@localhost/x"}, "no user"),
                       ({"url": "file:///etc/passwd"}, "http://host"),
                       ({"url": "http://localhost:99999/"}, "port"),
                       ({"url": "http://localhost/", "kinds": ["all"]}, "kinds"),
                       ({"url": "http://localhost/", "after": "x"}, "after"),
                       ({"url": "http://localhost/", "after": "99999999"}, "after"),
                       ({"url": "http://localhost/", "color": "red"}, "color"),
                       ({}, "http://host")):
        status, answer = server.call("POST", "/webhooks", body)
        check(status == 400 and part in json.dumps(answer), f"{body}: {status} {answer}")
    status, hook = server.call("POST", "/webhooks", {"url": "http://localhost:1/x"})
    check(status == 201, hook)
    server.call("PUT", "/definitions/order", {})
    server.call("POST", "/workflows", {"definition": "order"})
    shown = eventually("it fails", lambda: (one := server.call("GET", f"/webhooks/{hook['id']}")[1])["failures"] and one)
    check("--webhook-allow-private" in shown["failure"] and shown["status"] == "failing", shown)
    check("key" not in shown, "the key is shown once only")
    check(server.call("GET", "/webhooks/00000000-0000-7000-8000-000000000000")[0] == 404, "found")
    check(server.stop() == 0, "the server did not stop well")
    (folder / "plain").mkdir()
    plain = Server(folder / "plain", "memory:", [])
    status, answer = plain.call("POST", "/webhooks", {"url": "http://localhost/"})
    check(status == 400 and "--webhook-secret-file" in answer["detail"], answer)
    check(plain.stop() == 0, "the server did not stop well")
    print("hosts, addresses and bad requests are refused")


def main(kills):
    if "HOLDFAST_BINARY" not in os.environ:
        sys.exit("HOLDFAST_BINARY is not set")
    try:
        for run in (guarded, two_nodes, lambda folder: killed_receiver(folder, kills)):
            with tempfile.TemporaryDirectory() as place:
                run(pathlib.Path(place))
    finally:
        for process in PROCESSES:
            process.kill()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 50)
