// A history as bars and points in time: steps, waits, attempts, tasks, and where the tokens of a process were.
import { isObject, type Json, type JsonObject } from "./json";
import { ms } from "./time";
import { eventOf, turnName, type HistoryRow, type WaitName } from "./types";
import { t } from "../texts";

export interface Bar {
    lane: string;
    kind: "step" | "wait" | "attempt" | "task" | "element" | "pause" | "incident";
    label: string;
    from: number;
    to: number | null; // null: not over yet
    failed?: boolean;
    version: number;
    detail?: Json;
}

export interface Point {
    kind: "edit" | "start" | "end";
    at: number;
    version: number;
    type: string;
    user: string | null;
}

export interface Lane {
    id: string;
    label: string;
    bars: Bar[];
}

export interface Timeline {
    lanes: Lane[];
    points: Point[];
    from: number;
    to: number | null;
}

const text = (object: JsonObject, name: string) => (typeof object[name] === "string" ? (object[name] as string) : "");
const list = <Item = string,>(object: JsonObject, name: string) => (Array.isArray(object[name]) ? (object[name] as Item[]) : []);

// The elements that hold a token after a change of a process; absent: not such a change.
export function activeElements(row: HistoryRow): string[] | undefined {
    if (row.type !== "StepRecorded" || !isObject(row.payload) || !isObject(row.payload["value"])) return undefined;
    const active = row.payload["value"]["active"];
    return Array.isArray(active) && active.every((one) => typeof one === "string") ? (active as string[]) : undefined;
}

function nameOfWait({ name, correlationKey }: { name: string; correlationKey: string }): string {
    if (name.startsWith("task/")) return t.timeline.task;
    if (name === turnName) return t.timeline.turn;
    return correlationKey ? `${name} ${t.sentence.forKey} ${correlationKey}` : name;
}

function waitLabel(payload: JsonObject): string {
    const names = list<WaitName>(payload, "names").map((one) => nameOfWait(eventOf(one)));
    const parts = [...names, ...list(payload, "workflows").map((id) => id.slice(0, 8))];
    if (parts.length === 0) return payload["until"] ? t.timeline.timer : t.timeline.wait;
    return parts.join(` ${t.sentence.or} `);
}

class Builder {
    readonly lanes = new Map<string, Lane>();
    readonly points: Point[] = [];
    private readonly open = new Map<string, Bar>();
    private last = 0;

    constructor(private readonly nameOf: (element: string) => string) {}

    private begin(key: string, bar: Bar) {
        this.end(key, bar.from);
        const lane = this.lanes.get(bar.lane) ?? { id: bar.lane, label: bar.label, bars: [] };
        this.lanes.set(bar.lane, lane);
        lane.bars.push(bar);
        if (bar.to === null) this.open.set(key, bar);
    }

    private end(key: string, at: number): Bar | undefined {
        const bar = this.open.get(key);
        if (bar) bar.to = at;
        this.open.delete(key);
        return bar;
    }

    private elements(active: string[], at: number, version: number) {
        for (const key of [...this.open.keys()]) if (key.startsWith("element ") && !active.includes(key.slice(8))) this.end(key, at);
        for (const id of active)
            if (!this.open.has("element " + id))
                this.begin("element " + id, { lane: "element " + id, kind: "element", label: this.nameOf(id), from: at, to: null, version });
    }

    take(row: HistoryRow) {
        const at = ms(row.at);
        const payload = isObject(row.payload) ? row.payload : {};
        const index = String(payload["index"] ?? "");
        const active = activeElements(row);
        switch (row.type) {
            case "Suspended":
                this.begin("wait " + index, {
                    lane: "index " + index,
                    kind: payload["attempt"] !== undefined ? "attempt" : "wait",
                    label: payload["attempt"] !== undefined ? t.timeline.attempt(String(payload["attempt"])) : waitLabel(payload),
                    failed: payload["attempt"] !== undefined,
                    from: at,
                    to: null,
                    version: row.version,
                    detail: row.payload,
                });
                break;
            case "Delivered":
                this.end("wait " + index, at);
                break;
            case "StepRecorded":
                if (active) this.elements(active, at, row.version);
                else {
                    this.end("wait " + index, at);
                    this.begin("step", { lane: "index " + index, kind: "step", label: text(payload, "name"), from: this.last || at, to: at, failed: payload["error"] !== undefined, version: row.version, detail: row.payload });
                    this.lanes.get("index " + index)!.label = text(payload, "name");
                }
                break;
            case "TaskCreated":
                this.begin("task " + text(payload, "task"), { lane: "task " + text(payload, "task"), kind: "task", label: text(payload, "name"), from: at, to: null, version: row.version, detail: row.payload });
                break;
            case "TaskEnded":
                this.end("task " + text(payload, "task"), at);
                break;
            case "Paused":
                this.begin("pause", { lane: "pause", kind: "pause", label: t.status["paused"]!, from: at, to: null, version: row.version });
                break;
            case "Resumed":
                this.end("pause", at);
                break;
            case "IncidentRaised":
                this.begin("incident", { lane: "incident", kind: "incident", label: text(payload, "code") || t.status["incident"]!, from: at, to: null, failed: true, version: row.version, detail: row.payload });
                break;
            case "IncidentSettled":
                this.end("incident", at);
                break;
            case "Succeeded":
            case "Failed":
            case "Cancelled":
                for (const key of [...this.open.keys()]) this.end(key, at);
                this.points.push({ kind: "end", at, version: row.version, type: row.type, user: row.user });
                break;
            case "Started":
            case "Forked":
                this.points.push({ kind: "start", at, version: row.version, type: row.type, user: row.user });
                break;
            case "StateChanged":
            case "Written":
            case "Restored":
                this.points.push({ kind: "edit", at, version: row.version, type: row.type, user: row.user });
                break;
        }
        if (row.type !== "StateChanged") this.last = at;
    }
}

export function timelineOf(rows: HistoryRow[], ended: string | null, nameOf: (element: string) => string): Timeline {
    const builder = new Builder(nameOf);
    for (const row of rows) builder.take(row);
    const from = rows[0] ? ms(rows[0].at) : Date.now();
    return { lanes: [...builder.lanes.values()], points: builder.points, from, to: ended ? ms(ended) : null };
}

const stateful = new Set(["Started", "Forked", "StateChanged", "Written", "Restored", "Released"]);
export const carriesState = (row: HistoryRow) => stateful.has(row.type);
