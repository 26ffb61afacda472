// Requests to the API. Failures are problems (RFC 9457) with what to do next.
import { locked, may, scope, type Me } from "./session";
import { parseJson, printJson, type Json, type JsonObject } from "./json";
import type * as T from "./types";

export class Problem extends Error {
    constructor(
        readonly status: number,
        readonly slug: string,
        readonly title: string,
        readonly detail: string,
        readonly members: JsonObject
    ) {
        super(detail || title);
    }
}

export class Offline extends Problem {
    constructor() {
        super(0, "offline", "The server cannot be reached", "The server does not answer. The page tries again.", {});
    }
}

export interface Reply<Value> {
    status: number;
    etag: string | null;
    value: Value;
}

interface Call {
    method?: string;
    body?: Json | string;
    type?: string;
    ifMatch?: string | number;
    key?: string;
    signal?: AbortSignal;
}

function problemOf(status: number, body: Json): Problem {
    const members = (typeof body === "object" && body !== null ? body : {}) as JsonObject;
    const text = (name: string) => (typeof members[name] === "string" ? (members[name] as string) : "");
    return new Problem(status, text("type").replace("/problems/", ""), text("title") || `HTTP ${status}`, text("detail"), members);
}

export async function call<Value>(path: string, options: Call = {}): Promise<Reply<Value>> {
    const sent: Record<string, string> = {};
    if (options.body !== undefined) sent["Content-Type"] = options.type ?? "application/json";
    if (options.ifMatch !== undefined) sent["If-Match"] = options.ifMatch === "*" ? "*" : `"${options.ifMatch}"`;
    if (options.key) sent["Idempotency-Key"] = options.key;
    let response: Response;
    try {
        response = await fetch(path, {
            method: options.method ?? "GET",
            headers: sent,
            body: options.body === undefined ? undefined : typeof options.body === "string" ? options.body : printJson(options.body, 0),
            signal: options.signal,
            credentials: "same-origin",
        });
    } catch (error) {
        if (options.signal?.aborted) throw error;
        throw new Offline();
    }
    const text = await response.text();
    let value: Json = null;
    try {
        value = text ? parseJson(text) : null;
    } catch {
        value = text;
    }
    if (response.status === 401) locked.value = true;
    if (!response.ok) throw problemOf(response.status, value);
    return { status: response.status, etag: response.headers.get("ETag"), value: value as Value };
}

const base = "/api/v1";
const get = async <Value>(path: string, signal?: AbortSignal) => (await call<Value>(base + path, { signal })).value;
const post = <Value>(path: string, options: Call = {}) => call<Value>(base + path, { method: "POST", body: {}, ...options });

export function query(parameters: Record<string, string | number | undefined | null>): string {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) if (value !== undefined && value !== null && value !== "") search.set(name, String(value));
    const text = search.toString();
    return text ? "?" + text : "";
}

// A key of its own for every press of a button, so that a repeat after a lost answer changes nothing twice.
export const newKey = () => "page-" + crypto.randomUUID();

type Filter = Record<string, string | number | undefined>;

// A list that a credential for several definitions may only have of one.
const listOf = (filter: Filter) => query(scope.value && !filter["definition"] ? { ...filter, definition: scope.value } : filter);

