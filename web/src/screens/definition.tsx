// One definition: its diagram with the tokens of open workflows, its source, schema and versions.
import { useMemo, useState } from "preact/hooks";
import { api } from "../model/api";
import { useLoad } from "../model/load";
import { elementNames } from "../model/bpmn";
import { timelineOf, type Bar } from "../model/timeline";
import { place, setSearch, to } from "../model/router";
import { may } from "../model/session";
import { duration } from "../model/time";
import { isOpen, type Definition, type HistoryRow, type Workflow } from "../model/types";
import { t } from "../texts";
import { Button, CopyButton, ProblemText, Segmented, Tabs, Tag, When } from "../ui/basics";
import { BpmnDiagram } from "../ui/bpmn_diagram";
import { ActionDialog, say, sayProblem } from "../ui/dialog";
import { JsonView } from "../ui/json_view";
import { SimpleTable } from "../ui/simple_table";
import { startOpen } from "./start_dialog";

const d = t.definitions;
const looked = 40;

interface Visited {
    times: number;
    spent: number; // milliseconds
}

interface Found {
    tokens: Map<string, number>;
    visits: Map<string, Visited>;
    open: number;
    all: number;
    moreOpen: boolean;
    more: boolean;
}

type Histories = Map<string, HistoryRow[]>;

// The history of a workflow that has ended is read once.
async function historyOf(one: Workflow, ended: Histories): Promise<HistoryRow[]> {
    const known = ended.get(one.id);
    if (known) return known;
    const rows = (await api.history(one.id, 1).catch(() => null))?.items ?? [];
    if (one.completedAt) ended.set(one.id, rows);
    return rows;
}

// What the histories of workflows of a version say: where the tokens of the newest open ones are, and where they and the
// newest of all were for how long.
async function look(key: string, version: number, ended: Histories): Promise<Found> {
    const [open, newest] = await Promise.all([api.workflows({ definition: key, status: "open", limit: looked }), api.workflows({ definition: key, limit: looked })]);
    const all = new Map([...open.items, ...newest.items].filter((one) => one.definitionVersion === version).map((one) => [one.id, one]));
    const histories = await Promise.all([...all.values()].map((one) => historyOf(one, ended)));
    const found: Found = { tokens: new Map(), visits: new Map(), open: [...all.values()].filter((one) => isOpen(one.status)).length, all: all.size, moreOpen: open.nextCursor !== null, more: newest.nextCursor !== null };
    [...all.values()].forEach((one, i) => {
        for (const lane of timelineOf(histories[i]!, one.completedAt, (id) => id).lanes)
            for (const bar of lane.bars) if (bar.kind === "element") addVisit(found, bar);
    });
    return found;
}

function addVisit(found: Found, bar: Bar) {
    if (bar.to === null) found.tokens.set(bar.label, (found.tokens.get(bar.label) ?? 0) + 1);
    const visited = found.visits.get(bar.label) ?? { times: 0, spent: 0 };
    found.visits.set(bar.label, { times: visited.times + 1, spent: visited.spent + ((bar.to ?? Date.now()) - bar.from) });
}

const ways = { tokens: d.heatTokens, visits: d.heatVisits, time: d.heatTime };
type Way = keyof typeof ways;

// Each element beside the one that has most.
function heatOf(found: Found, way: Way): Map<string, number> {
    const amounts = new Map([...found.visits].map(([id, one]) => [id, way === "tokens" ? (found.tokens.get(id) ?? 0) : way === "visits" ? one.times : one.spent / one.times]));
    const most = Math.max(...amounts.values(), 0);
    return new Map([...amounts].filter(([, amount]) => amount > 0).map(([id, amount]) => [id, amount / most]));
}

function Elements({ found, names }: { found: Found; names: Map<string, string> }) {
    const rows = [...found.visits].sort(([, a], [, b]) => b.spent / b.times - a.spent / a.times);
    return (
        <SimpleTable
            label={d.elements}
            columns={d.elementColumns}
            rows={rows.map(([id, one]) => ({ key: id, cells: [names.get(id) || id, found.tokens.get(id) ?? 0, one.times, duration(one.spent / one.times)] }))}
        />
    );
}

