// The same change for every workflow that a query finds: what runs, how far it is, what was refused.
import { api } from "../model/api";
import { useLoad } from "../model/load";
import { place, to } from "../model/router";
import type { BulkJob } from "../model/types";
import { may } from "../model/session";
import { t } from "../texts";
import { Button, Command, Empty, Head, ProblemText, Tag, When, shortId } from "../ui/basics";
import { say, sayProblem } from "../ui/dialog";

const b = t.bulkJobs;

const tones: Record<string, string> = { running: "info", done: "good", failed: "bad", paused: "warn" };
const definition = "holdfast.bulk";

export const queryText = (query: Record<string, string>) =>
    Object.entries(query)
        .map(([name, value]) => `${name}:${value}`)
        .join(" ");

function Progress({ job }: { job: BulkJob }) {
    if (job.matched === null) return <p class="faint">{b.counting}</p>;
    const handled = job.done + job.refused;
    return (
        <div class="bulk-progress">
            <progress max={Math.max(job.matched, handled, 1)} value={handled} aria-label={b.progress(job.done, job.refused, job.matched)} />
            <span>{b.progress(job.done, job.refused, job.matched)}</span>
        </div>
    );
}

function Refusals({ job }: { job: BulkJob }) {
    if (job.refusals.length === 0) return null;
    return (
        <ul class="plain-list">
            {job.refusals.map((refusal) => (
                <li key={refusal.why}>
                    <Tag tone="warn">{refusal.count}</Tag> {refusal.why} <a href={to.workflow(refusal.example)}>{shortId(refusal.example)}</a>
                </li>
            ))}
        </ul>
    );
}

function Card({ job, again, here }: { job: BulkJob; again: () => void; here: boolean }) {
    const open = job.status === "running" || job.status === "paused";
    const stop = async () => {
        try {
            await api.stopBulkJob(job.id);
            say(b.stopped);
        } catch (error) {
            sayProblem(error);
        }
        again();
    };
    return (
        <section class={here ? "card bulk-job here" : "card bulk-job"} aria-label={`${b.verb[job.action.do] ?? job.action.do} ${queryText(job.query)}`}>
            <header class="bulk-head">
                <h2>{b.verb[job.action.do] ?? job.action.do}</h2>
                <code>{queryText(job.query)}</code>
                <Tag tone={tones[job.status]}>{b.status[job.status] ?? job.status}</Tag>
                <span class="grow" />
                {open && may("operate") && (
                    <Button kind="danger" onClick={stop}>
                        {b.stop}
                    </Button>
                )}
            </header>
            <Progress job={job} />
            <Refusals job={job} />
            <p class="faint">
                <When at={job.createdAt} /> {job.by && t.workflow.by(job.by)} {job.reason && `· ${job.reason}`} · <a href={to.workflow(job.id)}>{b.history}</a>
            </p>
        </section>
    );
}

export function BulkJobs() {
    const shown = place.value.search.get("job");
    const { value, problem, again } = useLoad(() => api.bulkJobs({ limit: 50 }), [], (change) => change.definition === definition);
    return (
        <>
            <Head title={b.title} sub={b.sub} />
            {problem !== null && <ProblemText problem={problem} again={again} />}
            {value?.items.length === 0 && (
                <Empty icon="workflows" title={b.empty}>
                    <p>{b.emptyHint}</p>
                    <Command text="holdfast bulk pause --definition order --dry-run" />
                </Empty>
            )}
            {value?.items.map((job) => (
                <Card key={job.id} job={job} again={again} here={job.id === shown} />
            ))}
        </>
    );
}
