// Every workflow, found as one types.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { signal } from "@preact/signals";
import { api } from "../model/api";
import { onChanges, reconnections, type Change } from "../model/live";
import { useLoad } from "../model/load";
import { go, place, setSearch, to } from "../model/router";
import { may, scope } from "../model/session";
import { fits, readSearch, type Search } from "../model/search";
import type { Task, Workflow } from "../model/types";
import { t } from "../texts";
import { Button, Command, Empty, Head, ProblemText, StatusMark, When, cx, shortId, statusOf } from "../ui/basics";
import { Dialog } from "../ui/dialog";
import { Icon } from "../ui/icons";
import { Sentence } from "../ui/sentence";
import { VirtualRows } from "../ui/virtual_rows";
import { BulkDialog, type BulkVerb } from "./bulk_dialog";
import { BulkQueryDialog } from "./bulk_query_dialog";
import { StartButton } from "./start_dialog";

const w = t.workflows;
// A first page that is there at once, then larger ones.
const firstPage = 200;
const nextPages = 500;

const ages: Record<string, number> = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 };

function filterOf(search: Search, params: URLSearchParams): Record<string, string> {
    const filter = { ...search.filter };
    const status = params.get("status");
    if (status && !filter["status"]) filter["status"] = status;
    const definition = params.get("definition");
    if (definition && !filter["definition"]) filter["definition"] = definition;
    const age = ages[params.get("created") ?? ""];
    if (age) filter["createdFrom"] = new Date(Math.floor((Date.now() - age) / 60_000) * 60_000).toISOString();
    return filter;
}

interface Found {
    rows: Workflow[];
    next: string | null | undefined; // undefined: not yet asked
    scanned: boolean;
    problem: unknown;
    more: () => void;
    refresh: () => void;
}

// The pages of a search, in one list; what changes is read again while it is on the screen.
function useFound(filter: Record<string, string>, words: string[]): Found {
    const key = JSON.stringify([filter, scope.value]);
    const [rows, setRows] = useState<Workflow[]>([]);
    const [next, setNext] = useState<string | null | undefined>(undefined);
    const [scanned, setScanned] = useState(false);
    const [problem, setProblem] = useState<unknown>(null);
    const busy = useRef(false);
    const wanted = useRef(false); // something changed while the first page was read
    const state = useRef({ rows, next });
    state.current = { rows, next };
    // What an earlier search is answered late belongs to no list any more.
    const asked = useRef(key);
    asked.current = key;
    const load = async (cursor?: string) => {
        if (asked.current !== key) return;
        if (busy.current) {
            wanted.current ||= !cursor;
            return;
        }
        busy.current = true;
        try {
            const page = await api.workflows({ ...filter, limit: cursor ? nextPages : firstPage, cursor });
            if (asked.current !== key) return;
            setRows((before) => (cursor ? [...before, ...page.items] : merge(page.items, before)));
            setNext(page.nextCursor);
            setScanned(page.scanned === true);
            setProblem(null);
        } catch (error) {
            if (asked.current !== key) return;
            setProblem(error);
        }
        busy.current = false;
        if (!wanted.current) return;
        wanted.current = false;
        await load();
    };
    useEffect(() => {
        setRows([]);
        setNext(undefined);
        busy.current = false;
        wanted.current = false;
        load();
        const known = reconnections.peek();
        return reconnections.subscribe((count) => count !== known && load());
    }, [key]);
    useEffect(() => watch(filter, setRows, () => load()), [key]);
    useExact(words, setRows);
    return { rows, next, scanned, problem, more: () => state.current.next && load(state.current.next), refresh: () => load() };
}

// A fresh first page on top of what was loaded before.
function merge(fresh: Workflow[], before: Workflow[]): Workflow[] {
    const known = new Set(fresh.map((one) => one.id));
    const last = fresh[fresh.length - 1];
    if (!last || before.length <= fresh.length) return fresh.length >= before.length ? fresh : [...fresh, ...before.filter((one) => !known.has(one.id))];
    return [...fresh, ...before.filter((one) => !known.has(one.id) && one.createdAt <= last.createdAt)];
}

