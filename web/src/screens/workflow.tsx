// One workflow: what it does now, how it came there, and what can be done about it.
import { useCallback, useMemo, useState } from "preact/hooks";
import { api, Problem } from "../model/api";
import { isObject, printJson, type Json, type JsonObject } from "../model/json";
import type { Change } from "../model/live";
import { useLoad, type Loaded } from "../model/load";
import { may, scope } from "../model/session";
import { go, place, setSearch, to } from "../model/router";
import { duration, ms, now } from "../model/time";
import { isOpen, type Definition, type HistoryRow, type Task, type Workflow } from "../model/types";
import { t } from "../texts";
import { Button, CopyButton, Empty, ProblemText, StatusMark, Tabs, Tag, When, nameOf, shortId, statusOf } from "../ui/basics";
import { ActionDialog, Menu, MenuItem, say, sayProblem } from "../ui/dialog";
import { JsonLine, JsonView, visible } from "../ui/json_view";
import { Sentence } from "../ui/sentence";
import { elementNames } from "../model/bpmn";
import { TaskRow } from "./tasks";
import { EditDialog } from "./workflow/edit_dialog";
import { SendDialog } from "./workflow/send_dialog";
import { MigrateDialog } from "./workflow/migrate_dialog";
import { MoveDialog } from "./workflow/move_dialog";
import { FamilyTab } from "./workflow/family";
import { HistoryRows, HistoryTab } from "./workflow/history";
import { TimelineTab } from "./workflow/timeline";
import { VersionsTab } from "./workflow/versions";
import { CheckpointsCard } from "./workflow/checkpoints";
import { DiagramTab } from "./workflow/diagram";
import { startOpen } from "./start_dialog";

const v = t.workflow;
const most = 5000;
const limiter = "holdfast.limiter";

// The history grows at its end: only what is new is read.
function useHistory(id: string): { rows: HistoryRow[]; trimmed?: number } {
    const kept = useMemo(() => ({ rows: [] as HistoryRow[], trimmed: undefined as number | undefined }), [id]);
    const { value } = useLoad(
        async () => {
            for (let from: number | null = (kept.rows.at(-1)?.version ?? 0) + 1; from && kept.rows.length < most; ) {
                const page = await api.history(id, from);
                kept.rows = [...kept.rows, ...page.items];
                kept.trimmed = page.trimmed?.version ?? kept.trimmed;
                from = page.nextFrom;
            }
            return { ...kept };
        },
        [id],
        (change) => change.workflow === id
    );
    return value ?? kept;
}

// A credential for several definitions has to say which one.
function useTasks(id: string, definition: string | undefined): Task[] {
    const only = scope.value ? definition : undefined;
    const { value } = useLoad(() => api.tasks({ workflow: id, definition: only, limit: 200 }), [id, only], (change) => change.workflow === id);
    return value?.items ?? [];
}

type Asked = "edit" | "send" | "cancel" | "clear" | "checkpoint" | "migrate" | "move" | "cancelTimers" | null;

function Actions({ workflow, isProcess, ask }: { workflow: Workflow; isProcess: boolean; ask: (what: Asked) => void }) {
    const open = isOpen(workflow.status);
    const attempt = (work: () => Promise<unknown>, text: string) => () => work().then(() => say(text), sayProblem);
    if (!may("operate")) return null;
    return (
        <>
            {(workflow.incident || (open && workflow.program?.retry)) && (
                <Button kind="primary" icon="undo" onClick={attempt(() => api.tryAgain(workflow.id), t.done.retried)}>
                    {t.verbs.redrive}
                </Button>
            )}
            {workflow.quarantined && (
                <Button kind="primary" icon="shield" onClick={attempt(() => api.release(workflow.id), t.done.released)}>
                    {t.verbs.release}
                </Button>
            )}
            {open && (
                <Button icon="send" onClick={() => ask("send")}>
                    {t.verbs.send}
                </Button>
            )}
            {open && !workflow.quarantined && (
                <Button icon="edit" data-key-e onClick={() => ask("edit")}>
                    {t.verbs.edit}
                </Button>
            )}
            {open &&
                (workflow.paused ? (
                    <Button kind="primary" icon="play" onClick={attempt(() => api.resume(workflow.id, workflow.version), t.done.resumed)}>
                        {t.verbs.resume}
                    </Button>
                ) : (
                    <Button icon="pause" onClick={attempt(() => api.pause(workflow.id, workflow.version), t.done.paused)}>
                        {t.verbs.pause}
                    </Button>
                ))}
            <Menu label={t.more}>
                {(close) => (
                    <>
                        <MenuItem onPick={() => (close(), ask("checkpoint"))}>{t.verbs.checkpoint}</MenuItem>
                        {open && isProcess && <MenuItem onPick={() => (close(), ask("migrate"))}>{t.verbs.migrate}</MenuItem>}
                        {open && isProcess && <MenuItem onPick={() => (close(), ask("move"))}>{t.verbs.move}</MenuItem>}
                        {workflow.waits.some((wait) => wait.untilUtc) && <MenuItem onPick={() => (close(), ask("cancelTimers"))}>{t.verbs.cancelTimers}</MenuItem>}
                        <MenuItem onPick={() => (close(), (startOpen.value = { key: workflow.definition, state: workflow.state }))}>{t.verbs.startLike}</MenuItem>
                        {open && <MenuItem danger onPick={() => (close(), ask("cancel"))}>{t.verbs.cancel}</MenuItem>}
                        <MenuItem danger onPick={() => (close(), ask("clear"))}>{t.verbs.clear}</MenuItem>
                    </>
                )}
            </Menu>
        </>
    );
}

