// What the server commits, as it happens. Screens subscribe; nobody asks the server in turns.
import { signal } from "@preact/signals";
import { headers } from "./api";
import { locked } from "./session";
import type { Status } from "./types";

// A record of the stream: what changed, not what it looks like now.
export interface Change {
    kind: "workflow" | "incident" | "task" | "deadLetter";
    type: string;
    workflow: string;
    definition: string;
    businessKey?: string;
    status?: Status;
    version?: number;
    task?: string;
    name?: string;
    at: string;
}

export const connection = signal<"connecting" | "live" | "lost">("connecting");
export const lastHeard = signal(0);
// Counts the times that changes may have been missed: what is shown must be read again.
export const reconnections = signal(0);

type Listener = (changes: Change[]) => void;
const listeners = new Set<Listener>();
let gathered: Change[] = [];
let timer: number | undefined;

export function onChanges(listener: Listener): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
}

let passed = 0;

// The first change is passed on at once, a burst together ten times a second: it costs one update of the screen.
function pass() {
    timer = undefined;
    passed = Date.now();
    const changes = gathered;
    gathered = [];
    for (const listener of [...listeners]) listener(changes);
}

function gather(change: Change) {
    gathered.push(change);
    timer ??= window.setTimeout(pass, Math.max(0, passed + 100 - Date.now()));
}

let position = "";

function take(block: string) {
    let data = "";
    let kind = "message";
    for (const line of block.split("\n")) {
        if (line.startsWith("id:")) position = line.slice(3).trim();
        else if (line.startsWith("event:")) kind = line.slice(6).trim();
        else if (line.startsWith("data:")) data += line.slice(5).trim();
    }
    lastHeard.value = Date.now();
    if (data && kind !== "open" && kind !== "end") gather(JSON.parse(data));
}

async function read(abort: AbortController) {
    const sent = headers();
    if (position) sent["Last-Event-ID"] = position;
    const response = await fetch("/api/v1/stream", { headers: sent, signal: abort.signal });
    if (response.status === 401) locked.value = true;
    if (response.status === 410) position = "";
    if (!response.ok || !response.body) throw new Error(`stream: ${response.status}`);
    // Without a position it begins now: what was read before that may have changed in between.
    if (connection.value === "lost" || !sent["Last-Event-ID"]) ++reconnections.value;
    connection.value = "live";
    lastHeard.value = Date.now();
    watchSilence(abort);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
        const { value, done } = await reader.read();
        if (done) throw new Error("stream ended");
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop()!;
        for (const block of blocks) take(block);
    }
}

// The server says something every 15 seconds. A connection that is silent for longer has died without a word.
function watchSilence(abort: AbortController) {
    const timer = setInterval(() => Date.now() - lastHeard.value > 40_000 && abort.abort(), 5000);
    abort.signal.addEventListener("abort", () => clearInterval(timer));
}

// A browser has six connections for a server. A page that nobody sees, or that was left, holds none: it goes on from its
// position when it is seen again.
const seen = () =>
    new Promise<void>((go) => {
        if (!document.hidden) go();
        else document.addEventListener("visibilitychange", () => go(), { once: true });
    });

export async function listen() {
    let abort = new AbortController();
    document.addEventListener("visibilitychange", () => document.hidden && abort.abort());
    for (let pause = 250; ; pause = Math.min(pause * 2, 5000)) {
        await seen();
        abort = new AbortController();
        const began = Date.now();
        try {
            await read(abort);
        } catch {
            // Shown as a lost connection; the next attempt follows.
        }
        abort.abort();
        if (Date.now() - began > 5000) pause = 250;
        if (document.hidden) {
            connection.value = "connecting";
            continue;
        }
        connection.value = "lost";
        await new Promise((wake) => setTimeout(wake, pause));
    }
}
