// The real server as a child process, on a store of its own; it may be killed and come back at its address.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export class Server {
    constructor(store, more = []) {
        this.store = store;
        this.more = more;
        this.folder = mkdtempSync(join(tmpdir(), "holdfast_web."));
        this.listen = "127.0.0.1:0";
    }

    static async start(store, more) {
        const server = new Server(store, more);
        await server.launch();
        return server;
    }

    async launch() {
        const addressFile = join(this.folder, "address");
        rmSync(addressFile, { force: true });
        const store = this.store === "sqlite" ? `sqlite:${join(this.folder, "test.db")}` : this.store;
        this.process = spawn(
            process.env.HOLDFAST_BINARY,
            ["serve", "--store", store, "--listen", this.listen, "--address-file", addressFile, "--log-level", "warn", ...this.more],
            { stdio: ["ignore", "ignore", "inherit"] }
        );
        for (let waited = 0; !existsSync(addressFile); waited += 20) {
            if (waited > 30_000 || this.process.exitCode !== null) throw new Error("the server did not start");
            await sleep(20);
        }
        this.url = readFileSync(addressFile, "utf8").trim();
        this.listen = this.url.replace("http://", "");
    }

    async end(signal) {
        const ended = new Promise((done) => this.process.once("exit", done));
        if (this.process.exitCode === null && this.process.signalCode === null) {
            this.process.kill(signal);
            await ended;
        }
    }

    kill = () => this.end("SIGKILL");

    async close() {
        await this.end("SIGTERM");
        rmSync(this.folder, { recursive: true, force: true });
    }

    // A request as a program makes it; throws what the server refuses unless `allowed` names its status.
    async call(method, path, body, headers = {}, allowed = []) {
        const isText = typeof body === "string";
        const response = await fetch(this.url + path, {
            method,
            headers: { ...(this.token ? { Authorization: `Bearer ${this.token}` } : {}), ...(body === undefined ? {} : { "Content-Type": isText ? "application/xml" : "application/json" }), ...headers },
            body: body === undefined ? undefined : isText ? body : JSON.stringify(body),
        });
        const text = await response.text();
        if (!response.ok && !allowed.includes(response.status)) throw new Error(`${method} ${path}: ${response.status} ${text}`);
        return text ? JSON.parse(text) : null;
    }

    // The cookie of a browser that has signed in as who the server's own requests come from.
    async session() {
        const { path } = await this.post("/sign-in-links");
        const response = await fetch(this.url + "/api/v1/sign-in", {
            method: "POST",
            headers: { "Content-Type": "application/json", Origin: this.url },
            body: JSON.stringify({ link: path.split("=")[1] }),
        });
        if (!response.ok) throw new Error(`sign-in: ${response.status}`);
        const [name, value] = response.headers.getSetCookie()[0].split(";")[0].split("=");
        return { name, value, url: this.url, httpOnly: true, sameSite: "Strict" };
    }

    get = (path) => this.call("GET", "/api/v1" + path);
    post = (path, body = {}, headers) => this.call("POST", "/api/v1" + path, body, headers);
    put = (path, body) => this.call("PUT", "/api/v1" + path, body);
    patch = (id, version, state) => this.call("PATCH", `/api/v1/workflows/${id}/state`, { state }, { "If-Match": `"${version}"` });

    define = (key, body = {}) => this.put(`/definitions/${key}`, body);
    start = (definition, businessKey, state = {}, more = {}) => this.post("/workflows", { definition, businessKey, state, ...more });
    step = (id, index, name, value) => this.put(`/workflows/${id}/steps/${index}`, { run: 1, name, inputHash: "0".repeat(64), value });
    wait = (id, index, conditions) => this.post(`/workflows/${id}/wait`, { run: 1, index, ...conditions });
    task = (id, index, name, more = {}) => this.post(`/workflows/${id}/tasks`, { run: 1, index, name, ...more });
    deploy = (xml) => this.call("POST", "/api/v1/definitions", xml);
}

export function tokenFile(folder, token) {
    const path = join(folder, "token");
    writeFileSync(path, token + "\n", { mode: 0o600 });
    return path;
}
