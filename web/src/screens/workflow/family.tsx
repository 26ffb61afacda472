// The workflows around this one: who started it, and whom it waits for or started.
import { api } from "../../model/api";
import { isObject } from "../../model/json";
import { useLoad } from "../../model/load";
import { to } from "../../model/router";
import type { HistoryRow, Workflow } from "../../model/types";
import { t } from "../../texts";
import { Empty, StatusMark, When, nameOf, statusOf } from "../../ui/basics";
import { Sentence } from "../../ui/sentence";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

// Ids of workflows that its history and its waits name.
export function relatives(workflow: Workflow, rows: HistoryRow[]): string[] {
    const found = new Set<string>();
    for (const wait of workflow.waits) wait.workflows.forEach((id) => found.add(id));
    for (const row of rows) {
        if (!isObject(row.payload)) continue;
        const ids = row.payload["workflows"];
        if (Array.isArray(ids)) ids.forEach((id) => typeof id === "string" && found.add(id));
        const child = isObject(row.payload["value"]) ? (row.payload["value"]["workflow"] ?? row.payload["value"]["child"]) : row.payload["value"];
        if (row.type === "StepRecorded" && typeof child === "string" && uuid.test(child)) found.add(child);
    }
    found.delete(workflow.id);
    return [...found].slice(0, 200);
}

function Member({ workflow, self }: { workflow: Workflow; self?: boolean }) {
    return (
        <span class={self ? "member self" : "member"}>
            <StatusMark status={statusOf(workflow)} text={false} />
            {self ? <b>{nameOf(workflow)}</b> : <a href={to.workflow(workflow.id)}>{nameOf(workflow)}</a>}
            <span class="faint">{workflow.definition}</span>
            <span class="member-what">
                <Sentence workflow={workflow} short />
            </span>
            <When at={workflow.updatedAt} />
        </span>
    );
}

export function FamilyTab({ workflow, rows }: { workflow: Workflow; rows: HistoryRow[] }) {
    const ids = relatives(workflow, rows);
    const { value } = useLoad(
        async () => {
            const read = (id: string) => api.workflow(id).catch(() => null);
            const [parent, ...others] = await Promise.all([workflow.parent ? read(workflow.parent) : null, ...ids.map(read)]);
            return { parent, others: others.filter((one) => one !== null) };
        },
        [workflow.parent, ids.join()],
        (change) => change.workflow === workflow.parent || ids.includes(change.workflow)
    );
    if (!workflow.parent && ids.length === 0) return <Empty icon="fork" title={t.workflow.noFamily} />;
    const children = value?.others.filter((one) => one.id !== workflow.parent) ?? [];
    const self = (
        <li>
            <Member workflow={workflow} self />
            {children.length > 0 && (
                <ul>
                    {children.map((one) => (
                        <li key={one.id}>
                            <Member workflow={one} />
                        </li>
                    ))}
                </ul>
            )}
        </li>
    );
    return (
        <ul class="family">
            {value?.parent ? (
                <li>
                    <Member workflow={value.parent} />
                    <ul>{self}</ul>
                </li>
            ) : (
                self
            )}
        </ul>
    );
}
