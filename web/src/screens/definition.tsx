// One definition: its diagram with the tokens of open workflows, its source, schema and versions.
import { useMemo } from "preact/hooks";
import { api } from "../model/api";
import { useLoad } from "../model/load";
import { activeElements } from "../model/timeline";
import { place, setSearch } from "../model/router";
import { duration } from "../model/time";
import type { Definition } from "../model/types";
import { t } from "../texts";
import { Button, CopyButton, ProblemText, Tabs, Tag, When } from "../ui/basics";
import { BpmnDiagram } from "../ui/bpmn_diagram";
import { JsonView } from "../ui/json_view";
import { startOpen } from "./start_dialog";

const d = t.definitions;
const looked = 40;

// Where the tokens of the newest open workflows are.
async function heat(key: string, version: number) {
    const page = await api.workflows({ definition: key, status: "open", limit: looked });
    const same = page.items.filter((one) => one.definitionVersion === version);
    const rows = await Promise.all(same.map((one) => api.history(one.id, Math.max(1, one.version - 20)).catch(() => null)));
    const tokens = new Map<string, number>();
    for (const history of rows) {
        const last = history?.items.map(activeElements).filter((active) => active !== undefined).at(-1);
        for (const element of last ?? []) tokens.set(element, (tokens.get(element) ?? 0) + 1);
    }
    return { tokens, looked: same.length, more: page.nextCursor !== null };
}

function Diagram({ definition }: { definition: Definition }) {
    const found = useLoad(() => heat(definition.key, definition.version), [definition.key, definition.version], (change) => change.definition === definition.key);
    const none = useMemo(() => new Map<string, number>(), []);
    return (
        <>
            <p class="hint">{found.value && d.heatHint(found.value.looked, found.value.more)}</p>
            <BpmnDiagram source={definition.source!} process={definition.key} tokens={found.value?.tokens ?? none} />
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
                        <Button kind="primary" icon="play" onClick={() => (startOpen.value = { key: name })}>
                            {t.verbs.start}
                        </Button>
                    </div>
                </div>
            </header>
            <Tabs items={tabs} active={tab} onPick={(to) => setSearch({ tab: to })} label={name} />
            <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
                <Panel tab={tab} definition={value} />
            </div>
        </>
    );
}
