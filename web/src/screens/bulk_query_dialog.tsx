// One action on every workflow that a search finds, loaded or not: the server counts first, then does it as a bulk job.
import { useEffect, useState } from "preact/hooks";
import { api, newKey } from "../model/api";
import { go } from "../model/router";
import { t } from "../texts";
import { Button, Field, ProblemText } from "../ui/basics";
import { Dialog } from "../ui/dialog";
import { queryText } from "./bulk_jobs";

const b = t.bulkJobs;
const actions = ["pause", "resume", "cancel", "retry"] as const;
type Action = (typeof actions)[number];

export function BulkQueryDialog({ query, onClose }: { query: Record<string, string>; onClose: () => void }) {
    const [action, setAction] = useState<Action>("pause");
    const [reason, setReason] = useState("");
    const [found, setFound] = useState<{ matched: number; more: boolean } | null>(null);
    const [problem, setProblem] = useState<unknown>(null);
    const [busy, setBusy] = useState(false);
    const [key] = useState(newKey);
    useEffect(() => {
        api.planBulkJob({ query, action: { do: "pause" } }).then(setFound, setProblem);
    }, []);
    const run = async () => {
        setBusy(true);
        try {
            const job = await api.startBulkJob({ query, action: { do: action }, reason }, `${key}-${action}`);
            onClose();
            go(`/bulk-jobs?job=${job.value.id}`);
        } catch (error) {
            setProblem(error);
            setBusy(false);
        }
    };
    return (
        <Dialog title={b.all} onClose={onClose}>
            <div class="dialog-body">
                <p>
                    <code>{queryText(query)}</code>
                </p>
                <p role="status">{found ? b.matched(found.matched, found.more) : problem === null && b.counting}</p>
                {problem !== null && <ProblemText problem={problem} />}
                <Field label={b.action}>
                    <select value={action} onChange={(event) => setAction(event.currentTarget.value as Action)}>
                        {actions.map((one) => (
                            <option key={one} value={one}>
                                {b.verb[one]}
                            </option>
                        ))}
                    </select>
                </Field>
                <Field label={t.confirm.reason} hint={b.reasonHint}>
                    <input value={reason} onInput={(event) => setReason(event.currentTarget.value)} />
                </Field>
                <footer class="dialog-foot">
                    <Button onClick={onClose}>{t.close}</Button>
                    <Button kind={action === "cancel" ? "danger" : "primary"} busy={busy} disabled={!found || found.matched === 0} onClick={run}>
                        {b.run(b.verb[action]!, found?.matched ?? 0, found?.more ?? false)}
                    </Button>
                </footer>
            </div>
        </Dialog>
    );
}
