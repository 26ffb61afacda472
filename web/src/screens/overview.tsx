// The first screen: is everything well, what moves, what needs somebody.
import { useEffect, useState } from "preact/hooks";
import { api } from "../model/api";
import { useLoad } from "../model/load";
import { onChanges, type Change } from "../model/live";
import { to } from "../model/router";
import { may, scope } from "../model/session";
import { lateness, throughput, watchLateness, type Series } from "../model/pulse";
import { duration } from "../model/time";
import type { IncidentRow, Page, Task, Workflow } from "../model/types";
import { t } from "../texts";
import { Command, Empty, Head, ProblemText, StatusMark, When, nameOf, shortId, statusOf } from "../ui/basics";
import { Chart } from "../ui/chart";
import { Icon } from "../ui/icons";
import { Sentence } from "../ui/sentence";
import { StartButton } from "./start_dialog";

const o = t.overview;
const counted = 500;

const amount = (page: Page<unknown> | undefined) => (page ? (page.nextCursor ? o.atLeast(page.items.length) : String(page.items.length)) : "–");

const nobody: Page<never> = { items: [], nextCursor: null };

async function load() {
    const all = may("readAll");
    const dayAgo = new Date(Date.now() - 86_400_000).toISOString();
    const [running, waiting, failed, tasks, incidents, letters, nodes, recent] = await Promise.all([
        api.workflows({ status: "running", limit: counted }),
        api.workflows({ status: "suspended", limit: counted }),
        api.workflows({ status: "failed", createdFrom: dayAgo, limit: counted }),
        api.tasks({ state: "open", limit: counted }),
        api.incidents({ limit: counted }),
        all ? api.deadLetters({ limit: counted }) : nobody,
        all ? api.nodes() : { items: [], locks: [] },
        api.workflows({ limit: 8 }),
    ]);
    return { running, waiting, failed, tasks, incidents, letters, nodes, recent };
}

function Figure({ label, value, href, tone }: { label: string; value: string; href: string; tone?: "bad" | "calm" }) {
    return (
        <a class={`figure ${tone ?? ""}`} href={href}>
            <span class="figure-value">{value}</span>
            <span class="figure-label">{label}</span>
        </a>
    );
}

// The figure of the newest second that has one, large, beside its two minutes.
function Pulse({ id, title, hint, series, format, points }: { id: string; title: string; hint: string; series: Series; format: (value: number) => string; points?: boolean }) {
    const last = [...series.values].reverse().find((value) => value !== null);
    return (
        <section class="card" aria-labelledby={id}>
            <h2 id={id} title={hint}>
                {title} <span class="grow" />
                <span class="pulse-value">{last === undefined || last === null ? "–" : format(last)}</span>
            </h2>
            <Chart {...series} label={title} format={format} points={points} />
            <p class="chart-hint">{hint}</p>
        </section>
    );
}

const perSecond = (value: number) => String(Math.round(value * 10) / 10);
const asTime = (value: number) => (value === 0 ? "0" : value < 0.001 ? `${(value * 1e6).toFixed(0)} µs` : value < 1 ? `${Number((value * 1000).toPrecision(2))} ms` : duration(value * 1000));

function Charts() {
    useEffect(() => (may("readAll") ? watchLateness() : undefined), [may("readAll")]);
    return (
        <div class="charts">
            <Pulse id="throughput" title={o.throughput} hint={o.throughputHint} series={throughput()} format={perSecond} />
            {may("readAll") && <Pulse id="lateness" title={o.lateness} hint={o.latenessHint} series={lateness()} format={asTime} points />}
        </div>
    );
}

function Moving() {
    const [changes, setChanges] = useState<(Change & { seen: number })[]>([]);
    useEffect(() => {
        let number = 0;
        return onChanges((found) => setChanges((before) => [...found.filter((one) => one.workflow).slice(-14).reverse().map((one) => ({ ...one, seen: ++number })), ...before].slice(0, 14)));
    }, []);
    return (
        <section class="card" aria-labelledby="moving">
            <h2 id="moving">{o.moving}</h2>
            {changes.length === 0 ? (
                <p class="faint pad">{o.movingEmpty}</p>
            ) : (
                <ol class="ticker">
                    {changes.map((change) => (
                        <li key={change.seen}>
                            <a href={to.workflow(change.workflow)}>{change.businessKey ?? change.workflow?.slice(0, 8)}</a>
                            <span>{change.kind === "task" ? `${t.tasks.one} ${change.type}` : (t.history.types[change.type] ?? change.type)}</span>
                            <span class="faint">{change.definition}</span>
                            <When at={change.at} />
                        </li>
                    ))}
                </ol>
            )}
        </section>
    );
}

