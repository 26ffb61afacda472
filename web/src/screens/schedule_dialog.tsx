// Makes a schedule, or changes one: when, what, and what happens if the one before still runs.
import { useState } from "preact/hooks";
import { api } from "../model/api";
import { parseJson, printJson, type Json, type JsonObject } from "../model/json";
import { useLoad } from "../model/load";
import { zone } from "../model/time";
import type { Schedule } from "../model/types";
import { t } from "../texts";
import { Field, Segmented } from "../ui/basics";
import { ActionDialog, say } from "../ui/dialog";

const s = t.schedules;

interface Form {
    name: string;
    when: "cron" | "every";
    cron: string;
    timeZone: string;
    every: string;
    what: "start" | "send";
    definition: string;
    businessKey: string;
    event: string;
    json: string;
    overlap: string;
    catchUp: string;
    jitter: string;
}

function formOf(schedule: Schedule | null): Form {
    const spec = schedule?.spec;
    const given = (spec?.start ? spec.start.arguments : spec?.send?.value) as Json | undefined;
    return {
        name: schedule?.name ?? "",
        when: spec?.every ? "every" : "cron",
        cron: spec?.cron ?? "0 2 * * *",
        timeZone: spec?.timeZone ?? (schedule ? "" : zone),
        every: spec?.every ?? "15m",
        what: spec?.send ? "send" : "start",
        definition: spec?.start?.definition ?? "",
        businessKey: spec?.start?.businessKey ?? "",
        event: spec?.send?.event ?? "",
        json: given === undefined || given === null ? "" : printJson(given),
        overlap: spec?.overlap ?? "skip",
        catchUp: spec?.catchUp ?? "",
        jitter: spec?.jitter ?? "",
    };
}

// What the form does not show of a schedule that is changed stays as it is.
function bodyOf(form: Form, definition: string, before: JsonObject): JsonObject {
    const body: JsonObject = { overlap: form.overlap };
    for (const name of ["from", "until"]) if (before[name]) body[name] = before[name]!;
    if (form.when === "cron") {
        body["cron"] = form.cron.trim();
        if (form.timeZone.trim()) body["timeZone"] = form.timeZone.trim();
    } else body["every"] = form.every.trim();
    const value = form.json.trim() ? parseJson(form.json) : undefined;
    if (form.what === "start") {
        const start: JsonObject = { definition };
        if (form.businessKey.trim()) start["businessKey"] = form.businessKey.trim();
        if (value !== undefined) start["arguments"] = value;
        body["start"] = start;
    } else {
        const kept = (before["send"] ?? {}) as JsonObject;
        body["send"] = { ...kept, event: form.event.trim(), ...(value === undefined ? {} : { value }) };
    }
    if (form.catchUp.trim()) body["catchUp"] = form.catchUp.trim();
    if (form.jitter.trim()) body["jitter"] = form.jitter.trim();
    return body;
}

type Set = (name: keyof Form) => (event: { currentTarget: { value: string } }) => void;

function WhenFields({ form, set, change }: { form: Form; set: Set; change: (to: Partial<Form>) => void }) {
    return (
        <>
            <Segmented label={s.when} value={form.when} options={[["cron", s.atTimes], ["every", s.inInterval]]} onPick={(when) => change({ when })} />
            {form.when === "cron" ? (
                <div class="two">
                    <Field label={s.cron} hint={s.cronHint}>
                        <input class="code" value={form.cron} spellcheck={false} onInput={set("cron")} />
                    </Field>
                    <Field label={s.zone}>
                        <input value={form.timeZone} spellcheck={false} onInput={set("timeZone")} />
                    </Field>
                </div>
            ) : (
                <Field label={s.interval} hint={s.intervalHint}>
                    <input value={form.every} spellcheck={false} onInput={set("every")} />
                </Field>
            )}
        </>
    );
}

function WhatFields({ form, set, change, definition, definitions }: { form: Form; set: Set; change: (to: Partial<Form>) => void; definition: string; definitions: string[] }) {
    return (
        <>
            <Segmented label={s.what} value={form.what} options={[["start", s.startOne], ["send", s.sendOne]]} onPick={(what) => change({ what })} />
            {form.what === "start" ? (
                <div class="two">
                    <Field label={t.start.definition}>
                        <select value={definition} onChange={set("definition")}>
                            {definitions.map((key) => (
                                <option key={key} value={key}>
                                    {key}
                                </option>
                            ))}
                        </select>
                    </Field>
                    <Field label={t.start.businessKey} hint={s.dueHint}>
                        <input value={form.businessKey} spellcheck={false} onInput={set("businessKey")} />
                    </Field>
                </div>
            ) : (
                <Field label={s.event}>
                    <input value={form.event} spellcheck={false} onInput={set("event")} />
                </Field>
            )}
            <Field label={form.what === "start" ? t.start.arguments : t.send.value}>
                <textarea class="code" rows={2} spellcheck={false} value={form.json} onInput={set("json")} />
            </Field>
        </>
    );
}

export function ScheduleDialog({ schedule, onClose }: { schedule: Schedule | null; onClose: () => void }) {
    const [form, setForm] = useState<Form>(() => formOf(schedule));
    const definitions = useLoad(() => api.definitions(), []).value?.items.map((one) => one.key) ?? [];
    const change = (to: Partial<Form>) => setForm((before) => ({ ...before, ...to }));
    const set: Set = (name) => (event) => change({ [name]: event.currentTarget.value });
    const definition = form.definition || definitions[0] || "";
    const run = async () => {
        await api.putSchedule(form.name.trim(), bodyOf(form, definition, (schedule?.spec ?? {}) as unknown as JsonObject), schedule?.version);
        say(schedule ? s.changed : s.created);
    };
    const ready = form.name.trim() !== "" && (form.what === "start" ? definition !== "" : form.event.trim() !== "");
    return (
        <ActionDialog title={schedule ? `${s.edit}: ${schedule.name}` : s.create} verb={schedule ? s.save : s.create} size="wide" disabled={!ready} onClose={onClose} run={run}>
            {!schedule && (
                <Field label={s.name}>
                    <input data-first value={form.name} spellcheck={false} onInput={set("name")} />
                </Field>
            )}
            <WhenFields form={form} set={set} change={change} />
            <WhatFields form={form} set={set} change={change} definition={definition} definitions={definitions} />
            <div class="three">
                <Field label={s.overlap}>
                    <select value={form.overlap} onChange={set("overlap")}>
                        {Object.entries(s.overlaps).map(([id, text]) => (
                            <option key={id} value={id}>
                                {text}
                            </option>
                        ))}
                    </select>
                </Field>
                <Field label={s.catchUp}>
                    <input value={form.catchUp} placeholder="1h" onInput={set("catchUp")} />
                </Field>
                <Field label={s.jitter}>
                    <input value={form.jitter} placeholder="0s" onInput={set("jitter")} />
                </Field>
            </div>
        </ActionDialog>
    );
}