function Diagram({ definition }: { definition: Definition }) {
    const ended = useMemo<Histories>(() => new Map(), [definition.key, definition.version]);
    const loaded = useLoad(() => look(definition.key, definition.version, ended), [definition.key, definition.version], (change) => change.definition === definition.key, 1000);
    const [way, setWay] = useState<Way>("tokens");
    const found = loaded.value;
    const names = useMemo(() => elementNames(definition.source), [definition.source]);
    const none = useMemo(() => new Map<string, number>(), []);
    const heat = useMemo(() => (found && way !== "tokens" ? heatOf(found, way) : none), [found, way]);
    return (
        <>
            <div class="diagram-head">
                <p class="hint">{found && (way === "tokens" ? d.heatHint(found.open, found.moreOpen) : d.visitsHint(found.all, found.more))}</p>
                <Segmented label={d.heat} value={way} options={Object.entries(ways) as [Way, string][]} onPick={setWay} />
            </div>
            <BpmnDiagram source={definition.source!} process={definition.key} tokens={way === "tokens" ? (found?.tokens ?? none) : none} heat={heat} />
            {found && found.visits.size > 0 && <Elements found={found} names={names} />}
        </>
    );
}

function Facts({ definition }: { definition: Definition }) {
    return (
        <div class="two-cards">
            <section class="card" aria-label={d.indexes}>
                <h2>{d.indexes}</h2>
                {definition.indexes.length === 0 && <p class="faint pad">{d.noIndexes}</p>}
                <ul class="plain-list">
                    {definition.indexes.map((index) => (
                        <li key={index.path}>
                            <code>{index.path}</code> <Tag tone={index.ready ? "good" : "info"}>{index.ready ? d.ready : d.building}</Tag>
                        </li>
                    ))}
                </ul>
            </section>
            <section class="card" aria-label={d.retention}>
                <h2>{d.retention}</h2>
                <ul class="plain-list">
                    {definition.keepForMicroseconds !== undefined && <li>{d.keepFor(duration(definition.keepForMicroseconds / 1000))}</li>}
                    {definition.staleAfterMicroseconds !== undefined && <li>{d.staleAfter(duration(definition.staleAfterMicroseconds / 1000))}</li>}
                    {definition.limits && (
                        <li>
                            {d.limits}: {t.sentence.limits(definition.limits)}
                        </li>
                    )}
                    {definition.keepForMicroseconds === undefined && definition.staleAfterMicroseconds === undefined && <li class="faint">{t.settings.forever}</li>}
                </ul>
                <dl class="facts small">
                    <div>
                        <dt>{d.checksum}</dt>
                        <dd>
                            <code>{definition.checksum.slice(0, 16)}…</code>
                        </dd>
                    </div>
                    <div>
                        <dt>{d.columns.created}</dt>
                        <dd>
                            <When at={definition.createdAt} form="both" />
                        </dd>
                    </div>
                </dl>
            </section>
        </div>
    );
}

function Versions({ name }: { name: string }) {
    const { value, problem, again } = useLoad(() => api.versions(name), [name], (change) => change.definition === name);
    if (problem !== null) return <ProblemText problem={problem} again={again} />;
    return (
        <SimpleTable
            label={d.versions}
            columns={[d.columns.version, d.columns.kind, d.columns.created, d.state]}
            rows={(value?.items ?? []).map((one) => ({
                key: String(one.version),
                cells: [
                    <a href={`${to.definition(name)}?version=${one.version}`}>{one.version}</a>,
                    d.kind[one.kind ?? "outside"] ?? one.kind,
                    <When at={one.createdAt} form="both" />,
                    one.disabled ? <Tag tone="warn">{d.disabled}</Tag> : d.startable,
                ],
            }))}
        />
    );
}

