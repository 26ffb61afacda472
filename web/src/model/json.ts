// JSON whose numbers stay exact: the server keeps 64-bit integers, which JavaScript's numbers do not.

export class Exact {
    constructor(readonly text: string) {}
    toJSON() {
        return this.text;
    }
}

export type Json = null | boolean | number | string | Exact | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

const mayBeInexact = /[0-9][0-9.]{15}|[0-9][eE]/;

export function parseJson(text: string): Json {
    return mayBeInexact.test(text) ? new Reader(text).document() : JSON.parse(text);
}

class Reader {
    private at = 0;
    constructor(private readonly text: string) {}

    document(): Json {
        const value = this.value();
        this.space();
        if (this.at < this.text.length) this.fail();
        return value;
    }

    private fail(): never {
        throw new SyntaxError(`unexpected character at position ${this.at}`);
    }

    private space() {
        while (this.at < this.text.length && " \n\r\t".includes(this.text[this.at]!)) ++this.at;
    }

    private value(): Json {
        this.space();
        const c = this.text[this.at];
        if (c === "{") return this.object();
        if (c === "[") return this.list();
        if (c === '"') return this.string();
        for (const [word, value] of [["true", true], ["false", false], ["null", null]] as const)
            if (this.text.startsWith(word, this.at)) {
                this.at += word.length;
                return value;
            }
        return this.number();
    }

    private object(): Json {
        const object: JsonObject = {};
        ++this.at;
        for (this.space(); this.text[this.at] !== "}"; this.space()) {
            this.space();
            if (this.text[this.at] !== '"') this.fail();
            const name = this.string();
            this.space();
            if (this.text[this.at++] !== ":") this.fail();
            Object.defineProperty(object, name, {
                value: this.value(),
                enumerable: true,
                configurable: true,
                writable: true,
            });
            this.space();
            if (this.text[this.at] === ",") ++this.at;
            else if (this.text[this.at] !== "}") this.fail();
        }
        ++this.at;
        return object;
    }

    private list(): Json {
        const list: Json[] = [];
        ++this.at;
        for (this.space(); this.text[this.at] !== "]"; this.space()) {
            list.push(this.value());
            this.space();
            if (this.text[this.at] === ",") ++this.at;
            else if (this.text[this.at] !== "]") this.fail();
        }
        ++this.at;
        return list;
    }

    private string(): string {
        const begin = this.at++;
        while (this.at < this.text.length && this.text[this.at] !== '"') this.at += this.text[this.at] === "\\" ? 2 : 1;
        ++this.at;
        return JSON.parse(this.text.slice(begin, this.at));
    }

    private number(): Json {
        const match = /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
        match.lastIndex = this.at;
        const found = match.exec(this.text);
        if (!found) this.fail();
        this.at += found[0].length;
        const number = Number(found[0]);
        return Number.isInteger(number) && !Number.isSafeInteger(number) ? new Exact(found[0]) : number;
    }
}

export function printJson(value: Json, indent = 2, depth = 0): string {
    if (value instanceof Exact) return value.text;
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    const isList = Array.isArray(value);
    const inner = " ".repeat(indent * (depth + 1));
    const parts = isList
        ? value.map((item) => printJson(item, indent, depth + 1))
        : Object.entries(value).map(([name, item]) => JSON.stringify(name) + (indent ? ": " : ":") + printJson(item, indent, depth + 1));
    const [open, close] = isList ? "[]" : "{}";
    if (parts.length === 0) return open! + close!;
    if (!indent) return open + parts.join(",") + close;
    return `${open}\n${parts.map((part) => inner + part).join(",\n")}\n${" ".repeat(indent * depth)}${close}`;
}

export function isObject(value: Json | undefined): value is JsonObject {
    return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Exact);
}

export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
    if (a === b) return true;
    if (a === undefined || b === undefined) return false;
    if (a instanceof Exact || b instanceof Exact) return a instanceof Exact && b instanceof Exact && a.text === b.text;
    if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => sameJson(item, b[i]));
    if (!isObject(a) || !isObject(b)) return false;
    const names = Object.keys(a);
    return names.length === Object.keys(b).length && names.every((name) => name in b && sameJson(a[name], b[name]));
}

export interface Difference {
    path: string[];
    before?: Json;
    after?: Json;
}

// What differs, object member by object member; lists and scalars are one piece, as in a merge of the server.
export function differences(before: Json | undefined, after: Json | undefined, path: string[] = []): Difference[] {
    if (sameJson(before, after)) return [];
    if (isObject(before) && isObject(after)) {
        const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
        return names.flatMap((name) => differences(before[name], after[name], [...path, name]));
    }
    return [{ path, before, after }];
}

export type Side = "theirs" | "mine";

// A three-way merge, as the server makes it: the changes of both sides since the base, and the paths where they overlap.
export function mergeJson(base: Json | undefined, theirs: Json | undefined, mine: Json | undefined, path: string[] = []): {
    merged: Json | undefined;
    overlaps: string[][];
} {
    if (sameJson(theirs, mine) || sameJson(base, mine)) return { merged: theirs, overlaps: [] };
    if (sameJson(base, theirs)) return { merged: mine, overlaps: [] };
    if (!isObject(theirs) || !isObject(mine)) return { merged: theirs, overlaps: [path] };
    const from = isObject(base) ? base : {};
    const merged: JsonObject = {};
    const overlaps: string[][] = [];
    for (const name of [...new Set([...Object.keys(theirs), ...Object.keys(mine)])]) {
        const part = mergeJson(from[name], theirs[name], mine[name], [...path, name]);
        overlaps.push(...part.overlaps);
        if (part.merged !== undefined) merged[name] = part.merged;
    }
    return { merged, overlaps };
}

export function withValue(root: Json | undefined, path: string[], value: Json | undefined): Json | undefined {
    if (path.length === 0) return value;
    const object: JsonObject = isObject(root) ? { ...root } : {};
    const [name, ...rest] = path;
    const inner = withValue(object[name!], rest, value);
    if (inner === undefined) delete object[name!];
    else object[name!] = inner;
    return object;
}

export function valueAt(root: Json | undefined, path: string[]): Json | undefined {
    return path.reduce<Json | undefined>((at, name) => (isObject(at) ? at[name] : undefined), root);
}