function WorkflowLines({ items, tasks }: { items: Workflow[]; tasks: Map<string, Task> }) {
    return (
        <ul class="lines">
            {items.map((one) => (
                <li key={one.id}>
                    <a href={to.workflow(one.id)} class="line">
                        <StatusMark status={statusOf(one)} text={false} />
                        <span class="line-name">{nameOf(one)}</span>
                        <span class="line-what">
                            <span class="faint">{one.definition}</span>
                        </span>
                        <When at={one.updatedAt} />
                    </a>
                    <p class="line-more">
                        <Sentence workflow={one} tasks={tasks} short />
                    </p>
                </li>
            ))}
        </ul>
    );
}

function Attention({ troubled, incidents, tasks }: { troubled: Workflow[]; incidents: IncidentRow[]; tasks: Map<string, Task> }) {
    return (
        <section class="card" aria-labelledby="attention">
            <h2 id="attention">{o.attention}</h2>
            {troubled.length + incidents.length === 0 && (
                <p class="calm-line">
                    <Icon name="check" /> {o.calm}
                </p>
            )}
            <ul class="lines">
                {incidents.slice(0, 8).map((one) => (
                    <li key={one.workflow}>
                        <a href={to.workflow(one.workflow)} class="line">
                            <StatusMark status="incident" text={false} />
                            <span class="line-name">{one.businessKey ?? shortId(one.workflow)}</span>
                            <span class="line-what faint">{one.definition}</span>
                            <When at={one.updatedAt} />
                        </a>
                        <p class="line-more">{o.cause(one.code)}</p>
                    </li>
                ))}
            </ul>
            <WorkflowLines items={troubled} tasks={tasks} />
        </section>
    );
}

function Recent({ recent, tasks }: { recent: Page<Workflow> | undefined; tasks: Map<string, Task> }) {
    return (
        <section class="card" aria-labelledby="recent">
            <h2 id="recent">{o.recent}</h2>
            {recent?.items.length === 0 ? (
                <Empty title={o.emptyTitle}>
                    <p>{o.emptyText}</p>
                    <Command text={'holdfast define order && holdfast start order --business-key order-1 --state \'{"total": 12}\''} />
                </Empty>
            ) : (
                <WorkflowLines items={recent?.items ?? []} tasks={tasks} />
            )}
        </section>
    );
}

function Figures({ value }: { value: Awaited<ReturnType<typeof load>> | undefined }) {
    const tone = (page: Page<unknown> | undefined) => (page?.items.length ? "bad" : "calm");
    return (
        <div class="figures">
            <Figure label={o.running} value={amount(value?.running)} href="/workflows?status=running" />
            <Figure label={o.waiting} value={amount(value?.waiting)} href="/workflows?status=suspended" />
            <Figure label={o.tasks} value={amount(value?.tasks)} href="/tasks" />
            <Figure label={o.incidents} value={amount(value?.incidents)} href="/jobs" tone={tone(value?.incidents)} />
            <Figure label={o.failed} value={amount(value?.failed)} href="/workflows?status=failed&created=day" tone={tone(value?.failed)} />
            {may("readAll") && <Figure label={o.deadLetters} value={amount(value?.letters)} href="/dead-letters" tone={tone(value?.letters)} />}
        </div>
    );
}

export function Overview() {
    const { value, problem, again } = useLoad(load, [may("readAll"), scope.value], () => true, 1000);
    if (problem && !value) return <ProblemText problem={problem} again={again} />;
    const incidents = value?.incidents.items ?? [];
    const named = new Set(incidents.map((one) => one.workflow));
    const open = value ? [...value.running.items, ...value.waiting.items].filter((one) => !named.has(one.id)) : [];
    const troubled = [...open.filter((one) => one.incident || one.quarantined || one.program?.retry), ...(value?.failed.items ?? [])].slice(0, 8);
    const tasks = new Map(value?.tasks.items.map((task) => [task.id, task]));
    return (
        <>
            <Head title={o.title}>
                {value?.nodes.items.slice(0, 6).map((node) => (
                    <a key={node.id} href="/nodes" class="node-chip">
                        <i class={node.alive ? "dot good" : "dot bad"} aria-hidden="true" /> {node.name} <span class="faint">{node.alive ? t.nodes.alive : t.nodes.gone}</span>
                    </a>
                ))}
                <StartButton />
            </Head>
            <Figures value={value} />
            <div class="columns">
                <Charts />
                <div class="stack">
                    <Attention troubled={troubled} incidents={incidents} tasks={tasks} />
                </div>
                <div class="stack">
                    <Moving />
                    <Recent recent={value?.recent} tasks={tasks} />
                </div>
            </div>
        </>
    );
}
