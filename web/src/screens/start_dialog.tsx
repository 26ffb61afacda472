// Starts a workflow: a form from the definition's schema, or JSON.
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { api } from "../model/api";
import { isObject, parseJson, printJson, type Json, type JsonObject } from "../model/json";
import { useLoad } from "../model/load";
import { go, to } from "../model/router";
import { may } from "../model/session";
import { t } from "../texts";
import { Button, Command, Field, Segmented } from "../ui/basics";
import { ActionDialog, say } from "../ui/dialog";
import { SchemaForm } from "../ui/schema_form";

export const startOpen = signal<{ key: string; state?: Json } | null>(null);

export function StartButton({ definition = "" }: { definition?: string }) {
    if (!may("operate")) return null;
    return (
        <Button kind="primary" icon="plus" onClick={() => (startOpen.value = { key: definition })}>
            {t.workflows.start}
        </Button>
    );
}

export function StartDialog() {
    const asked = startOpen.value!;
    const definitions = useLoad(() => api.definitions(), []);
    const [key, setKey] = useState(asked.key);
    const [business, setBusiness] = useState("");
    const [priority, setPriority] = useState("");
    const [state, setState] = useState<JsonObject>(isObject(asked.state) ? asked.state : {});
    const [text, setText] = useState(printJson(state));
    const [mode, setMode] = useState<"form" | "json">("json");
    const chosen = key || definitions.value?.items[0]?.key || "";
    const definition = useLoad(() => (chosen ? api.definition(chosen) : Promise.resolve(null)), [chosen]);
    const schema = definition.value?.schema;
    const hasLimits = definition.value?.limits !== undefined;
    const hasForm = isObject(schema) && isObject(schema["properties"]);
    useEffect(() => setMode(hasForm ? "form" : "json"), [hasForm, chosen]);
    const change = (value: JsonObject) => {
        setState(value);
        setText(printJson(value));
    };
    const run = async () => {
        const body: JsonObject = { definition: chosen, state: mode === "form" ? state : parseJson(text || "{}") };
        if (hasLimits && priority.trim()) body["priority"] = Number(priority);
        if (business.trim()) body["businessKey"] = business.trim();
        const started = await api.start(body);
        say(t.done.started);
        go(to.workflow(started.value.id));
    };
    return (
        <ActionDialog title={chosen ? t.start.title(chosen) : t.workflows.start} verb={t.start.go} onClose={() => (startOpen.value = null)} run={run} size="wide" disabled={!chosen}>
            {definitions.value?.items.length === 0 && (
                <>
                    <p>{t.start.nothing}</p>
                    <Command text="holdfast define order" />
                </>
            )}
            <div class="two">
                <Field label={t.start.definition}>
                    <select value={chosen} onChange={(event) => setKey(event.currentTarget.value)}>
                        {definitions.value?.items.map((one) => (
                            <option key={one.key} value={one.key}>
                                {one.key}
                            </option>
                        ))}
                    </select>
                </Field>
                <Field label={t.start.businessKey}>
                    <input data-first value={business} onInput={(event) => setBusiness(event.currentTarget.value)} spellcheck={false} />
                </Field>
            </div>
            {hasLimits && (
                <Field label={t.start.priority}>
                    <input type="number" min={0} max={9} value={priority} onInput={(event) => setPriority(event.currentTarget.value)} />
                </Field>
            )}
            {hasForm && (
                <Segmented
                    label={t.start.state}
                    value={mode}
                    options={[
                        ["form", t.start.fromSchema],
                        ["json", t.start.asJson],
                    ]}
                    onPick={setMode}
                />
            )}
            {mode === "form" && hasForm ? (
                <SchemaForm schema={schema as JsonObject} value={state} onChange={change} />
            ) : (
                <Field label={t.start.state}>
                    <textarea
                        class="code"
                        rows={10}
                        spellcheck={false}
                        value={text}
                        onInput={(event) => {
                            setText(event.currentTarget.value);
                            try {
                                const value = parseJson(event.currentTarget.value);
                                if (isObject(value)) setState(value);
                            } catch {
                                // Half-typed JSON; starting it says so.
                            }
                        }}
                    />
                </Field>
            )}
        </ActionDialog>
    );
}
