// What cannot go on, and what workers have to do.
import { useState } from "preact/hooks";
import { api } from "../model/api";
import { useLoad } from "../model/load";
import { place, setSearch, to } from "../model/router";
import type { IncidentRow, JobRow } from "../model/types";
import { may } from "../model/session";
import { t } from "../texts";
import { Button, Command, Empty, Head, ProblemText, Tabs, Tag, When, shortId } from "../ui/basics";
import { say, sayProblem } from "../ui/dialog";
import { SimpleTable } from "../ui/simple_table";

const j = t.jobs;
const pageSize = 200;

// Whether a change may have made, moved or ended a job or an incident: a process that moves.
const concerns = () => true;

function Incidents() {
    const { value, problem, again } = useLoad(() => api.incidents({ limit: pageSize }), [], concerns);
    const [busy, setBusy] = useState<string | null>(null);
    const retry = async (row: IncidentRow) => {
        setBusy(row.workflow);
        try {
            await api.retry(row.workflow);
            say(t.done.retried);
        } catch (error) {
            sayProblem(error);
        }
        setBusy(null);
        again();
    };
    if (!value) return problem ? <ProblemText problem={problem} again={again} /> : null;
    if (value.items.length === 0)
        return (
            <Empty icon="leaf" title={j.noIncidents}>
                <p>{j.noIncidentsHint}</p>
            </Empty>
        );
    return (
        <SimpleTable
            label={j.incidents}
            columns={j.incidentColumns}
            rows={value.items.map((row) => ({
                key: row.workflow,
                cells: [
                    <a href={to.workflow(row.workflow)}>{row.businessKey ?? shortId(row.workflow)}</a>,
                    <Tag tone="bad">{row.code ?? t.status["incident"]!}</Tag>,
                    <a href={to.definition(row.definition)}>{row.definition}</a>,
                    <When at={row.updatedAt} />,
                    may("operate") && (
                        <Button busy={busy === row.workflow} onClick={() => retry(row)}>
                            {t.verbs.redrive}
                        </Button>
                    ),
                ],
            }))}
            more={value.nextCursor !== null ? j.more(pageSize) : undefined}
        />
    );
}

// What happens to a job next, in a word.
function JobState({ job }: { job: JobRow }) {
    if (job.leased) return <Tag tone="good">{j.states.leased}</Tag>;
    if (job.retries !== null && job.retries === 0) return <Tag tone="bad">{j.states.failed}</Tag>;
    if (job.attempts > 0) return <Tag tone="warn">{j.states.again}</Tag>;
    return <Tag>{j.states.free}</Tag>;
}

function Jobs() {
    const type = place.value.search.get("type") ?? "";
    const { value, problem, again } = useLoad(() => api.jobs({ type, limit: pageSize }), [type], concerns);
    if (!value) return problem ? <ProblemText problem={problem} again={again} /> : null;
    if (value.items.length === 0)
        return (
            <Empty icon="check" title={j.noJobs}>
                <p>{j.noJobsHint}</p>
                <Command text="holdfast deploy examples/shipping.bpmn" />
            </Empty>
        );
    return (
        <SimpleTable
            label={j.jobs}
            columns={j.jobColumns}
            rows={value.items.map((job) => ({
                key: job.id,
                cells: [
                    job.type === null ? <span class="faint">–</span> : <a href={`/jobs?type=${encodeURIComponent(job.type)}`}>{job.type}</a>,
                    <JobState job={job} />,
                    <a href={to.workflow(job.workflow)}>{shortId(job.workflow)}</a>,
                    job.element ?? "–",
                    job.attempts,
                    <When at={job.enqueuedAt} />,
                    job.leased ? <span class="faint">–</span> : <When at={job.visibleAt} />,
                ],
            }))}
            more={value.nextCursor !== null ? j.more(pageSize) : undefined}
        />
    );
}

export function JobsScreen() {
    const type = place.value.search.get("type");
    const tab = place.value.search.get("tab") ?? (type ? "jobs" : "incidents");
    const tabs = [
        { id: "incidents", label: j.incidents },
        { id: "jobs", label: j.jobs },
    ];
    return (
        <>
            <Head title={j.title} sub={tab === "jobs" && type ? j.ofType(type) : undefined}>
                {type && <Button onClick={() => setSearch({ type: null, tab: "jobs" })}>{j.allTypes}</Button>}
            </Head>
            <Tabs items={tabs} active={tab} onPick={(id) => setSearch({ tab: id, type: null })} label={j.title} />
            <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
                {tab === "jobs" ? <Jobs /> : <Incidents />}
            </div>
        </>
    );
}
