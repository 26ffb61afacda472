"""A private PostgreSQL server in a folder, on a unix socket."""
import os
import pathlib
import pwd
import signal
import subprocess
import time

PROGRAMS = pathlib.Path("/usr/lib/postgresql/15/bin")


class PrivatePostgres:
    def __init__(self, folder):
        self.folder = folder / "postgres"
        self.folder.mkdir()
        # The server refuses to run as root.
        self.user = pwd.getpwnam("postgres") if os.geteuid() == 0 else None
        if self.user:
            os.chown(self.folder, self.user.pw_uid, self.user.pw_gid)
            for parent in (folder, *folder.parents):
                if parent.stat().st_uid == 0 and not parent.stat().st_mode & 0o001:
                    parent.chmod(parent.stat().st_mode | 0o011)
        self.run("initdb", "--pgdata", self.folder / "cluster", "--username=postgres", "--auth=trust",
                 "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")
        self.process = subprocess.Popen(
            [PROGRAMS / "postgres", "-D", self.folder / "cluster", "-c", "listen_addresses=",
             "-c", f"unix_socket_directories={self.folder}"], **self.options())
        self.url = f"postgres://postgres@/postgres?host={self.folder}"
        self.wait()

    def options(self):
        as_user = {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []} if self.user else {}
        return {**as_user, "cwd": self.folder, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}

    def run(self, program, *arguments):
        subprocess.run([PROGRAMS / program, *arguments], check=True, **self.options())

    def wait(self):
        deadline = time.monotonic() + 60
        while subprocess.run([PROGRAMS / "pg_isready", "-q", "-h", self.folder], check=False).returncode:
            if time.monotonic() > deadline:
                raise RuntimeError("PostgreSQL did not start")
            time.sleep(0.05)

    def stop(self):
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait()
