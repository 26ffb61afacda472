// A form from a JSON Schema: what it can show as a field is a field, the rest is JSON.
import { useState } from "preact/hooks";
import { isObject, parseJson, printJson, type Json, type JsonObject } from "../model/json";
import { t } from "../texts";
import { Field } from "./basics";

function typeOf(schema: Json | undefined): string {
    if (!isObject(schema)) return "json";
    if (Array.isArray(schema["enum"])) return "enum";
    const type = schema["type"];
    const name = Array.isArray(type) ? type.find((one) => one !== "null") : type;
    return name === "string" || name === "number" || name === "integer" || name === "boolean" ? name : name === "object" && isObject(schema["properties"]) ? "object" : "json";
}

function JsonField({ value, onChange }: { value: Json | undefined; onChange: (value: Json | undefined) => void }) {
    const [text, setText] = useState(value === undefined ? "" : printJson(value));
    const [bad, setBad] = useState(false);
    return (
        <textarea
            class="code"
            rows={3}
            spellcheck={false}
            aria-invalid={bad}
            value={text}
            onInput={(event) => {
                setText(event.currentTarget.value);
                try {
                    onChange(event.currentTarget.value.trim() ? parseJson(event.currentTarget.value) : undefined);
                    setBad(false);
                } catch {
                    setBad(true);
                }
            }}
        />
    );
}

function Input({ schema, value, onChange }: { schema: Json | undefined; value: Json | undefined; onChange: (value: Json | undefined) => void }) {
    switch (typeOf(schema)) {
        case "enum":
            return (
                <select value={value === undefined ? "" : printJson(value, 0)} onChange={(event) => onChange(event.currentTarget.value ? parseJson(event.currentTarget.value) : undefined)}>
                    <option value="" />
                    {((schema as JsonObject)["enum"] as Json[]).map((one) => (
                        <option key={printJson(one, 0)} value={printJson(one, 0)}>
                            {typeof one === "string" ? one : printJson(one, 0)}
                        </option>
                    ))}
                </select>
            );
        case "boolean":
            return (
                <select value={value === undefined ? "" : String(value)} onChange={(event) => onChange(event.currentTarget.value === "" ? undefined : event.currentTarget.value === "true")}>
                    <option value="" />
                    <option value="true">{t.tasks.yes}</option>
                    <option value="false">{t.tasks.no}</option>
                </select>
            );
        case "number":
        case "integer":
            return (
                <input
                    type="text"
                    inputMode="decimal"
                    value={value === undefined ? "" : printJson(value, 0)}
                    onChange={(event) => {
                        try {
                            onChange(event.currentTarget.value.trim() ? parseJson(event.currentTarget.value.trim()) : undefined);
                        } catch {
                            onChange(event.currentTarget.value);
                        }
                    }}
                />
            );
        case "string":
            return <input type="text" value={typeof value === "string" ? value : ""} onInput={(event) => onChange(event.currentTarget.value || undefined)} />;
        default:
            return <JsonField value={value} onChange={onChange} />;
    }
}

export function SchemaForm({ schema, value, onChange }: { schema: JsonObject; value: JsonObject; onChange: (value: JsonObject) => void }) {
    const properties = schema["properties"] as JsonObject;
    const required = Array.isArray(schema["required"]) ? (schema["required"] as string[]) : [];
    const set = (name: string, inner: Json | undefined) => {
        const next = { ...value };
        if (inner === undefined) delete next[name];
        else next[name] = inner;
        onChange(next);
    };
    return (
        <div class="form">
            {Object.entries(properties).map(([name, inner]) => {
                const about = isObject(inner) ? inner : {};
                const label = typeof about["title"] === "string" ? about["title"] : name;
                const hint = typeof about["description"] === "string" ? about["description"] : undefined;
                if (typeOf(inner) === "object")
                    return (
                        <fieldset key={name}>
                            <legend>{label}</legend>
                            <SchemaForm schema={inner as JsonObject} value={isObject(value[name]) ? (value[name] as JsonObject) : {}} onChange={(to) => set(name, to)} />
                        </fieldset>
                    );
                return (
                    <Field key={name} label={required.includes(name) ? `${label} · ${t.start.required}` : label} hint={hint}>
                        <Input schema={inner} value={value[name]} onChange={(to) => set(name, to)} />
                    </Field>
                );
            })}
        </div>
    );
}
