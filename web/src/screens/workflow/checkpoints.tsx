// Named copies of the state: restore one, or fork a new workflow from it.
import { useState } from "preact/hooks";
import { api } from "../../model/api";
import { useLoad } from "../../model/load";
import { go, to } from "../../model/router";
import type { Checkpoint, Workflow } from "../../model/types";
import { may } from "../../model/session";
import { t } from "../../texts";
import { Button, When } from "../../ui/basics";
import { ActionDialog, say, sayProblem } from "../../ui/dialog";

export function CheckpointsCard({ workflow }: { workflow: Workflow }) {
    const { value } = useLoad(() => api.checkpoints(workflow.id), [workflow.id, workflow.lastCheckpoint?.at], (change) => change.workflow === workflow.id);
    const [restoring, setRestoring] = useState<Checkpoint | null>(null);
    const fork = (checkpoint: Checkpoint) => api.fork(workflow.id, checkpoint.name).then((reply) => go(to.workflow(reply.value.id)), sayProblem);
    return (
        <section class="card" aria-label={t.workflow.checkpoints}>
            <h2>{t.workflow.checkpoints}</h2>
            {value?.items.length === 0 && <p class="faint pad">{t.workflow.noCheckpoints}</p>}
            <ul class="plain-list">
                {value?.items.map((checkpoint) => (
                    <li key={checkpoint.name}>
                        <b>{checkpoint.name}</b>{" "}
                        <span class="faint">
                            {t.workflow.version} {checkpoint.version} · <When at={checkpoint.createdAt} />
                        </span>
                        <span class="grow" />
                        {may("operate") && (
                            <>
                                <Button onClick={() => setRestoring(checkpoint)} disabled={workflow.completedAt !== null}>
                                    {t.verbs.restore}
                                </Button>
                                <Button onClick={() => fork(checkpoint)}>{t.verbs.fork}</Button>
                            </>
                        )}
                    </li>
                ))}
            </ul>
            {restoring && (
                <ActionDialog
                    title={`${t.verbs.restore}: ${restoring.name}`}
                    text={t.confirm.restore(restoring.name)}
                    verb={t.verbs.restore}
                    onClose={() => setRestoring(null)}
                    run={async () => {
                        await api.restore(workflow.id, restoring.name);
                        say(t.done.restored);
                    }}
                />
            )}
        </section>
    );
}