// One word may be a whole business key that is not loaded yet: the index finds it.
function useExact(words: string[], setRows: (change: (before: Workflow[]) => Workflow[]) => void) {
    const text = words.join(" ");
    useEffect(() => {
        if (!text) return;
        const abort = new AbortController();
        const timer = setTimeout(async () => {
            try {
                const isId = /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text);
                const items = isId ? [await api.workflow(text)] : (await api.workflows({ businessKey: text, limit: 50 }, abort.signal)).items;
                setRows((before) => [...before, ...items.filter((one) => !before.some((known) => known.id === one.id))]);
            } catch {
                // Nothing has this key; what is loaded is still filtered.
            }
        }, 150);
        return () => {
            clearTimeout(timer);
            abort.abort();
        };
    }, [text]);
}

const onScreen = () => new Set([...document.querySelectorAll<HTMLElement>(".rows .row[data-key]")].map((row) => row.dataset["key"]!));

// What the records say is shown at once; the rest of a row is read if it is on the screen.
function withChanges(rows: Workflow[], changes: Change[]): Workflow[] {
    const latest = new Map(changes.filter((one) => one.status).map((one) => [one.workflow, one]));
    if (!rows.some((row) => latest.has(row.id))) return rows;
    return rows.map((row) => {
        const change = latest.get(row.id);
        if (!change || change.version === undefined || change.version <= row.version) return row;
        return { ...row, status: change.status!, version: change.version, updatedAt: change.at };
    });
}

function watch(
    filter: Record<string, string>,
    setRows: (change: (before: Workflow[]) => Workflow[]) => void,
    reload: () => void
): () => void {
    const wanted = new Set<string>();
    let timer: number | undefined;
    let renew = false;
    const run = async () => {
        const seen = onScreen();
        const ids = [...wanted].filter((id) => seen.has(id)).slice(0, 60);
        wanted.clear();
        if (renew) reload();
        renew = false;
        const fresh = await Promise.all(ids.map((id) => api.workflow(id).catch(() => null)));
        const changed = new Map(fresh.filter((one) => one !== null).map((one) => [one.id, one]));
        if (changed.size) setRows((before) => before.map((one) => changed.get(one.id) ?? one));
        timer = undefined;
        if (wanted.size || renew) timer = window.setTimeout(run, 400);
    };
    return onChanges((changes: Change[]) => {
        setRows((before) => withChanges(before, changes));
        for (const change of changes) {
            if (filter["definition"] && change.definition && change.definition !== filter["definition"]) continue;
            wanted.add(change.workflow);
            if (change.type === "Started" || change.type === "Forked" || change.type === "Cleared" || filter["status"]) renew = true;
        }
        if (timer === undefined && (wanted.size || renew)) timer = window.setTimeout(run, 50);
    });
}

interface View {
    name: string;
    query: string;
}

const views = signal<View[]>(readViews());

function readViews(): View[] {
    try {
        const found: unknown = JSON.parse(localStorage.getItem("views") ?? "[]");
        return Array.isArray(found) ? found.filter((one) => typeof one?.name === "string" && typeof one?.query === "string") : [];
    } catch {
        return [];
    }
}

function keepViews(all: View[]) {
    views.value = all;
    try {
        localStorage.setItem("views", JSON.stringify(all));
    } catch {
        // Kept for this visit only.
    }
}

function SaveView({ onClose }: { onClose: () => void }) {
    const [name, setName] = useState("");
    return (
        <Dialog title={w.saveView} onClose={onClose} size="small">
            <form
                class="dialog-body"
                onSubmit={(event) => {
                    event.preventDefault();
                    if (name.trim()) keepViews([...views.value.filter((view) => view.name !== name.trim()), { name: name.trim(), query: location.search }]);
                    onClose();
                }}
            >
                <label class="field">
                    <span class="field-label">{w.viewName}</span>
                    <input data-first value={name} onInput={(event) => setName(event.currentTarget.value)} />
                </label>
                <footer class="dialog-foot">
                    <Button type="submit" kind="primary">
                        {w.saveView}
                    </Button>
                </footer>
            </form>
        </Dialog>
    );
}

