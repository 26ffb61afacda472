// Sends an event to a workflow, or as a broadcast; what the workflow waits for is one click away.
import { useState } from "preact/hooks";
import { api } from "../../model/api";
import { parseJson, printJson, type JsonObject } from "../../model/json";
import { eventOf, type Workflow } from "../../model/types";
import { t } from "../../texts";
import { Button, Field } from "../../ui/basics";
import { ActionDialog, say } from "../../ui/dialog";

export function SendDialog({ workflow, onClose }: { workflow: Workflow | null; onClose: () => void }) {
    const waits = workflow?.waits.flatMap((wait) => wait.names.map(eventOf)).filter(({ name }) => !/^(task|process)\//.test(name)) ?? [];
    const events = [...new Map(waits.map((one) => [printJson([one.name, one.correlationKey]), one])).entries()];
    const [name, setName] = useState(waits[0]?.name ?? "");
    const [correlationKey, setCorrelationKey] = useState(waits[0]?.correlationKey ?? "");
    const [value, setValue] = useState("{}");
    const [expire, setExpire] = useState("");
    const run = async () => {
        const body: JsonObject = { name, value: value.trim() ? parseJson(value) : null };
        if (correlationKey) body["correlationKey"] = correlationKey;
        if (expire.trim()) body["expireAfter"] = expire.trim();
        const { outcome, workflows } = (await api.sendEvent(workflow?.id ?? null, body)).value;
        say(outcome === "delivered" ? t.send.delivered : outcome === "queued" ? t.send.queued : t.send.fannedOut(workflows?.length ?? 0));
    };
    return (
        <ActionDialog title={t.send.title} verb={t.verbs.send} onClose={onClose} run={run} disabled={!name}>
            {events.length > 0 && (
                <p class="chips">
                    <span class="faint">{t.send.waiting}</span>
                    {events.slice(0, 8).map(([id, one]) => (
                        <Button
                            key={id}
                            kind="quiet"
                            class="chip"
                            aria-pressed={one.name === name && one.correlationKey === correlationKey}
                            onClick={() => (setName(one.name), setCorrelationKey(one.correlationKey))}
                        >
                            {[one.name, one.correlationKey].filter(Boolean).join(` ${t.sentence.forKey} `)}
                        </Button>
                    ))}
                </p>
            )}
            <Field label={t.send.name}>
                <input data-first value={name} onInput={(event) => setName(event.currentTarget.value)} spellcheck={false} />
            </Field>
            <Field label={t.send.correlationKey}>
                <input value={correlationKey} onInput={(event) => setCorrelationKey(event.currentTarget.value)} spellcheck={false} />
            </Field>
            <Field label={t.send.value}>
                <textarea class="code" rows={6} spellcheck={false} value={value} onInput={(event) => setValue(event.currentTarget.value)} />
            </Field>
            <Field label={t.send.expire}>
                <input value={expire} onInput={(event) => setExpire(event.currentTarget.value)} />
            </Field>
        </ActionDialog>
    );
}