function Dialogs({ asked, workflow, base, source, tasks, close }: { asked: Asked; workflow: Workflow; base: Workflow; source: string; tasks: Task[]; close: () => void }) {
    const [text, setText] = useState("");
    const field = (label: string) => (
        <label class="field">
            <span class="field-label">{label}</span>
            <input data-first value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
    );
    switch (asked) {
        case "edit":
            return <EditDialog workflow={base} current={workflow} onClose={close} />;
        case "send":
            return <SendDialog workflow={workflow} onClose={close} />;
        case "migrate":
            return <MigrateDialog workflow={workflow} onClose={close} />;
        case "move":
            return <MoveDialog workflow={workflow} source={source} tasks={tasks} onClose={close} />;
        case "cancelTimers":
            return (
                <ActionDialog
                    title={t.verbs.cancelTimers}
                    text={t.confirm.cancelTimers}
                    verb={t.verbs.cancelTimers}
                    danger
                    onClose={close}
                    run={async () => say(t.done.timersCancelled((await api.cancelTimers(workflow.id)).value.cancelled))}
                />
            );
        case "cancel":
            return (
                <ActionDialog
                    title={`${t.verbs.cancel}: ${nameOf(workflow)}`}
                    text={t.confirm.cancel}
                    verb={t.verbs.cancel}
                    danger
                    onClose={close}
                    run={async () => say((await api.cancel(workflow.id, text)).value.unwinding ? t.done.unwinding : t.done.cancelled)}
                >
                    {field(t.confirm.reason)}
                </ActionDialog>
            );
        case "clear":
            return (
                <ActionDialog
                    title={`${t.verbs.clear}: ${nameOf(workflow)}`}
                    text={t.confirm.clear}
                    verb={t.verbs.clear}
                    danger
                    onClose={close}
                    run={async () => {
                        await api.clear(workflow.id, workflow.version);
                        say(t.done.cleared);
                        go("/workflows");
                    }}
                />
            );
        case "checkpoint":
            return (
                <ActionDialog
                    title={t.verbs.checkpoint}
                    verb={t.verbs.checkpoint}
                    onClose={close}
                    disabled={!text}
                    run={async () => {
                        await api.takeCheckpoint(workflow.id, text);
                        say(t.done.checkpoint);
                    }}
                >
                    {field(v.checkpoint)}
                </ActionDialog>
            );
        default:
            return null;
    }
}

function Facts({ workflow }: { workflow: Workflow }) {
    const end = workflow.completedAt ? ms(workflow.completedAt) : now.value;
    const rows: [string, preact.ComponentChildren][] = [
        [v.definition, <a href={to.definition(workflow.definition)}>{`${workflow.definition} · ${workflow.definitionVersion}`}</a>],
        [v.version, workflow.version],
        [v.started, <When at={workflow.createdAt} form="both" />],
        [workflow.completedAt ? v.took : v.age, duration(end - ms(workflow.createdAt))],
        [v.changed, <When at={workflow.updatedAt} />],
    ];
    if (workflow.run > 1) rows.push([v.run, workflow.run]);
    if (workflow.index > 0) rows.push([v.index, workflow.index]);
    if (workflow.lastExecutedBy) rows.push([v.node, workflow.lastExecutedBy]);
    if (workflow.startedBy) rows.push([v.startedBy, shortId(workflow.startedBy)]);
    if (workflow.parent) rows.push([v.parent, <a href={to.workflow(workflow.parent)}>{shortId(workflow.parent)}</a>]);
    if (workflow.lastCheckpoint) rows.push([v.checkpoint, `${workflow.lastCheckpoint.name} · ${workflow.lastCheckpoint.version}`]);
    return (
        <dl class="facts">
            {rows.map(([name, value]) => (
                <div key={name}>
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                </div>
            ))}
        </dl>
    );
}

