"""A receiver of webhooks that writes what it gets to a file, on disk before it answers.

usage: receiver.py PORT FILE REFUSED [before|after]

REFUSED names a file with the ids of workflows of which it refuses records; port 0 takes a free one. The first line of
its output is the port. It kills itself at the first post with records: before or after it is written, but before it is answered.
"""
import http.server
import json
import os
import pathlib
import signal
import sys
import threading

PORT, FILE, REFUSED = int(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
END = sys.argv[4] if len(sys.argv) > 4 else ""
LOCK = threading.Lock()


def end(when):
    if END == when:
        os.kill(os.getpid(), signal.SIGKILL)


class Receiver(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        message = json.loads(body)
        refused = REFUSED.read_text().split() if REFUSED.exists() else []
        status = 422 if any(one["workflow"] in refused for one in message["records"]) else 200
        if status == 200 and message["records"]:
            end("before")
            self.write(body)
            end("after")
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def write(self, body):
        with LOCK, open(FILE, "a", encoding="utf-8") as file:
            file.write(json.dumps({"signature": self.headers["Holdfast-Signature"], "body": body}) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", PORT), Receiver)
print(server.server_port, flush=True)
server.serve_forever()
