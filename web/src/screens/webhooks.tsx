// Where what happens is posted to, how far each receiver is, and what it refused.
import { useState } from "preact/hooks";
import { api } from "../model/api";
import { useLoad } from "../model/load";
import { may } from "../model/session";
import { to } from "../model/router";
import type { RefusedRecord, Webhook } from "../model/types";
import { t } from "../texts";
import { Button, Command, CopyButton, Empty, Field, Head, ProblemText, Tag, When } from "../ui/basics";
import { ActionDialog, Dialog, say } from "../ui/dialog";
import { JsonView } from "../ui/json_view";
import { PickedTable, type Verb } from "../ui/picked_table";

const w = t.webhooks;
const definition = "holdfast.webhook";
const kinds = ["workflow", "incident", "task", "deadLetter", "deadEvent"];
const tones: Record<string, string> = { active: "good", failing: "bad", paused: "warn" };

function CreateDialog({ onClose, onMade }: { onClose: () => void; onMade: (key: string) => void }) {
    const [url, setUrl] = useState("");
    const [only, setOnly] = useState("");
    const [chosen, setChosen] = useState<string[]>([]);
    const toggle = (kind: string) => setChosen(chosen.includes(kind) ? chosen.filter((one) => one !== kind) : [...chosen, kind]);
    const run = async () => {
        const made = await api.createWebhook({ url: url.trim(), ...(only.trim() ? { definition: only.trim() } : {}), ...(chosen.length ? { kinds: chosen } : {}) });
        onMade(made.key);
    };
    return (
        <ActionDialog title={w.create} text={w.createText} verb={w.create} disabled={!url.trim()} onClose={onClose} run={run}>
            <Field label={w.url} hint={w.urlHint}>
                <input data-first type="url" value={url} spellcheck={false} onInput={(event) => setUrl(event.currentTarget.value)} />
            </Field>
            <fieldset class="kinds">
                <legend>{w.kinds}</legend>
                {kinds.map((kind) => (
                    <label key={kind}>
                        <input type="checkbox" checked={chosen.includes(kind)} onChange={() => toggle(kind)} /> {w.kind[kind]}
                    </label>
                ))}
            </fieldset>
            <Field label={w.only} hint={w.onlyHint}>
                <input value={only} spellcheck={false} onInput={(event) => setOnly(event.currentTarget.value)} />
            </Field>
        </ActionDialog>
    );
}

// The only time that the key is shown.
function KeyDialog({ text, onClose }: { text: string; onClose: () => void }) {
    return (
        <Dialog title={w.key} onClose={onClose} size="small">
            <div class="dialog-body">
                <p>{w.keyText}</p>
                <p class="command">
                    <code tabIndex={0}>{text}</code>
                    <CopyButton text={text} />
                </p>
                <footer class="dialog-foot">
                    <Button kind="primary" onClick={onClose}>
                        {w.kept}
                    </Button>
                </footer>
            </div>
        </Dialog>
    );
}

function Refused({ records }: { records: RefusedRecord[] }) {
    if (records.length === 0) return <p class="faint">{w.noneRefused}</p>;
    return (
        <ul class="plain-list">
            {records.map((one) => (
                <li key={one.position}>
                    <Tag tone="bad">{one.why}</Tag> {one.again && <Tag>{w.again}</Tag>} <When at={one.at} />
                    <JsonView value={one.record} />
                </li>
            ))}
        </ul>
    );
}

function Detail({ webhook }: { webhook: Webhook }) {
    return (
        <div class="schedule-detail">
            <section aria-label={w.progress}>
                <h2>{w.progress}</h2>
                <p>{w.taken(webhook.count)}</p>
                {webhook.failure && (
                    <p>
                        {w.failures(webhook.failures)}: {webhook.failure} <When at={webhook.failedAt} />
                    </p>
                )}
                {webhook.gaps > 0 && <p class="bad-text">{w.gaps(webhook.gaps)}</p>}
                <p>
                    <a href={to.workflow(webhook.id) + "?tab=history"}>{t.workflow.tabs.history}</a>
                </p>
            </section>
            <section aria-label={w.refused}>
                <h2>{w.refused}</h2>
                <Refused records={webhook.refused} />
            </section>
        </div>
    );
}

const filterText = (one: Webhook) => [...one.kinds.map((kind) => w.kind[kind] ?? kind), one.definition, one.businessKey, one.workflow].filter(Boolean).join(", ") || t.all;

async function ping(one: Webhook) {
    const came = await api.pingWebhook(one.id);
    if (!came.taken) throw new Error(w.pingFailed(came.why ?? String(came.answered)));
}

const hasRefused = (one: Webhook) => one.refused.length > 0;

const verbs: Verb<Webhook>[] = [
    { label: w.ping, done: w.pinged, run: ping },
    { label: t.verbs.pause, done: t.done.paused, run: (one) => api.changeWebhook(one.id, "pause"), fits: (one) => one.status !== "paused" },
    { label: t.verbs.resume, done: t.done.resumed, run: (one) => api.changeWebhook(one.id, "resume"), fits: (one) => one.status === "paused" },
    { label: w.redeliver, done: w.redelivered, run: (one) => api.changeWebhook(one.id, "redeliver"), fits: hasRefused },
    { label: w.discard, danger: true, confirm: w.discardText, done: w.discarded, run: (one) => api.changeWebhook(one.id, "discard"), fits: hasRefused },
    { label: t.verbs.remove, danger: true, confirm: w.removeText, done: t.done.removed, run: (one) => api.removeWebhook(one.id) },
];

const cells = (one: Webhook) => [
    <b>{one.url}</b>,
    <Tag tone={tones[one.status]}>{w.status[one.status] ?? one.status}</Tag>,
    filterText(one),
    one.count.toLocaleString(),
    one.refused.length > 0 ? <Tag tone="bad">{one.refused.length}</Tag> : 0,
    <When at={one.createdAt} />,
];

export function Webhooks() {
    const { value, problem, again } = useLoad(() => api.webhooks(), [], (change) => change.definition === definition);
    const [creating, setCreating] = useState(false);
    const [key, setKey] = useState("");
    return (
        <>
            <Head title={w.title} sub={w.sub}>
                {may("operateAll") && (
                    <Button kind="primary" icon="plus" onClick={() => setCreating(true)}>
                        {w.create}
                    </Button>
                )}
            </Head>
            {problem !== null && <ProblemText problem={problem} again={again} />}
            {value?.items.length === 0 && (
                <Empty icon="send" title={w.empty}>
                    <p>{w.emptyHint}</p>
                    <Command text="holdfast webhooks create http://hooks.example.org/holdfast --kind incident" />
                </Empty>
            )}
            {value && value.items.length > 0 && (
                <PickedTable rows={value.items} label={w.title} columns={w.columns} cells={cells} detail={(one) => <Detail webhook={one} />} verbs={may("operateAll") ? verbs : []} after={again} />
            )}
            {creating && <CreateDialog onClose={() => (setCreating(false), again())} onMade={(made) => (setKey(made), say(w.created))} />}
            {key && <KeyDialog text={key} onClose={() => setKey("")} />}
        </>
    );
}