// The details of the incidents that are not settled.
function openIncidents(rows: HistoryRow[]): string[] {
    const settled = rows.findLastIndex((row) => row.type === "IncidentSettled");
    const raised = rows.slice(settled + 1).filter((row) => row.type === "IncidentRaised" && isObject(row.payload));
    return [...new Set(raised.map((row) => String((row.payload as JsonObject)["detail"] ?? "")).filter(Boolean))];
}

function Trouble({ workflow, rows }: { workflow: Workflow; rows: HistoryRow[] }) {
    const incidents = workflow.incident ? openIncidents(rows) : [];
    const retry = workflow.program?.retry;
    const letters = useLoad(() => (workflow.incident && may("readAll") ? api.deadLetters({ workflow: workflow.id, limit: 10 }) : Promise.resolve(null)), [workflow.incident, workflow.version]);
    if (!retry && incidents.length === 0 && !letters.value?.items.length && !(workflow.status === "failed" && workflow.result)) return null;
    return (
        <div class="trouble">
            {incidents.map((detail) => (
                <p key={detail}>{visible(detail)}</p>
            ))}
            {workflow.status === "failed" && <JsonView value={workflow.result} label={v.error} />}
            {retry && (
                <>
                    <b>{v.attempts(retry.attempts.length)}</b>
                    <ol>
                        {retry.attempts.slice(-5).map((attempt, i) => (
                            <li key={i}>
                                <JsonLine value={attempt.error} length={200} /> <When at={attempt.at} />
                            </li>
                        ))}
                    </ol>
                </>
            )}
            {letters.value?.items.map((letter) => (
                <p key={letter.id}>
                    <b>{t.deadLetters.reasons[letter.reason] ?? letter.reason}</b>: {letter.detail}
                </p>
            ))}
        </div>
    );
}

function Events({ workflow }: { workflow: Workflow }) {
    const { value } = useLoad(() => api.pendingEvents({ target: workflow.id, limit: 100 }), [workflow.id], (change) => change.workflow === workflow.id);
    if (value && value.items.length === 0)
        return (
            <Empty icon="events" title={v.noEvents}>
                <code>POST /api/v1/workflows/{workflow.id}/events/NAME</code>
            </Empty>
        );
    return (
        <ul class="plain-list">
            {value?.items.map((event) => (
                <li key={event.id}>
                    <b>{event.name}</b> <JsonLine value={event.value} /> <When at={event.acceptedAt} />
                </li>
            ))}
        </ul>
    );
}

function Gone({ id, problem, again }: { id: string; problem: unknown; again: () => void }) {
    const missing = problem instanceof Problem && problem.status === 404;
    const history = useLoad(() => (missing ? api.history(id, 1).catch(() => null) : Promise.resolve(null)), [id, missing]);
    if (!missing) return <ProblemText problem={problem} again={again} />;
    return (
        <Empty icon="search" title={v.notFound}>
            <p>
                <a href="/workflows">{v.notFoundNext}</a>
            </p>
            {history.value && (
                <>
                    <p>{v.notFoundHint}</p>
                    <HistoryTab rows={history.value.items} />
                </>
            )}
        </Empty>
    );
}

// What one looks for next, without a click: the state and the latest changes.
function Below({ workflow, rows }: { workflow: Workflow; rows: HistoryRow[] }) {
    return (
        <div class="two-cards">
            <section class="card" aria-label={v.tabs.state}>
                <h2>{v.tabs.state}</h2>
                <JsonView value={workflow.state} label={v.tabs.state} />
            </section>
            <section class="card" aria-label={v.latest}>
                <h2>{v.latest}</h2>
                <HistoryRows rows={rows.slice(-8).reverse()} />
            </section>
        </div>
    );
}

function Panel({ tab, workflow, rows, tasks, definition }: { tab: string; workflow: Workflow; rows: HistoryRow[]; tasks: Task[]; definition: Definition | undefined }) {
    const names = useMemo(() => elementNames(definition?.source), [definition?.source]);
    const nameOfElement = useCallback((id: string) => names.get(id) || id, [names]);
    switch (tab) {
        case "diagram":
            return (
                <>
                    {definition?.source && <DiagramTab source={definition.source} rows={rows} process={workflow.definition} />}
                    <Below workflow={workflow} rows={rows} />
                </>
            );
        case "state":
            return (
                <div class="two-cards">
                    <section class="card" aria-label={v.tabs.state}>
                        <JsonView value={workflow.state} label={v.tabs.state} />
                    </section>
                    {workflow.stateMetadata && Object.keys(workflow.stateMetadata).length > 0 && (
                        <section class="card" aria-label={v.metadata}>
                            <h2>{v.metadata}</h2>
                            <JsonView value={workflow.stateMetadata} />
                        </section>
                    )}
                    <CheckpointsCard workflow={workflow} />
                </div>
            );
        case "versions":
            return <VersionsTab rows={rows} />;
        case "history":
            return <HistoryTab rows={rows} />;
        case "events":
            return <Events workflow={workflow} />;
        case "tasks":
            return tasks.length ? (
                <ul class="plain-list">
                    {tasks.map((task) => (
                        <li key={task.id}>
                            <TaskRow task={task} />
                        </li>
                    ))}
                </ul>
            ) : (
                <Empty icon="tasks" title={v.noTasks} />
            );
        case "children":
            return <FamilyTab key={workflow.id} workflow={workflow} />;
        case "raw":
            return (
                <section class="card raw" aria-label={v.tabs.raw}>
                    <CopyButton text={printJson(workflow as unknown as Json)} />
                    <JsonView value={workflow as unknown as Json} />
                </section>
            );
        default:
            return (
                <>
                    <TimelineTab workflow={workflow} rows={rows} nameOf={nameOfElement} />
                    <Below workflow={workflow} rows={rows} />
                </>
            );
    }
}

