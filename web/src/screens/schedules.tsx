// What starts or is sent by time: when it fires next, what it did, and everything that can be done with it.
import { useState } from "preact/hooks";
import { api } from "../model/api";
import type { Json } from "../model/json";
import { useLoad } from "../model/load";
import { to } from "../model/router";
import { may } from "../model/session";
import type { Schedule } from "../model/types";
import { t } from "../texts";
import { Button, Command, Empty, Field, Head, ProblemText, Tag, When, shortId } from "../ui/basics";
import { ActionDialog, say } from "../ui/dialog";
import { JsonView, visible } from "../ui/json_view";
import { PickedTable, type Verb } from "../ui/picked_table";
import { ScheduleDialog } from "./schedule_dialog";

const s = t.schedules;
const definition = "holdfast.schedule";
const upcoming = 5;

const tones: Record<string, string> = { active: "good", paused: "warn", ended: "" };

function whenOf(schedule: Schedule) {
    const { cron, timeZone, every } = schedule.spec;
    return cron ? (
        <>
            <code>{visible(cron)}</code> <span class="faint">{timeZone ?? "UTC"}</span>
        </>
    ) : (
        s.every(String(every))
    );
}

function What({ schedule }: { schedule: Schedule }) {
    const { start, send } = schedule.spec;
    if (start)
        return (
            <>
                {s.starts} <a href={to.definition(start.definition)}>{start.definition}</a>
            </>
        );
    return (
        <>
            {s.sends} <b>{visible(send?.event ?? "")}</b>
        </>
    );
}

function Backfill({ schedule, onClose }: { schedule: Schedule; onClose: () => void }) {
    const [from, setFrom] = useState("");
    const [until, setUntil] = useState("");
    const time = (text: string) => new Date(text).toISOString();
    return (
        <ActionDialog
            title={`${s.backfill}: ${schedule.name}`}
            text={s.backfillText}
            verb={s.backfill}
            disabled={!from || !until}
            onClose={onClose}
            run={async () => {
                await api.backfillSchedule(schedule.name, time(from), time(until));
                say(s.backfilling);
            }}
        >
            <div class="two">
                <Field label={s.from}>
                    <input data-first type="datetime-local" value={from} onInput={(event) => setFrom(event.currentTarget.value)} />
                </Field>
                <Field label={s.until}>
                    <input type="datetime-local" value={until} onInput={(event) => setUntil(event.currentTarget.value)} />
                </Field>
            </div>
        </ActionDialog>
    );
}

function Detail({ schedule, edit, again }: { schedule: Schedule; edit: () => void; again: () => void }) {
    const [filling, setFilling] = useState(false);
    return (
        <div class="schedule-detail">
            <section aria-label={s.upcoming}>
                <h2>{s.upcoming}</h2>
                {schedule.upcoming.length === 0 && <p class="faint">{s.nothingDue}</p>}
                <ol>
                    {schedule.upcoming.map((one) => (
                        <li key={one.due}>
                            <When at={one.at} form="both" />
                        </li>
                    ))}
                </ol>
            </section>
            <section aria-label={s.recent}>
                <h2>{s.recent}</h2>
                {schedule.recent.length === 0 && <p class="faint">{s.neverFired}</p>}
                <ol>
                    {schedule.recent.map((one) => (
                        <li key={one.due + one.at}>
                            <When at={one.at} form="both" /> <Tag>{s.why[one.why] ?? one.why}</Tag> {one.workflow && <a href={to.workflow(one.workflow)}>{shortId(one.workflow)}</a>}
                        </li>
                    ))}
                </ol>
            </section>
            <section aria-label={s.definition}>
                <h2>{s.definition}</h2>
                <JsonView value={schedule.spec as unknown as Json} />
                {schedule.running && (
                    <p>
                        {s.running} <a href={to.workflow(schedule.running.workflow)}>{shortId(schedule.running.workflow)}</a>
                    </p>
                )}
                <p class="row-buttons">
                    {may("operate") && (
                        <>
                            <Button icon="edit" onClick={edit}>
                                {s.edit}
                            </Button>
                            <Button onClick={() => setFilling(true)}>{s.backfill}</Button>
                        </>
                    )}
                    <a class="button plain" href={to.workflow(schedule.id) + "?tab=history"}>
                        <span>{t.workflow.tabs.history}</span>
                    </a>
                </p>
            </section>
            {filling && <Backfill schedule={schedule} onClose={() => (setFilling(false), again())} />}
        </div>
    );
}

const verbs: Verb<Schedule>[] = [
    { label: s.trigger, done: s.triggered, run: (one) => api.triggerSchedule(one.name) },
    { label: t.verbs.pause, done: t.done.paused, run: (one) => api.pauseSchedule(one.name), fits: (one) => one.status === "active" },
    { label: t.verbs.resume, done: t.done.resumed, run: (one) => api.resumeSchedule(one.name), fits: (one) => one.status === "paused" },
    { label: t.verbs.remove, danger: true, confirm: s.removeText, done: t.done.removed, run: (one) => api.removeSchedule(one.name) },
];

function cells(one: Schedule) {
    return [
        <b>{visible(one.name)}</b>,
        one.incident ? <Tag tone="bad">{t.status["incident"]}</Tag> : <Tag tone={tones[one.status]}>{s.status[one.status] ?? one.status}</Tag>,
        whenOf(one),
        <What schedule={one} />,
        <When at={one.next} />,
        s.counts(one.fired, one.skipped, one.missed),
    ];
}

export function Schedules() {
    const { value, problem, again } = useLoad(() => api.schedules({ limit: 200, upcoming }), [], (change) => change.definition === definition);
    const [edited, setEdited] = useState<Schedule | "new" | null>(null);
    return (
        <>
            <Head title={s.title} sub={s.sub}>
                {may("operate") && (
                    <Button kind="primary" icon="plus" onClick={() => setEdited("new")}>
                        {s.create}
                    </Button>
                )}
            </Head>
            {problem !== null && <ProblemText problem={problem} again={again} />}
            {value?.items.length === 0 && (
                <Empty icon="clock" title={s.empty}>
                    <p>{s.emptyHint}</p>
                    <Command text="holdfast schedules create nightly --cron '0 2 * * *' --zone Europe/Berlin --start report" />
                </Empty>
            )}
            {value && value.items.length > 0 && (
                <PickedTable
                    rows={value.items}
                    label={s.title}
                    columns={s.columns}
                    cells={cells}
                    detail={(one) => <Detail schedule={one} edit={() => setEdited(one)} again={again} />}
                    verbs={may("operate") ? verbs : []}
                    after={again}
                />
            )}
            {edited && <ScheduleDialog schedule={edited === "new" ? null : edited} onClose={() => (setEdited(null), again())} />}
        </>
    );
}
