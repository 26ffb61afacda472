// The first screen: is everything well, what moves, what needs somebody.
import { useEffect, useState } from "preact/hooks";
import { api } from "../model/api";
import { useLoad } from "../model/load";
import { onChanges, type Change } from "../model/live";
import { to } from "../model/router";
import { now } from "../model/time";
import type { Page, Task, Workflow } from "../model/types";
import { t } from "../texts";
import { Button, Command, Empty, Head, ProblemText, StatusMark, When, nameOf, statusOf } from "../ui/basics";
import { Chart } from "../ui/chart";
import { Icon } from "../ui/icons";
import { Sentence } from "../ui/sentence";
import { startOpen } from "./start_dialog";

const o = t.overview;
const counted = 500;

const amount = (page: Page<unknown> | undefined) => (page ? (page.nextCursor ? o.atLeast(page.items.length) : String(page.items.length)) : "–");

async function load() {
    const dayAgo = new Date(Date.now() - 86_400_000).toISOString();
    const [running, waiting, failed, tasks, letters, nodes, recent] = await Promise.all([
        api.workflows({ status: "running", limit: counted }),
        api.workflows({ status: "suspended", limit: counted }),
        api.workflows({ status: "failed", createdFrom: dayAgo, limit: counted }),
        api.tasks({ state: "open", limit: counted }),
        api.deadLetters({ limit: counted }),
        api.nodes(),
        api.workflows({ limit: 12 }),
    ]);
    return { running, waiting, failed, tasks, letters, nodes, recent };
}

function Figure({ label, value, href, tone }: { label: string; value: string; href: string; tone?: "bad" | "calm" }) {
    return (
        <a class={`figure ${tone ?? ""}`} href={href}>
            <span class="figure-value">{value}</span>
            <span class="figure-label">{label}</span>
        </a>
    );
}

const seconds = 120;

// Changes of each of the last two minutes' seconds.
function useThroughput() {
    const [counts, setCounts] = useState<Map<number, number>>(new Map());
    useEffect(
        () =>
            onChanges((changes) =>
                setCounts((before) => {
                    const after = new Map(before);
                    for (const change of changes) {
                        const second = Math.floor((Date.parse(change.at) || Date.now()) / 1000);
                        after.set(second, (after.get(second) ?? 0) + 1);
                    }
                    for (const second of after.keys()) if (second < Date.now() / 1000 - seconds - 5) after.delete(second);
                    return after;
                })
            ),
        []
    );
    const last = Math.floor(now.value / 1000);
    const times = Array.from({ length: seconds }, (_, i) => last - seconds + i + 1);
    return { times, values: times.map((second) => counts.get(second) ?? 0) };
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

export function Overview() {
    const { value, problem, again } = useLoad(load, [], () => true);
    const throughput = useThroughput();
    if (problem && !value) return <ProblemText problem={problem} again={again} />;
    const open = value ? [...value.running.items, ...value.waiting.items] : [];
    const troubled = value ? [...open.filter((one) => one.incident || one.quarantined || one.program?.retry), ...value.failed.items].slice(0, 10) : [];
    const tasks = new Map(value?.tasks.items.map((task) => [task.id, task]));
    const incidents = open.filter((one) => one.incident).length;
    return (
        <>
            <Head title={o.title}>
                <Button kind="primary" icon="plus" onClick={() => (startOpen.value = { key: "" })}>
                    {t.workflows.start}
                </Button>
            </Head>
            <div class="figures">
                <Figure label={o.running} value={amount(value?.running)} href="/workflows?status=running" />
                <Figure label={o.waiting} value={amount(value?.waiting)} href="/workflows?status=suspended" />
                <Figure label={o.tasks} value={amount(value?.tasks)} href="/tasks" />
                <Figure label={o.incidents} value={value ? String(incidents) : "–"} href="/workflows?q=incident%3Ayes" tone={incidents ? "bad" : "calm"} />
                <Figure label={o.failed} value={amount(value?.failed)} href="/workflows?status=failed" tone={value?.failed.items.length ? "bad" : "calm"} />
                <Figure label={o.deadLetters} value={amount(value?.letters)} href="/dead-letters" tone={value?.letters.items.length ? "bad" : "calm"} />
            </div>
            <div class="columns">
                <section class="card" aria-labelledby="throughput">
                    <h2 id="throughput">
                        {o.throughput} <small>{o.throughputHint}</small>
                    </h2>
                    <Chart {...throughput} label={o.throughput} format={(v) => String(Math.round(v * 10) / 10)} />
                </section>
                <Moving />
                <section class="card" aria-labelledby="attention">
                    <h2 id="attention">{o.attention}</h2>
                    {value && troubled.length === 0 ? (
                        <p class="calm-line">
                            <Icon name="check" /> {o.calm}
                        </p>
                    ) : (
                        <WorkflowLines items={troubled} tasks={tasks} />
                    )}
                </section>
                <section class="card" aria-labelledby="recent">
                    <h2 id="recent">{o.recent}</h2>
                    {value && value.recent.items.length === 0 ? (
                        <Empty title={o.emptyTitle}>
                            <p>{o.emptyText}</p>
                            <Command text={'holdfast define order && holdfast start order --business-key order-1 --state \'{"total": 12}\''} />
                        </Empty>
                    ) : (
                        <WorkflowLines items={value?.recent.items ?? []} tasks={tasks} />
                    )}
                </section>
            </div>
            <section class="nodes-strip" aria-label={o.nodes}>
                {value?.nodes.items.map((node) => (
                    <a key={node.id} href="/nodes" class="node-chip">
                        <i class={node.alive ? "dot good" : "dot bad"} aria-hidden="true" /> {node.name} <span class="faint">{node.alive ? t.nodes.alive : t.nodes.gone}</span>
                    </a>
                ))}
            </section>
        </>
    );
}
