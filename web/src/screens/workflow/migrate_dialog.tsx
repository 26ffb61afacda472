// Takes a process over to another version of its definition: first what would become of each element, then the same for good.
import { useEffect, useState } from "preact/hooks";
import { api } from "../../model/api";
import type { JsonObject } from "../../model/json";
import { useLoad } from "../../model/load";
import type { Migration, Workflow } from "../../model/types";
import { t } from "../../texts";
import { Field, ProblemText, Tag } from "../../ui/basics";
import { ActionDialog, say } from "../../ui/dialog";

const m = t.migrate;

// One line for each element that would not have a place of its own: "old = new".
function readMapping(text: string): JsonObject {
    const pairs = text.split("\n").map((line) => line.split("=").map((part) => part.trim()));
    return Object.fromEntries(pairs.filter(([from, to]) => from && to).map(([from, to]) => [from!, to!]));
}

function Plan({ plan }: { plan: Migration }) {
    const rows: [string, string, string][] = [
        ...plan.carried.map((one): [string, string, string] => ["good", m.carried, `${one.from === one.to ? one.from : `${one.from} → ${one.to}`} · ${one.count}`]),
        ...plan.begun.map((one): [string, string, string] => ["info", m.begun, `${one.element} · ${one.count}`]),
        ...plan.ended.map((one): [string, string, string] => ["warn", m.ended, `${one.element} · ${one.count}`]),
        ...plan.problems.map((one): [string, string, string] => ["bad", m.problem, one.element ? `${one.element}: ${one.why}` : one.why]),
    ];
    return (
        <ul class="plan" aria-label={m.plan}>
            {rows.map(([tone, what, text]) => (
                <li key={what + text}>
                    <Tag tone={tone}>{what}</Tag> {text}
                </li>
            ))}
            {rows.length === 0 && <li class="faint">{m.nothing}</li>}
        </ul>
    );
}

export function MigrateDialog({ workflow, onClose }: { workflow: Workflow; onClose: () => void }) {
    const versions = useLoad(() => api.versions(workflow.definition), [workflow.definition]).value?.items.map((one) => one.version).filter((one) => one !== workflow.definitionVersion);
    const [picked, setPicked] = useState<number | null>(null);
    const [mapping, setMapping] = useState("");
    const [reason, setReason] = useState("");
    const [plan, setPlan] = useState<Migration | null>(null);
    const [problem, setProblem] = useState<unknown>(null);
    const target = picked ?? versions?.[0];
    const body = (): JsonObject => ({ to: target!, mapping: readMapping(mapping), ...(reason ? { reason } : {}) });
    useEffect(() => {
        if (!target) return;
        let alive = true;
        const timer = setTimeout(() => {
            api.migrate(workflow.id, workflow.version, { ...body(), dryRun: true }).then(
                (found) => alive && (setPlan(found), setProblem(null)),
                (error) => alive && (setPlan(null), setProblem(error))
            );
        }, 150);
        return () => {
            alive = false;
            clearTimeout(timer);
        };
    }, [target, mapping, workflow.version]);
    const run = async () => {
        await api.migrate(workflow.id, workflow.version, body());
        say(m.done(target!));
    };
    return (
        <ActionDialog title={m.title} verb={m.go(target)} size="wide" onClose={onClose} run={run} disabled={!plan || plan.problems.length > 0}>
            <p>{versions?.length === 0 ? m.only(workflow.definitionVersion) : m.text(workflow.definitionVersion)}</p>
            <div class="two">
                <Field label={m.to}>
                    <select data-first value={String(target ?? "")} onChange={(event) => setPicked(Number(event.currentTarget.value))}>
                        {versions?.map((one) => (
                            <option key={one} value={String(one)}>
                                {`${t.workflow.version} ${one}`}
                            </option>
                        ))}
                    </select>
                </Field>
                <Field label={t.confirm.reason}>
                    <input value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
                </Field>
            </div>
            <Field label={m.mapping} hint={m.mappingHint}>
                <textarea class="code" rows={2} spellcheck={false} value={mapping} onInput={(event) => setMapping(event.currentTarget.value)} />
            </Field>
            {plan && (
                <div role="status">
                    <p class={plan.problems.length ? "warning" : "good-line"}>{plan.problems.length ? m.cannot(plan.problems.length) : m.can}</p>
                    <Plan plan={plan} />
                </div>
            )}
            {problem !== null && <ProblemText problem={problem} />}
        </ActionDialog>
    );
}