export const api = {
    version: async () => (await call<{ version: string }>("/version")).value,
    signIn: async (credential: { key: string } | { link: string }) => (await call<Me>(base + "/sign-in", { method: "POST", body: credential })).value,
    signOut: () => call(base + "/sign-out", { method: "POST" }),
    me: async () => (await call<Me>(base + "/me")).value,
    metrics: async () => {
        const response = await fetch("/metrics");
        return response.ok ? response.text() : "";
    },
    workflows: (filter: Filter, signal?: AbortSignal) => get<T.Page<T.Workflow>>("/workflows" + listOf(filter), signal),
    workflow: (id: string) => get<T.Workflow>(`/workflows/${id}`),
    workflowAndWhy: (id: string) => get<T.Workflow>(`/workflows/${id}?include=why`),
    start: (body: JsonObject) => post<T.Workflow>("/workflows", { body, key: newKey() }),
    history: (id: string, from: number, limit = 1000) =>
        get<{ items: T.HistoryRow[]; nextFrom: number | null; trimmed?: { version: number; at: string } }>(`/workflows/${id}/history` + query({ from, limit })),
    checkpoints: (id: string) => get<{ items: T.Checkpoint[] }>(`/workflows/${id}/checkpoints?limit=500`),
    takeCheckpoint: (id: string, name: string) => post(`/workflows/${id}/checkpoints`, { body: { name }, key: newKey() }),
    restore: (id: string, name: string) => post(`/workflows/${id}/checkpoints/${encodeURIComponent(name)}/restore`, { key: newKey() }),
    fork: (id: string, name: string) => post<T.Workflow>(`/workflows/${id}/checkpoints/${encodeURIComponent(name)}/fork`, { key: newKey() }),
    editState: (id: string, version: number, state: Json, onConflict?: string) =>
        call<{ version: number; resolution?: string }>(`${base}/workflows/${id}/state` + query({ onConflict }), {
            method: "PATCH",
            body: { state },
            ifMatch: version,
        }),
    cancel: (id: string, reason: string) => post<{ cancelled: boolean; unwinding?: boolean }>(`/workflows/${id}/cancel`, { body: reason ? { reason } : {}, key: newKey() }),
    clear: (id: string, version: number) => call(`${base}/workflows/${id}`, { method: "DELETE", ifMatch: version }),
    pause: (id: string, version: number) => post(`/workflows/${id}/pause`, { ifMatch: version, key: newKey() }),
    resume: (id: string, version: number) => post(`/workflows/${id}/resume`, { ifMatch: version, key: newKey() }),
    release: (id: string) => post(`/workflows/${id}/release`, { key: newKey() }),
    cancelTimers: (id: string) => post<{ cancelled: number }>(`/workflows/${id}/cancel-timers`, { key: newKey() }),
    migrate: async (id: string, version: number, body: JsonObject) => (await post<T.Migration>(`/workflows/${id}/migrate`, { body, ifMatch: version })).value,
    modify: (id: string, version: number, steps: Json[]) => post(`/workflows/${id}/modify`, { body: { steps }, ifMatch: version, key: newKey() }),
    sendEvent: (id: string | null, body: JsonObject) =>
        post<{ outcome: string; id: string; workflow?: string; workflows?: string[] }>(id ? `/workflows/${id}/events` : "/events", { body, key: newKey() }),
    pendingEvents: (filter: Filter) => get<T.Page<T.PendingEvent>>("/pending-events" + query(filter)),
    deadEvents: (filter: Filter) => get<T.Page<T.PendingEvent>>("/dead-events" + query(filter)),
    cancelEvent: (id: string) => call(`${base}/pending-events/${id}`, { method: "DELETE" }),
    replayDeadEvent: (id: string, workflow?: string) => post(`/dead-events/${id}/replay`, { body: workflow ? { workflow } : {}, key: newKey() }),
    removeDeadEvent: (id: string) => call(`${base}/dead-events/${id}`, { method: "DELETE" }),
    deadLetters: (filter: Filter) => get<T.Page<T.DeadLetter>>("/dead-letters" + query(filter)),
    redrive: (id: string) => post(`/dead-letters/${id}/redrive`, { key: newKey() }),
    removeDeadLetter: (id: string) => call(`${base}/dead-letters/${id}`, { method: "DELETE" }),
    tasks: (filter: Filter) => get<T.Page<T.Task>>("/tasks" + listOf(filter)),
    task: (id: string) => get<T.Task>(`/tasks/${id}`),
    taskEvents: (id: string) => get<{ items: T.TaskEvent[] }>(`/tasks/${id}/events`),
    changeTask: (id: string, verb: string, version: number, body: JsonObject) =>
        post<T.Task>(`/tasks/${id}/${verb}`, { ifMatch: version, body, key: newKey() }),
    definitions: () => get<T.Page<T.Definition>>("/definitions"),
    definition: (key: string, version?: number) => get<T.Definition>(`/definitions/${encodeURIComponent(key)}` + query({ version })),
    versions: (key: string) => get<T.Page<T.Definition>>(`/definitions/${encodeURIComponent(key)}/versions?limit=200`),
    switchDefinition: (key: string, to: "enable" | "disable") => post(`/definitions/${encodeURIComponent(key)}/${to}`),
    stranded: () => get<T.Page<{ workflow: string; program: string; since: string; incident: boolean }>>("/stranded"),
    deploy: (xml: string) =>
        call<{ definitions: { key: string; version: number; created: boolean }[]; warnings: string[] }>(`${base}/definitions`, {
            method: "POST",
            body: xml,
            type: "application/xml",
        }),
    incidents: (filter: Filter) => get<T.Page<T.IncidentRow>>("/incidents" + listOf(filter)),
    jobs: (filter: Filter) => get<T.Page<T.JobRow>>("/jobs" + listOf(filter)),
    retry: (id: string) => post(`/workflows/${id}/retry`, { key: newKey() }),
    // What a workflow cannot go on with is a dead letter, or an incident or a failed attempt of its own.
    tryAgain: async (id: string) => {
        const letters = may("readAll") ? await api.deadLetters({ workflow: id, limit: 100 }) : { items: [] };
        for (const letter of letters.items) await api.redrive(letter.id);
        if (letters.items.length === 0) await api.retry(id);
    },
    bulkJobs: (filter: Filter) => get<T.Page<T.BulkJob>>("/bulk-jobs" + query(filter)),
    planBulkJob: async (body: JsonObject) => (await post<{ matched: number; more: boolean }>("/bulk-jobs", { body: { ...body, dryRun: true } })).value,
    startBulkJob: (body: JsonObject, key: string) => post<T.BulkJob>("/bulk-jobs", { body, key }),
    stopBulkJob: (id: string) => post<T.BulkJob>(`/bulk-jobs/${id}/stop`, { key: newKey() }),
    schedules: (filter: Filter) => get<T.Page<T.Schedule>>("/schedules" + query(filter)),
    // A new one, unless it says which version it changes.
    putSchedule: (name: string, body: JsonObject, version?: number) =>
        call<T.Schedule>(`${base}/schedules/${encodeURIComponent(name)}` + query({ onlyNew: version === undefined ? "true" : undefined }), { method: "PUT", body, ifMatch: version }),
    pauseSchedule: (name: string) => post(`/schedules/${encodeURIComponent(name)}/pause`, { key: newKey() }),
    resumeSchedule: (name: string) => post(`/schedules/${encodeURIComponent(name)}/resume`, { key: newKey() }),
    triggerSchedule: (name: string) => post(`/schedules/${encodeURIComponent(name)}/trigger`, { key: newKey() }),
    backfillSchedule: (name: string, from: string, to: string) => post(`/schedules/${encodeURIComponent(name)}/backfill`, { body: { from, to }, key: newKey() }),
    removeSchedule: (name: string) => call(`${base}/schedules/${encodeURIComponent(name)}`, { method: "DELETE" }),
    conflicts: (filter: Filter) => get<T.Page<T.Conflict>>("/conflicts" + query(filter)),
    nodes: () => get<{ items: T.NodeRow[]; locks: T.HostLock[] }>("/nodes?limit=200"),
    audit: (filter: Filter) => get<T.Page<T.AuditRow>>("/audit" + query(filter)),
    webhooks: () => get<T.Page<T.Webhook>>("/webhooks?limit=100"),
    createWebhook: async (body: JsonObject) => (await post<T.Webhook & { key: string }>("/webhooks", { body, key: newKey() })).value,
    pingWebhook: async (id: string) => (await post<{ taken: boolean; answered: number | null; why: string | null }>(`/webhooks/${id}/ping`)).value,
    changeWebhook: (id: string, verb: "pause" | "resume" | "redeliver" | "discard") => post<T.Webhook>(`/webhooks/${id}/${verb}`),
    removeWebhook: (id: string) => call(`${base}/webhooks/${id}`, { method: "DELETE" }),
    settings: () => get<{ items: T.Setting[] }>("/settings"),
    runRetention: (dryRun: boolean) =>
        post<{ dryRun: boolean; deleted: number; rows: number; cancelled: number; eligible: number; more: boolean; windows: Record<string, number> }>(
            "/retention/run" + query({ dryRun: dryRun ? "true" : undefined })
        ),
};
