// The documents of the API, as far as the page reads them. The names are those of the API's reference.
import type { Json, JsonObject } from "./json";

export type Status = "running" | "suspended" | "succeeded" | "failed" | "cancelled";

// What a wait is for: an event's name, alone or with a correlation key.
export type WaitName = string | { name: string; correlationKey: string };
export const eventOf = (one: WaitName) => (typeof one === "string" ? { name: one, correlationKey: "" } : one);

// Of a workflow whose definition has limits, before it begins.
export const turnName = "process/turn";

export interface Wait {
    kind: string;
    token: string;
    untilUtc: string | null;
    names: WaitName[];
    workflows: string[];
    since: string;
    beganAt: string;
    retry?: boolean;
    owner?: string;
}

export interface Limits {
    concurrency?: number;
    rate?: string;
    burst?: number;
    key?: string;
}

// Why a workflow stands where it does, as far as the page shows it.
export interface Why {
    runner: { program: string; programAvailable: boolean } | null;
    turn?: { limiter: string; behind: number; running: number; paused: boolean; limits: Limits } | null;
}

export interface Workflow {
    id: string;
    version: number;
    status: Status;
    definition: string;
    definitionVersion: number;
    businessReference: { key: string | null; parts: Record<string, string> };
    paused: boolean;
    incident: boolean;
    quarantined: boolean;
    createdAt: string;
    executionStartedAt: string | null;
    completedAt: string | null;
    updatedAt: string;
    startedBy: string | null;
    parent: string | null;
    lastModifiedBy: string | null;
    lastModifiedAt: string;
    lastCheckpoint: { name: string; version: number; at: string } | null;
    run: number;
    index: number;
    waiting: Wait | null;
    waits: Wait[];
    result: Json;
    lastError: string | null;
    lastExecutedBy: string | null;
    lastExecutedAt: string | null;
    program?: {
        rollback?: boolean;
        unwinding?: boolean;
        buried?: boolean;
        retry?: { index: number; attempts: { error: Json; at: string }[] };
    };
    state?: JsonObject;
    stateMetadata?: JsonObject;
    stateChecksum: string;
    activeTask?: string;
    why?: Why;
}

export interface Page<Item> {
    items: Item[];
    nextCursor: string | null;
    scanned?: boolean;
    partial?: boolean;
}

export interface HistoryRow {
    version: number;
    type: string;
    payload: Json;
    stateMetadata: Json;
    user: string | null;
    by?: string; // who acted in the name of the user
    operation: string;
    correlation: string;
    at: string;
    hash: string;
}

export interface Task {
    id: string;
    version: number;
    state: "created" | "claimed" | "completed" | "failed" | "cancelled";
    holder: string | null;
    workflow: string;
    definition: string;
    businessReference: { key: string | null; parts: Record<string, string> };
    name: string;
    queue: string | null;
    assignee: string | null;
    candidateUsers: string[];
    candidateGroups: string[];
    payload: Json;
    expectedOutputs: string[];
    dueAt: string | null;
    priority: number;
    outputs: Json;
    error: Json;
    createdAt: string;
    updatedAt: string;
    endedAt: string | null;
}

export interface TaskEvent {
    version: number;
    type: string;
    user: string | null;
    detail: Json;
    at: string;
}

export interface PendingEvent {
    id: string;
    name: string;
    correlationKey: string;
    scheduled?: boolean;
    target: string | null;
    value: Json;
    onTargetEnded: string;
    keep: boolean;
    acceptedAt: string;
    expiresAt: string | null;
    expired?: boolean;
    targetStatus?: string;
    endedAt?: string;
}

export interface DeadLetter {
    id: string;
    workflow: string;
    type: string;
    program: string | null;
    reason: string;
    detail: string;
    node: string;
    at: string;
    enqueuedAt: string;
    attempts: number;
    bytes: string;
    envelope: Json;
}

export interface Definition {
    key: string;
    version: number;
    kind?: string;
    source?: string;
    schema: Json;
    indexes: { path: string; ready: boolean }[];
    checksum: string;
    createdBy: string | null;
    createdAt: string;
    disabled?: boolean;
    keepForMicroseconds?: number;
    staleAfterMicroseconds?: number;
    limits?: Limits;
}

export interface NodeRow {
    id: string;
    name: string;
    kind: string;
    programs: string[];
    startedAt: string;
    lastBeatAt: string;
    leaseUntil: string;
    alive: boolean;
}

export interface HostLock {
    name: string;
    owner: string;
    until: string;
    term: number;
    held: boolean;
}

export interface Checkpoint {
    name: string;
    version: number;
    createdBy: string | null;
    createdAt: string;
}

export interface Conflict {
    id: string;
    instance: string;
    user: string | null;
    expected: number;
    actual: number;
    paths: string[];
    resolution: string;
    at: string;
}

export const isOpen = (status: Status) => status === "running" || status === "suspended";

export interface IncidentRow {
    workflow: string;
    definition: string;
    definitionVersion: number;
    code: string | null;
    businessKey: string | null;
    updatedAt: string;
}

export interface JobRow {
    id: string;
    workflow: string;
    type: string | null;
    element: string | null;
    attempts: number;
    retries: number | null;
    leased: boolean;
    enqueuedAt: string;
    visibleAt: string;
}

export interface Migration {
    version: number;
    from: number;
    to: number;
    migrated: boolean;
    carried: { from: string; to: string; count: number }[];
    begun: { element: string; count: number }[];
    ended: { element: string; count: number }[];
    problems: { element: string; why: string }[];
}

export interface Schedule {
    name: string;
    id: string;
    version: number;
    status: string;
    incident: boolean;
    spec: {
        cron?: string;
        timeZone?: string;
        every?: string;
        from?: string;
        until?: string;
        start?: { definition: string; arguments?: Json; businessKey?: string };
        send?: { event: string; value?: Json; correlationKey?: string; workflow?: string; fanOut?: string };
        overlap?: string;
        catchUp?: string;
        jitter?: string;
    };
    next: string | null;
    upcoming: { due: string; at: string }[];
    fired: number;
    skipped: number;
    missed: number;
    running: { workflow: string; due: string } | null;
    queued: number;
    recent: { due: string; at: string; why: string; workflow: string | null }[];
}

export interface RefusedRecord {
    position: string;
    record: Json;
    why: string;
    at: string;
    again: boolean;
}

export interface AuditRow {
    number: number;
    at: string;
    tenant: string;
    action: string;
    target: string;
    status: number; // 0: there was no request
    user: string | null;
    by: string | null;
    credential: string | null;
    address: string | null;
    node: string;
    count: number;
    detail: Json;
    hash: string;
}

export interface Webhook {
    id: string;
    status: "active" | "failing" | "paused" | "removed";
    url: string;
    definition: string | null;
    businessKey: string | null;
    workflow: string | null;
    kinds: string[];
    count: number;
    failures: number;
    failure: string | null;
    failedAt: string | null;
    gaps: number;
    refused: RefusedRecord[];
    createdAt: string;
}

export interface Setting {
    name: string;
    text: string;
    variable: string | null;
    values: string[];
    source: "default" | "file" | "environment" | "flag";
    sameAs: string | null;
}

export interface BulkJob {
    id: string;
    version: number;
    status: string;
    query: Record<string, string>;
    action: { do: string };
    reason: string;
    by: string | null;
    createdAt: string;
    endedAt: string | null;
    matched: number | null;
    done: number;
    refused: number;
    left: number | null;
    refusals: { why: string; count: number; example: string }[];
}