function Views() {
    const here = location.search;
    const [saving, setSaving] = useState(false);
    return (
        <div class="views">
            {views.value.map((view) => (
                <span key={view.name} class={cx("view", view.query === here && "here")}>
                    <a href={"/workflows" + view.query} aria-current={view.query === here ? "true" : undefined}>
                        <Icon name="star" /> {view.name}
                    </a>
                    <Button kind="quiet" icon="cross" label={`${w.removeView}: ${view.name}`} onClick={() => keepViews(views.value.filter((one) => one !== view))} />
                </span>
            ))}
            {here && !views.value.some((view) => view.query === here) && (
                <Button kind="quiet" icon="star" onClick={() => setSaving(true)}>
                    {w.saveView}
                </Button>
            )}
            {saving && <SaveView onClose={() => setSaving(false)} />}
        </div>
    );
}

const statusOptions: [string, string][] = [
    ["", t.all],
    ["open", w.open],
    ["running", t.status["running"]!],
    ["suspended", t.status["suspended"]!],
    ["failed", t.status["failed"]!],
    ["succeeded", t.status["succeeded"]!],
    ["cancelled", t.status["cancelled"]!],
];

function Filters() {
    const params = place.value.search;
    const definitions = useLoad(() => api.definitions(), []);
    const text = params.get("q") ?? "";
    return (
        <div class="filters">
            <div class="search">
                <Icon name="search" />
                <input
                    data-search
                    type="search"
                    value={text}
                    placeholder={w.search}
                    aria-label={w.search}
                    spellcheck={false}
                    onInput={(event) => setSearch({ q: event.currentTarget.value })}
                    onKeyDown={(event) => {
                        if (event.key === "Escape") text ? setSearch({ q: null }) : event.currentTarget.blur();
                        if (event.key === "ArrowDown" || event.key === "Enter") document.querySelector<HTMLElement>(".rows-box")?.focus();
                    }}
                />
                <kbd>/</kbd>
            </div>
            <div class="chips" role="group" aria-label={w.filters.status}>
                {statusOptions.map(([id, label]) => (
                    <button key={id} type="button" class="chip" aria-pressed={(params.get("status") ?? "") === id} onClick={() => setSearch({ status: id || null })}>
                        {id && id !== "open" && <StatusMark status={id} text={false} />} {label}
                    </button>
                ))}
            </div>
            <select aria-label={w.filters.definition} value={params.get("definition") ?? ""} onChange={(event) => setSearch({ definition: event.currentTarget.value })}>
                <option value="">
                    {w.filters.definition}: {t.all}
                </option>
                {definitions.value?.items.map((one) => (
                    <option key={one.key} value={one.key}>
                        {one.key}
                    </option>
                ))}
            </select>
            <select aria-label={w.filters.created} value={params.get("created") ?? ""} onChange={(event) => setSearch({ created: event.currentTarget.value })}>
                <option value="">
                    {w.filters.created}: {w.created.any}
                </option>
                <option value="hour">{w.created.hour}</option>
                <option value="day">{w.created.day}</option>
                <option value="week">{w.created.week}</option>
            </select>
        </div>
    );
}

const columns = [
    { id: "select", label: "", class: "c-select" },
    { id: "status", label: w.columns.status },
    { id: "workflow", label: w.columns.workflow },
    { id: "definition", label: w.columns.definition, class: "c-definition" },
    { id: "what", label: w.columns.waitsFor, class: "c-what" },
    { id: "updated", label: w.columns.updated, class: "c-updated" },
    { id: "version", label: w.columns.version, class: "c-version" },
];

function Cells({ row, tasks, selected, onSelect }: { row: Workflow; tasks: Map<string, Task>; selected: boolean; onSelect: (to: boolean) => void }) {
    return (
        <>
            <span role="cell" class="c-select">
                {may("operate") && <input type="checkbox" aria-label={row.businessReference.key ?? row.id} checked={selected} onChange={(event) => onSelect(event.currentTarget.checked)} />}
            </span>
            <span role="cell">
                <StatusMark status={statusOf(row)} />
            </span>
            <span role="cell" class="c-name">
                <a href={to.workflow(row.id)}>{row.businessReference.key ?? shortId(row.id)}</a>
                {Object.entries(row.businessReference.parts).map(([name, value]) => (
                    <span key={name} class="part" title={name}>
                        {value}
                    </span>
                ))}
            </span>
            <span role="cell" class="c-definition">
                {row.definition}
            </span>
            <span role="cell" class="c-what">
                <Sentence workflow={row} tasks={tasks} short />
            </span>
            <span role="cell" class="c-updated">
                <When at={row.updatedAt} />
            </span>
            <span role="cell" class="c-version">
                {row.version}
            </span>
        </>
    );
}

