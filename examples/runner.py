"""Drives a workflow from outside the server: a step, a wait for an event, a step, the end."""
import hashlib, json, os, threading, urllib.error, urllib.request

SERVER = os.environ.get("HOLDFAST_SERVER", "http://127.0.0.1:8080") + "/api/v1"

def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(SERVER + path, data, {"Content-Type": "application/json"}, method=method)
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refused:  # 409 overtaken: another runner was faster
        raise RuntimeError(f"{method} {path}: {refused.code} {json.load(refused)['detail']}") from None

class Runner:
    def __init__(self, workflow):
        self.path, self.index = f"/workflows/{workflow}", 0
        shown = call("GET", self.path)
        self.run, self.reached = shown["run"], shown["index"]

    def step(self, name, work, *given):  # a step that is in the journal is not run again
        path = f"{self.path}/steps/{self.index}"
        if self.index < self.reached:
            value = call("GET", path)["value"]
        else:
            digest, value = hashlib.sha256(repr(given).encode()).hexdigest(), work(*given)
            call("PUT", path, {"run": self.run, "name": name, "inputHash": digest, "value": value})
        self.index += 1  # only now: if the work fails, the step is still at its index
        return value

    def wait(self, **conditions):
        found = call("POST", self.path + "/wait", {"run": self.run, "index": self.index, **conditions})
        while found["outcome"] == "suspended":
            found = call("GET", f"{self.path}/wait?index={self.index}&run={self.run}&timeout=60s")
        self.index += 1
        return found["value"]

call("PUT", "/definitions/parcel", {})
runner = Runner(call("POST", "/workflows", {"definition": "parcel", "state": {"total": 120}})["id"])
print("reserved", runner.step("reserve", lambda item: {"item": item, "shelf": 7}, "lamp"))
threading.Timer(0.2, call, ("POST", runner.path + "/events/paid", {"value": {"amount": 120}})).start()
print("paid", runner.wait(names=["paid"], after="24h"))
print("shipped", runner.step("ship", lambda: {"parcel": "P-1"}))
call("POST", runner.path + "/complete", {"run": runner.run, "index": runner.index, "result": {"parcel": "P-1"}})
print("ended", *[call("GET", runner.path)[member] for member in ("status", "result")])
