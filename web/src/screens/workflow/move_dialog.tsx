// Moves a token of a process by hand: what waits ends, and a token enters another element.
import { useMemo, useState } from "preact/hooks";
import { api } from "../../model/api";
import { flowNodes } from "../../model/bpmn";
import type { Json } from "../../model/json";
import { duration, ms, now } from "../../model/time";
import { eventOf, type Task, type Wait, type Workflow } from "../../model/types";
import { t } from "../../texts";
import { Field } from "../../ui/basics";
import { ActionDialog, say } from "../../ui/dialog";
import { visible } from "../../ui/json_view";

const m = t.move;

function waitText(wait: Wait, tasks: Task[]): string {
    const task = tasks.find((one) => wait.names.includes(`task/${one.id}`));
    const what = task ? m.task(visible(task.name)) : wait.names.length ? m.event(wait.names.map((one) => visible(eventOf(one).name)).join(", ")) : wait.kind === "job" ? m.job : m.timer;
    return `${what} · ${t.ago(duration(now.peek() - ms(wait.beganAt)))}`;
}

export function MoveDialog({ workflow, source, tasks, onClose }: { workflow: Workflow; source: string; tasks: Task[]; onClose: () => void }) {
    const nodes = useMemo(() => flowNodes(source), [source]);
    const waits = workflow.waits.filter((wait) => wait.owner);
    const [from, setFrom] = useState(waits[0]?.owner ?? "");
    const [into, setInto] = useState("");
    const steps: Json[] = [];
    if (from) steps.push({ do: "end", activity: from });
    if (into) steps.push({ do: "enter", element: into });
    const run = async () => {
        await api.modify(workflow.id, workflow.version, steps);
        say(m.done);
    };
    return (
        <ActionDialog title={m.title} text={m.text} verb={m.go} onClose={onClose} run={run} disabled={steps.length === 0}>
            <Field label={m.from}>
                <select data-first value={from} onChange={(event) => setFrom(event.currentTarget.value)}>
                    <option value="">{m.fromNone}</option>
                    {waits.map((wait) => (
                        <option key={wait.token} value={wait.owner}>
                            {waitText(wait, tasks)}
                        </option>
                    ))}
                </select>
            </Field>
            <Field label={m.into}>
                <select value={into} onChange={(event) => setInto(event.currentTarget.value)}>
                    <option value="">{m.intoNone}</option>
                    {nodes.map((node) => (
                        <option key={node.id} value={node.id}>
                            {visible(node.name)}
                        </option>
                    ))}
                </select>
            </Field>
        </ActionDialog>
    );
}