// Whether it may be started; who disables it is asked first.
function Switch({ definition, again }: { definition: Definition; again: () => void }) {
    const [asking, setAsking] = useState(false);
    if (!may("operate")) return null;
    if (definition.disabled)
        return (
            <Button onClick={() => api.switchDefinition(definition.key, "enable").then(() => (say(t.done.enabled), again()), sayProblem)}>
                {t.verbs.enable}
            </Button>
        );
    return (
        <>
            <Button kind="danger" onClick={() => setAsking(true)}>
                {t.verbs.disable}
            </Button>
            {asking && (
                <ActionDialog
                    title={`${t.verbs.disable}: ${definition.key}`}
                    text={t.confirm.disable}
                    verb={t.verbs.disable}
                    danger
                    onClose={() => setAsking(false)}
                    run={async () => {
                        await api.switchDefinition(definition.key, "disable");
                        say(t.done.disabled);
                        again();
                    }}
                />
            )}
        </>
    );
}

function Panel({ tab, definition }: { tab: string; definition: Definition }) {
    if (tab === "diagram" && definition.source) return <Diagram definition={definition} />;
    if (tab === "source" && definition.source)
        return (
            <section class="card raw" aria-label={d.source}>
                <CopyButton text={definition.source} />
                <pre class="source" tabIndex={0}>
                    {definition.source}
                </pre>
            </section>
        );
    if (tab === "schema")
        return (
            <section class="card" aria-label={d.schema}>
                {definition.schema === null ? <p class="faint pad">{d.noSchema}</p> : <JsonView value={definition.schema} label={d.schema} />}
            </section>
        );
    if (tab === "versions") return <Versions name={definition.key} />;
    return <Facts definition={definition} />;
}

export function DefinitionScreen({ name }: { name: string }) {
    const asked = Number(place.value.search.get("version")) || undefined;
    const newest = useLoad(() => api.definition(name), [name]);
    const { value, problem, again } = useLoad(() => api.definition(name, asked), [name, asked]);
    if (!value) return problem ? <ProblemText problem={problem} again={again} /> : null;
    const isProcess = value.kind === "bpmn" && value.source !== undefined;
    const tab = place.value.search.get("tab") ?? (isProcess ? "diagram" : "schema");
    const tabs = [
        ...(isProcess ? [{ id: "diagram", label: d.diagram }] : []),
        ...(value.source ? [{ id: "source", label: d.source }] : []),
        { id: "schema", label: d.schema },
        { id: "facts", label: d.indexes },
        { id: "versions", label: d.versions },
    ];
    const versions = Array.from({ length: newest.value?.version ?? value.version }, (_, i) => i + 1).reverse();
    return (
        <>
            <header class="wf-head">
                <div class="crumbs">
                    <a href="/definitions">{d.title}</a>
                </div>
                <div class="wf-title">
                    <h1>{name}</h1>
                    <Tag>{d.kind[value.kind ?? "outside"] ?? value.kind}</Tag>
                    {value.disabled && <Tag tone="warn">{d.disabled}</Tag>}
                    <select aria-label={d.versions} value={String(value.version)} onChange={(event) => setSearch({ version: event.currentTarget.value })}>
                        {versions.slice(0, 200).map((version, i) => (
                            <option key={version} value={String(version)}>
                                {`${t.workflow.version} ${version}${i === 0 ? ` · ${d.newest}` : ""}`}
                            </option>
                        ))}
                    </select>
                    <span class="grow" />
                    <div class="head-actions">
                        <a class="button plain" href={`/workflows?definition=${encodeURIComponent(name)}`}>
                            <span>{d.workflows}</span>
                        </a>
                        <Switch definition={value} again={again} />
                        {may("operate") && (
                            <Button kind="primary" icon="play" disabled={value.disabled} onClick={() => (startOpen.value = { key: name })}>
                                {t.verbs.start}
                            </Button>
                        )}
                    </div>
                </div>
            </header>
            <Tabs items={tabs} active={tab} onPick={(id) => setSearch({ tab: id })} label={name} />
            <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
                <Panel tab={tab} definition={value} />
            </div>
        </>
    );
}
