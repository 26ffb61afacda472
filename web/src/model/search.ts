// The search box of the workflows: words and name:value pairs become filters of the API, and filter what is loaded at once.
import { eventOf, isOpen, type Status, type Workflow } from "./types";

export interface Search {
    filter: Record<string, string>;
    words: string[];
    incident: boolean;
    paused: boolean;
}

const statuses = ["open", "running", "suspended", "succeeded", "failed", "cancelled"];
const aliases: Record<string, string> = { waiting: "suspended", succeeded: "succeeded", done: "succeeded" };

const spans: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

// "2h" is two hours ago, "2026-01-31" the begin of that day where the reader is; undefined: no time. Whole minutes, so that
// a search stays the same while it is looked at.
export function readTime(text: string): string | undefined {
    const span = /^(\d{1,5})([mhdw])$/.exec(text);
    if (span) return new Date(Math.floor((Date.now() - Number(span[1]) * spans[span[2]!]!) / 60_000) * 60_000).toISOString();
    const time = /^\d{4}-\d\d-\d\d(T\d\d:\d\d.*)?$/.test(text) ? new Date(text.includes("T") ? text : text + "T00:00") : undefined;
    return time && !Number.isNaN(time.getTime()) ? time.toISOString() : undefined;
}

export function readSearch(text: string): Search {
    const search: Search = { filter: {}, words: [], incident: false, paused: false };
    for (const word of text.match(/(?:[^\s"]+|"[^"]*")+/g) ?? []) {
        const pair = /^([\w.-]+)[:=](.+)$/.exec(word);
        const value = pair ? pair[2]!.replaceAll('"', "") : "";
        if (!pair) search.words.push(word.replaceAll('"', "").toLowerCase());
        else if (pair[1] === "status") search.filter["status"] = aliases[value] ?? value;
        else if (pair[1] === "definition" || pair[1] === "def") search.filter["definition"] = value;
        else if (pair[1] === "key") search.filter["businessKey"] = value;
        else if (pair[1] === "since" || pair[1] === "before") {
            const time = readTime(value);
            if (time) search.filter[pair[1] === "since" ? "createdFrom" : "createdBefore"] = time;
        } else if (pair[1] === "incident") search.incident = true;
        else if (pair[1] === "paused") search.paused = true;
        else if (pair[1]!.startsWith("part.")) search.filter["businessPart." + pair[1]!.slice(5)] = value;
        else search.filter["path." + pair[1]] = value;
    }
    if (search.filter["status"] && !search.filter["status"].split(",").every((one) => statuses.includes(one))) delete search.filter["status"];
    return search;
}

// Made once for each: a hundred thousand rows are searched at every key.
const texts = new WeakMap<Workflow, string>();

function textOf(workflow: Workflow): string {
    const known = texts.get(workflow);
    if (known !== undefined) return known;
    const parts = [workflow.businessReference.key, workflow.id, workflow.definition, ...Object.values(workflow.businessReference.parts), workflow.lastError, ...(workflow.waiting?.names ?? []).flatMap((one) => Object.values(eventOf(one)))];
    const text = parts.join(" ").toLowerCase();
    texts.set(workflow, text);
    return text;
}

export function fits(search: Search, workflow: Workflow): boolean {
    if (search.incident && !workflow.incident) return false;
    if (search.paused && !workflow.paused) return false;
    const wanted = search.filter["status"];
    if (wanted && !wanted.split(",").some((one) => (one === "open" ? isOpen(workflow.status) : (workflow.status as Status) === one))) return false;
    if (search.words.length === 0) return true;
    const text = textOf(workflow);
    return search.words.every((word) => text.includes(word));
}
