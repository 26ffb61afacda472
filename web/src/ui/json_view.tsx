// A JSON value as a tree that opens on demand. Texts are always shown as text: nothing in a state can become markup.
import { useState } from "preact/hooks";
import { Exact, isObject, type Json } from "../model/json";
import { t } from "../texts";
import { Button } from "./basics";
import { Icon } from "./icons";

const longText = 400;
const manyItems = 100;

// Control characters and marks that turn the direction of text are shown as escapes, so that a text cannot pretend to be another.
const hidden = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;
export const visible = (text: string) => text.replace(hidden, (c) => "\\u" + c.charCodeAt(0).toString(16).padStart(4, "0"));

function Text({ text }: { text: string }) {
    const [all, setAll] = useState(false);
    const shown = visible(all || text.length <= longText ? text : text.slice(0, longText));
    return (
        <span class="j-string">
            <bdi>"{shown}</bdi>
            {!all && text.length > longText ? (
                <Button kind="quiet" class="inline" onClick={() => setAll(true)}>
                    … {t.json.showAll(text.length)}
                </Button>
            ) : (
                '"'
            )}
        </span>
    );
}

export function Scalar({ value }: { value: Json }) {
    if (value === null) return <span class="j-null">null</span>;
    if (typeof value === "string") return <Text text={value} />;
    if (value instanceof Exact) return <span class="j-number">{value.text}</span>;
    if (typeof value === "number") return <span class="j-number">{String(value)}</span>;
    return <span class="j-bool">{String(value)}</span>;
}

// One line, cut; for tables.
export function JsonLine({ value, length = 120 }: { value: Json | undefined; length?: number }) {
    if (value === undefined) return null;
    const text = brief(value, length);
    return <code class="json-line">{text}</code>;
}

export function brief(value: Json, length: number): string {
    const text = oneLine(value, length + 1);
    return visible(text.length > length ? text.slice(0, length) + "…" : text);
}

function oneLine(value: Json, budget: number): string {
    if (value instanceof Exact) return value.text;
    if (value === null || typeof value !== "object") return (JSON.stringify(value) ?? "").slice(0, budget);
    let text = Array.isArray(value) ? "[" : "{";
    for (const [name, item] of Object.entries(value)) {
        if (text.length > budget) break;
        if (text.length > 1) text += ", ";
        text += (Array.isArray(value) ? "" : name + ": ") + oneLine(item, budget - text.length);
    }
    return text + (Array.isArray(value) ? "]" : "}");
}

function Branch({ name, value, depth, open: initially }: { name?: string; value: Json; depth: number; open: boolean }) {
    const inside = Array.isArray(value) ? value.map((item, i) => [String(i), item] as [string, Json]) : isObject(value) ? Object.entries(value) : null;
    const [open, setOpen] = useState(initially);
    const [shown, setShown] = useState(manyItems);
    const label = name === undefined ? null : <span class="j-name">{visible(name)}</span>;
    if (!inside)
        return (
            <li class="j-leaf">
                {label}
                {label && <span class="j-colon">: </span>}
                <Scalar value={value} />
            </li>
        );
    const isList = Array.isArray(value);
    const size = isList ? t.json.items(inside.length) : t.json.members(inside.length);
    if (inside.length === 0)
        return (
            <li class="j-leaf">
                {label}
                {label && <span class="j-colon">: </span>}
                <span class="j-null">{isList ? "[]" : "{}"}</span>
            </li>
        );
    return (
        <li class="j-branch">
            <button type="button" class="j-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
                <Icon name={open ? "down" : "right"} />
                {label ?? <span class="j-name">{isList ? "[ ]" : "{ }"}</span>}
                <span class="j-size">{open ? size : brief(value, 70)}</span>
            </button>
            {open && (
                <ul class="j-list">
                    {inside.slice(0, shown).map(([inner, item]) => (
                        <Branch key={inner} name={inner} value={item} depth={depth + 1} open={depth < 1 && inside.length <= 20} />
                    ))}
                    {inside.length > shown && (
                        <li>
                            <Button kind="quiet" class="inline" onClick={() => setShown(shown + 1000)}>
                                {t.json.more(inside.length - shown)}
                            </Button>
                        </li>
                    )}
                </ul>
            )}
        </li>
    );
}

export function JsonView({ value, label }: { value: Json | undefined; label?: string }) {
    if (value === undefined) return null;
    const inside = isObject(value) ? Object.entries(value) : null;
    return (
        <ul class="json" aria-label={label}>
            {inside && inside.length <= manyItems ? (
                inside.length === 0 ? (
                    <li class="j-null">{"{}"}</li>
                ) : (
                    inside.map(([name, item]) => <Branch key={name} name={name} value={item} depth={0} open={inside.length <= 20} />)
                )
            ) : (
                <Branch value={value} depth={0} open />
            )}
        </ul>
    );
}
