// The processes that work on this store and their leases, the jobs that one of them does, and what nobody here can run.
import { useEffect } from "preact/hooks";
import { api } from "../model/api";
import { useLoad } from "../model/load";
import { to } from "../model/router";
import { ms, now } from "../model/time";
import type { HostLock, NodeRow } from "../model/types";
import { t } from "../texts";
import { Command, Head, ProblemText, Tag, When, shortId } from "../ui/basics";
import { SimpleTable } from "../ui/simple_table";

const n = t.nodes;
const decade = 315_360_000_000;

function State({ node }: { node: NodeRow }) {
    return (
        <>
            <i class={node.alive ? "dot good" : "dot bad"} aria-hidden="true" /> {node.alive ? n.alive : n.gone}
        </>
    );
}

const lease = (node: NodeRow) => (ms(node.leaseUntil) - now.value > decade ? <span class="faint">{n.forever}</span> : <When at={node.leaseUntil} />);

function nodeRow(node: NodeRow) {
    return { key: node.id, cells: [node.name, <State node={node} />, <When at={node.startedAt} />, <When at={node.lastBeatAt} />, lease(node)] };
}

function workerRow(node: NodeRow) {
    const programs = node.programs.map((key) => (
        <a key={key} class="tag" href={to.definition(key)}>
            {key}
        </a>
    ));
    return { key: node.id, cells: [node.name, <State node={node} />, programs.length ? <span class="chips">{programs}</span> : "–", <When at={node.startedAt} />, lease(node)] };
}

function lockRow(lock: HostLock) {
    const state = lock.held ? <Tag tone="good">{n.held}</Tag> : <Tag>{n.free}</Tag>;
    return { key: lock.name, cells: [lock.name, state, lock.owner, <When at={lock.until} />, lock.term] };
}

function Stranded() {
    const { value } = useLoad(() => api.stranded(), [], (change) => change.kind === "workflow", 1000);
    return (
        <>
            <h2 class="section">{n.stranded}</h2>
            {value?.items.length ? (
                <SimpleTable
                    label={n.stranded}
                    columns={n.strandedColumns}
                    rows={value.items.map((one) => ({ key: one.workflow, cells: [<a href={to.workflow(one.workflow)}>{shortId(one.workflow)}</a>, one.program, <When at={one.since} />] }))}
                />
            ) : (
                <p class="faint">{n.noStranded}</p>
            )}
        </>
    );
}

export function Nodes() {
    const { value, problem, again } = useLoad(() => api.nodes(), [], () => true, 1000);
    // A lease that runs out is no change of the store: what is shown is read again when one should have been renewed.
    const next = value ? Math.min(...value.items.filter((node) => node.alive).map((node) => ms(node.leaseUntil))) : Infinity;
    useEffect(() => {
        if (!Number.isFinite(next) || next - Date.now() > 86_400_000) return;
        const timer = setTimeout(again, Math.max(500, next - Date.now()));
        return () => clearTimeout(timer);
    }, [next]);
    const workers = value?.items.filter((node) => node.kind === "worker") ?? [];
    return (
        <>
            <Head title={n.title} sub={n.sub} />
            {problem !== null && <ProblemText problem={problem} again={again} />}
            <SimpleTable label={n.title} columns={n.columns} rows={(value?.items ?? []).filter((node) => node.kind !== "worker").map(nodeRow)} />
            <h2 class="section">{n.workers}</h2>
            {workers.length ? (
                <SimpleTable label={n.workers} columns={n.workerColumns} rows={workers.map(workerRow)} />
            ) : (
                <>
                    <p class="faint">{n.noWorkers}</p>
                    <Command text={`curl -X POST ${location.origin}/api/v1/workers -H 'Content-Type: application/json' -d '{"name": "packer-1", "definitions": ["order"]}'`} />
                </>
            )}
            <h2 class="section">{n.locks}</h2>
            {value?.locks.length ? <SimpleTable label={n.locks} columns={n.lockColumns} rows={value.locks.map(lockRow)} /> : <p class="faint">{n.noLocks}</p>}
            <Stranded />
        </>
    );
}