function useSelection(rows: Workflow[]) {
    const [ids, setIds] = useState<Set<string>>(new Set());
    const change = (id: string, to: boolean) =>
        setIds((before) => {
            const after = new Set(before);
            if (to) after.add(id);
            else after.delete(id);
            return after;
        });
    return { ids, change, clear: () => setIds(new Set()), all: () => setIds(new Set(rows.map((row) => row.id))), rows: rows.filter((row) => ids.has(row.id)) };
}

// Words and marks filter what is loaded; the server knows only the filters of the list.
const canActOnAll = (search: Search, filter: Record<string, string>) =>
    Object.keys(filter).length > 0 && search.words.length === 0 && !search.incident && !search.paused;

export function Workflows() {
    const params = place.value.search;
    const text = params.get("q") ?? "";
    const search = useMemo(() => readSearch(text), [text]);
    const filter = filterOf(search, params);
    const found = useFound(filter, search.words);
    const rows = useMemo(() => found.rows.filter((row) => fits(search, row)), [found.rows, search]);
    const selection = useSelection(rows);
    const open = useLoad(() => api.tasks({ state: "open", limit: 500 }), [scope.value], (change) => change.kind === "task" || /Task/.test(change.type));
    const tasks = useMemo(() => new Map(open.value?.items.map((task) => [task.id, task])), [open.value]);
    const [bulk, setBulk] = useState<BulkVerb | null>(null);
    const [all, setAll] = useState(false);
    const filtered = text !== "" || [...params.keys()].length > 0;
    return (
        <div class="list-screen">
            <Head title={w.title} sub={found.next === undefined ? t.loading : w.count(rows.length, found.next !== null)}>
                <Views />
                {may("operateAll") && canActOnAll(search, filter) && <Button onClick={() => setAll(true)}>{w.all}</Button>}
                <StartButton definition={filter["definition"]} />
            </Head>
            <Filters />
            {found.problem !== null && <ProblemText problem={found.problem} again={found.refresh} />}
            {found.scanned && <p class="hint">{w.scanned}</p>}
            {may("operate") && selection.rows.length > 0 && (
                <div class="selection" role="toolbar" aria-label={w.selected(selection.rows.length)}>
                    <b>{w.selected(selection.rows.length)}</b>
                    {(["pause", "resume", "cancel", "redrive"] as BulkVerb[]).map((verb) => (
                        <Button key={verb} kind={verb === "cancel" ? "danger" : "plain"} onClick={() => setBulk(verb)}>
                            {t.verbs[verb]}
                        </Button>
                    ))}
                    <Button kind="quiet" onClick={selection.all}>
                        {w.selectAll}
                    </Button>
                    <Button kind="quiet" onClick={selection.clear}>
                        {w.clearSelection}
                    </Button>
                </div>
            )}
            {found.next !== undefined && rows.length === 0 && found.next === null ? (
                filtered ? (
                    <Empty icon="search" title={w.empty}>
                        <p>{w.emptyHint}</p>
                    </Empty>
                ) : (
                    <Empty title={w.none}>
                        <Command text="holdfast define order && holdfast start order --business-key order-1" />
                    </Empty>
                )
            ) : (
                <VirtualRows
                    rows={rows}
                    height={38}
                    label={w.title}
                    columns={columns}
                    template="var(--workflow-columns)"
                    rowKey={(row) => row.id}
                    cells={(row) => <Cells row={row} tasks={tasks} selected={selection.ids.has(row.id)} onSelect={(to) => selection.change(row.id, to)} />}
                    href={(row) => to.workflow(row.id)}
                    onOpen={(row) => go(to.workflow(row.id))}
                    onEnd={found.more}
                    selected={selection.ids}
                    onSelect={(row, to) => may("operate") && selection.change(row.id, to)}
                />
            )}
            {all && <BulkQueryDialog query={filter} onClose={() => setAll(false)} />}
            {bulk && <BulkDialog verb={bulk} workflows={selection.rows} onClose={() => (setBulk(null), selection.clear(), found.refresh())} />}
        </div>
    );
}
