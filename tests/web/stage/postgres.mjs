// A private PostgreSQL server in a temporary folder, on a unix socket.
import { execFileSync, spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const programs = "/usr/lib/postgresql/15/bin/";

// The server refuses to run as root.
function serverUser() {
    if (process.getuid() !== 0) return {};
    const id = (flag) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
    return { uid: id("-u"), gid: id("-g") };
}

export class Postgres {
    static async start() {
        const postgres = new Postgres();
        postgres.folder = mkdtempSync(join(tmpdir(), "holdfast_web_pg."));
        const user = serverUser();
        if (user.uid !== undefined) chownSync(postgres.folder, user.uid, user.gid);
        const cluster = join(postgres.folder, "cluster");
        const options = { ...user, cwd: postgres.folder, stdio: "ignore" };
        execFileSync(programs + "initdb", ["--pgdata=" + cluster, "--username=postgres", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"], options);
        postgres.process = spawn(programs + "postgres", ["-D", cluster, "-c", "listen_addresses=", "-c", "unix_socket_directories=" + postgres.folder], options);
        postgres.url = `postgres://postgres@/postgres?host=${postgres.folder}`;
        await postgres.ready();
        return postgres;
    }

    async ready() {
        for (let tries = 0; tries < 600; ++tries) {
            try {
                execFileSync(programs + "pg_isready", ["-q", "-h", this.folder]);
                return;
            } catch {
                await sleep(50);
            }
        }
        throw new Error("PostgreSQL did not start");
    }

    // A database of its own for each server.
    database(name) {
        execFileSync(programs + "createdb", ["-h", this.folder, "-U", "postgres", name]);
        return `postgres://postgres@/${name}?host=${this.folder}`;
    }

    async close() {
        const ended = new Promise((done) => this.process.once("exit", done));
        this.process.kill("SIGQUIT");
        await ended;
        rmSync(this.folder, { recursive: true, force: true });
    }
}
