// What the server commits, as it happens. Screens subscribe; nobody asks the server in turns.
import { computed, effect, signal } from "@preact/signals";
import { locked, me, scope, session } from "./session";
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

// quiet: the credential may not follow changes; what this page changes itself is shown all the same.
export const connection = signal<"connecting" | "live" | "lost" | "quiet">("connecting");
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

// What this page did itself, where no stream tells it.
export function tellOwn(change: Change) {
    if (connection.value === "quiet") gather(change);
}

async function read(abort: AbortController) {
    const sent: Record<string, string> = {};
    if (position) sent["Last-Event-ID"] = position;
    const only = scope.value ? `?definition=${encodeURIComponent(scope.value)}` : "";
    const response = await fetch("/api/v1/stream" + only, { headers: sent, signal: abort.signal });
    if (response.status === 401) locked.value = true;
    if (response.status === 403) connection.value = "quiet";
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

const hidden = signal(document.hidden);
document.addEventListener("visibilitychange", () => (hidden.value = document.hidden));

const until = (condition: () => boolean) =>
    new Promise<void>((go) => {
        const stop = effect(() => {
            if (condition()) queueMicrotask(() => (stop(), go()));
        });
    });

// Another credential or definition is another stream.
const asked = computed(() => [session.value, scope.value].join("\n"));

// Who may not follow changes is asked about again when the page is seen again, or is somebody else's.
async function stayQuiet() {
    const [credential, before] = [asked.peek(), me.peek()];
    await until(() => hidden.value || asked.value !== credential || me.value !== before);
    await until(() => !hidden.value);
    ++reconnections.value;
}

// A browser has six connections for a server. A page that nobody sees, or that was left, holds none: it goes on from its
// position when it is seen again.
export async function listen() {
    let abort = new AbortController();
    effect(() => void (asked.value, abort.abort()));
    effect(() => {
        if (hidden.value) abort.abort();
    });
    for (let pause = 250; ; pause = Math.min(pause * 2, 5000)) {
        await until(() => !hidden.value && !locked.value);
        abort = new AbortController();
        const [began, credential] = [Date.now(), asked.peek()];
        try {
            await read(abort);
        } catch {
            // Shown as a lost connection; the next attempt follows.
        }
        abort.abort();
        if (Date.now() - began > 5000) pause = 250;
        if (asked.peek() !== credential) ++reconnections.value;
        if (hidden.peek() || locked.peek() || asked.peek() !== credential) connection.value = "connecting";
        else if (connection.value === "quiet") await stayQuiet();
        else {
            connection.value = "lost";
            await new Promise((wake) => setTimeout(wake, pause));
        }
    }
}
