// One action on many workflows: first what would happen, then what happened.
import { useState } from "preact/hooks";
import { api } from "../model/api";
import { isOpen, type Workflow } from "../model/types";
import { t } from "../texts";
import { Button, nameOf } from "../ui/basics";
import { Dialog } from "../ui/dialog";

export type BulkVerb = "pause" | "resume" | "cancel" | "redrive";

const b = t.bulk;

// Why the action would not apply; absent: it would.
function skipped(verb: BulkVerb, workflow: Workflow): string | undefined {
    if (!isOpen(workflow.status)) return b.reasons["ended"];
    if (workflow.quarantined) return b.reasons["quarantined"];
    if (verb === "pause" && workflow.paused) return b.reasons["paused"];
    if (verb === "resume" && !workflow.paused) return b.reasons["notPaused"];
    if (verb === "redrive" && !workflow.incident && !workflow.program?.retry) return b.reasons["nothing"];
    return undefined;
}

async function act(verb: BulkVerb, workflow: Workflow, reason: string): Promise<unknown> {
    if (verb === "redrive") return api.tryAgain(workflow.id);
    if (verb === "cancel") return api.cancel(workflow.id, reason);
    const current = await api.workflow(workflow.id);
    return verb === "pause" ? api.pause(workflow.id, current.version) : api.resume(workflow.id, current.version);
}

export function BulkDialog({ verb, workflows, onClose }: { verb: BulkVerb; workflows: Workflow[]; onClose: () => void }) {
    const [results, setResults] = useState<Map<string, string>>(new Map());
    const [stage, setStage] = useState<"dry" | "busy" | "done">("dry");
    const [reason, setReason] = useState("");
    const fitting = workflows.filter((one) => !skipped(verb, one));
    const run = async () => {
        setStage("busy");
        for (const workflow of fitting) {
            let text = "✓";
            try {
                await act(verb, workflow, reason);
            } catch (error) {
                text = (error as Error).message;
            }
            setResults((before) => new Map(before).set(workflow.id, text));
        }
        setStage("done");
    };
    const good = [...results.values()].filter((text) => text === "✓").length;
    return (
        <Dialog title={b.title(t.verbs[verb], workflows.length)} onClose={onClose}>
            <div class="dialog-body">
                <p>{stage === "dry" ? b.dry : b.done(good, results.size - good)}</p>
                {verb === "cancel" && stage === "dry" && (
                    <label class="field">
                        <span class="field-label">{t.confirm.reason}</span>
                        <input value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
                    </label>
                )}
                <ul class="bulk">
                    {workflows.slice(0, 500).map((one) => (
                        <li key={one.id} class={skipped(verb, one) ? "skipped" : ""}>
                            <span>{nameOf(one)}</span>
                            <span>{results.get(one.id) ?? (skipped(verb, one) ? `${b.skipped}: ${skipped(verb, one)}` : b.will)}</span>
                        </li>
                    ))}
                </ul>
                <footer class="dialog-foot">
                    <Button onClick={onClose}>{t.close}</Button>
                    {stage !== "done" && (
                        <Button kind={verb === "cancel" ? "danger" : "primary"} busy={stage === "busy"} disabled={fitting.length === 0} onClick={run}>
                            {b.run(t.verbs[verb], fitting.length)}
                        </Button>
                    )}
                </footer>
            </div>
        </Dialog>
    );
}
