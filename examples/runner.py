"""Drives a workflow from outside the server: a step, a wait for an event, a step, the end."""
import hashlib, json, os, threading, urllib.request

SERVER = os.environ.get("HOLDFAST_SERVER", "http://127.0.0.1:8080") + "/api/v1"

def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(SERVER + path, data, {"Content-Type": "application/json"}, method=method)
    with urllib.request.urlopen(request) as answer:  # a 409 is an exception: this runner was overtaken
        return json.load(answer)

class Runner:
    def __init__(self, workflow):
        self.path, self.index = f"/workflows/{workflow}", 0
        shown = call("GET", self.path)
        self.run, self.reached = shown["run"], shown["index"]

    def step(self, name, work, *given):  # a step that is in the journal is not run again
        path, self.index = f"{self.path}/steps/{self.index}", self.index + 1
        if self.index <= self.reached:
            return call("GET", path)["value"]
        digest, value = hashlib.sha256(repr(given).encode()).hexdigest(), work(*given)
        call("PUT", path, {"run": self.run, "name": name, "inputHash": digest, "value": value})
        return value

    def wait(self, **conditions):
        found = call("POST", self.path + "/wait", {"run": self.run, "index": self.index, **conditions})
        while found["outcome"] == "suspended":
            found = call("GET", f"{self.path}/wait?index={self.index}&run={self.run}&timeout=60s")
        self.index += 1
        return found["value"]

call("PUT", "/definitions/order", {})
runner = Runner(call("POST", "/workflows", {"definition": "order", "state": {"total": 120}})["id"])
print("reserved", runner.step("reserve", lambda item: {"item": item, "shelf": 7}, "lamp"))
threading.Timer(0.2, call, ("POST", runner.path + "/events/paid", {"value": {"amount": 120}})).start()
print("paid", runner.wait(names=["paid"], after="24h"))
print("shipped", runner.step("ship", lambda: {"parcel": "P-1"}))
call("POST", runner.path + "/complete", {"run": runner.run, "index": runner.index, "result": {"parcel": "P-1"}})
print("ended", *[call("GET", runner.path)[member] for member in ("status", "result")])