export function WorkflowScreen({ id }: { id: string }) {
    // Its place in a queue moves when others do.
    const movesIt = (change: Change) => change.workflow === id || (!!loaded.value?.why?.turn && (change.definition === limiter || change.definition === loaded.value.definition));
    const loaded: Loaded<Workflow> = useLoad(() => api.workflowAndWhy(id), [id], movesIt);
    const history = useHistory(id);
    const tasks = useTasks(id, loaded.value?.definition);
    const [asked, setAsked] = useState<Asked>(null);
    const [base, setBase] = useState<Workflow | null>(null);
    const workflow = loaded.value;
    const definition = useLoad(
        () => (workflow ? api.definition(workflow.definition, workflow.definitionVersion).catch(() => undefined) : Promise.resolve(undefined)),
        [workflow?.definition, workflow?.definitionVersion]
    ).value;
    if (!workflow || (loaded.problem instanceof Problem && loaded.problem.status === 404)) return loaded.problem ? <Gone id={id} problem={loaded.problem} again={loaded.again} /> : null;
    const isProcess = definition?.kind === "bpmn";
    const tab = place.value.search.get("tab") ?? (isProcess ? "diagram" : "timeline");
    const tabs = [
        ...(isProcess ? [{ id: "diagram", label: v.tabs.diagram }] : []),
        { id: "timeline", label: v.tabs.timeline },
        { id: "state", label: v.tabs.state },
        { id: "versions", label: v.tabs.versions },
        { id: "history", label: v.tabs.history, count: history.rows.length },
        { id: "tasks", label: v.tabs.tasks, count: tasks.length },
        ...(may("readAll") ? [{ id: "events", label: v.tabs.events }] : []),
        { id: "children", label: v.tabs.children },
        { id: "raw", label: v.tabs.raw },
    ];
    const byId = new Map(tasks.map((task) => [task.id, task]));
    return (
        <>
            <header class="wf-head">
                <div class="crumbs">
                    <a href="/workflows">{t.workflows.title}</a> <span aria-hidden="true">/</span> <a href={`/workflows?definition=${encodeURIComponent(workflow.definition)}`}>{workflow.definition}</a>
                </div>
                <div class="wf-title">
                    <h1>{nameOf(workflow)}</h1>
                    <StatusMark status={statusOf(workflow)} />
                    {Object.entries(workflow.businessReference.parts).map(([name, value]) => (
                        <Tag key={name}>
                            {name}: {value}
                        </Tag>
                    ))}
                    <span class="wf-id">
                        <code>{id}</code>
                        <CopyButton text={id} />
                    </span>
                    <span class="grow" />
                    <div class="head-actions">
                        <Actions workflow={workflow} isProcess={isProcess} ask={(what) => (setBase(workflow), setAsked(what))} />
                    </div>
                </div>
            </header>
            <section class={`now n-${statusOf(workflow)}`} aria-label={v.now}>
                <div class="now-text" role="status">
                    <Sentence workflow={workflow} tasks={byId} />
                </div>
                <Trouble workflow={workflow} rows={history.rows} />
                <Facts workflow={workflow} />
            </section>
            {loaded.problem !== null && <ProblemText problem={loaded.problem} />}
            <Tabs items={tabs} active={tab} onPick={(to) => setSearch({ tab: to, from: null, to: null })} label={v.tabs.timeline} />
            <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
                {history.trimmed && <p class="hint">{v.trimmed(history.trimmed)}</p>}
                <Panel tab={tab} workflow={workflow} rows={history.rows} tasks={tasks} definition={definition} />
            </div>
            {asked && base && <Dialogs asked={asked} workflow={workflow} base={base} source={definition?.source ?? ""} tasks={tasks} close={() => setAsked(null)} />}
        </>
    );
}
