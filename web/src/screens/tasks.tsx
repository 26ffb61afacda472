// The inbox: what people have to decide, and the answer beside it.
import { useEffect, useState } from "preact/hooks";
import { api, Problem } from "../model/api";
import { isObject, parseJson, printJson, type Json, type JsonObject } from "../model/json";
import { tellOwn } from "../model/live";
import { useLoad } from "../model/load";
import { go, place, setSearch, to } from "../model/router";
import { actor, becomePerson, groups, may, mayBeOthers, person, scope } from "../model/session";
import { duration, ms, now } from "../model/time";
import type { Task } from "../model/types";
import { t } from "../texts";
import { Button, Empty, Field, Head, ProblemText, Segmented, Tag, When, cx, shortId } from "../ui/basics";
import { ActionDialog, Dialog, say } from "../ui/dialog";
import { JsonView, visible } from "../ui/json_view";
import { Icon } from "../ui/icons";

const x = t.tasks;
type View = "all" | "mine" | "groups" | "unclaimed" | "overdue" | "ended";

const isOpen = (task: Task) => task.state === "created" || task.state === "claimed";
const isLate = (task: Task) => isOpen(task) && task.dueAt !== null && ms(task.dueAt) < now.value;

async function load(view: View): Promise<Task[]> {
    const me = person.value;
    const open = { state: "open", limit: 500 };
    if (view === "ended") return (await api.tasks({ state: "completed,failed,cancelled", limit: 200 })).items.reverse();
    if (view === "unclaimed") return (await api.tasks({ state: "created", limit: 500 })).items;
    if (view === "overdue") return (await api.tasks({ ...open, dueBefore: new Date().toISOString() })).items;
    if (view === "mine" && me) {
        const pages = await Promise.all([api.tasks({ ...open, holder: me }), api.tasks({ ...open, assignee: me }), api.tasks({ ...open, candidate: me })]);
        return unique(pages.flatMap((page) => page.items));
    }
    if (view === "groups" && groups.value.length) {
        const pages = await Promise.all(groups.value.map((group) => api.tasks({ ...open, group })));
        return unique(pages.flatMap((page) => page.items));
    }
    if (view === "mine" || view === "groups") return [];
    return (await api.tasks(open)).items;
}

async function changeTask(task: Task, verb: string, version: number, body: JsonObject) {
    await api.changeTask(task.id, verb, version, body);
    tellOwn({ kind: "task", type: verb, workflow: task.workflow, definition: task.definition, task: task.id, at: new Date().toISOString() });
}

const unique = (tasks: Task[]) => [...new Map(tasks.map((task) => [task.id, task])).values()];

// Overdue first, then by priority, then the oldest.
function order(tasks: Task[]): Task[] {
    return [...tasks].sort((a, b) => Number(isLate(b)) - Number(isLate(a)) || b.priority - a.priority || a.createdAt.localeCompare(b.createdAt));
}

function Due({ task }: { task: Task }) {
    if (!task.dueAt) return null;
    return isLate(task) ? (
        <Tag tone="bad">{t.overdue(duration(now.value - ms(task.dueAt)))}</Tag>
    ) : (
        <span class="faint">
            {x.due} <When at={task.dueAt} />
        </span>
    );
}

const whoFor = (task: Task) => task.assignee ?? ([...task.candidateUsers, ...task.candidateGroups].join(", ") || x.anybody);

export function TaskRow({ task, current }: { task: Task; current?: boolean }) {
    return (
        <a href={to.task(task.id)} class={cx("task", current && "current")} aria-current={current ? "true" : undefined}>
            <span class={`task-state t-${task.state}`} title={x.state[task.state]}>
                <Icon name={task.state === "claimed" ? "user" : task.state === "completed" ? "check" : task.state === "created" ? "tasks" : "stop"} />
            </span>
            <span class="task-text">
                <b>{visible(task.name)}</b>
                <small>
                    {task.businessReference.key ?? shortId(task.workflow)} · {task.state === "claimed" ? x.heldBy(task.holder === person.value ? x.you : visible(task.holder ?? "")) : visible(whoFor(task))}
                </small>
            </span>
            <span class="task-side">
                {isOpen(task) ? <Due task={task} /> : <Tag>{x.state[task.state]}</Tag>}
                {task.priority > 0 && <Tag>P{task.priority}</Tag>}
            </span>
        </a>
    );
}

function PersonDialog({ onClose }: { onClose: () => void }) {
    const [name, setName] = useState(person.value);
    const [memberOf, setMemberOf] = useState(groups.value.join(", "));
    return (
        <Dialog title={x.who} onClose={onClose} size="small">
            <form
                class="dialog-body"
                onSubmit={(event) => {
                    event.preventDefault();
                    becomePerson(
                        name,
                        memberOf
                            .split(",")
                            .map((one) => one.trim())
                            .filter(Boolean)
                    );
                    onClose();
                }}
            >
                <p class="faint">{x.whoHint}</p>
                <Field label={x.person}>
                    <input data-first value={name} onInput={(event) => setName(event.currentTarget.value)} />
                </Field>
                <Field label={x.groups}>
                    <input value={memberOf} onInput={(event) => setMemberOf(event.currentTarget.value)} />
                </Field>
                <footer class="dialog-foot">
                    <Button type="submit" kind="primary">
                        {x.setPerson}
                    </Button>
                </footer>
            </form>
        </Dialog>
    );
}

// One field for each expected output; what looks like a decision is one.
function Output({ name, value, onChange }: { name: string; value: Json | undefined; onChange: (value: Json | undefined) => void }) {
    const decision = /^(is|has|ok|approved?|accepted|confirmed|granted|allowed)/i.test(name);
    const [text, setText] = useState(value === undefined ? "" : typeof value === "string" ? value : printJson(value, 0));
    if (decision)
        return (
            <fieldset class="decision">
                <legend>{name}</legend>
                <Segmented
                    label={name}
                    value={value === undefined ? "" : String(value)}
                    options={[
                        ["true", x.yes],
                        ["false", x.no],
                    ]}
                    onPick={(to) => onChange(to === "true")}
                />
            </fieldset>
        );
    return (
        <Field label={name}>
            <input
                value={text}
                onInput={(event) => {
                    const raw = event.currentTarget.value;
                    setText(raw);
                    // A number, a list or an object is what it looks like; everything else is text.
                    try {
                        onChange(raw.trim() === "" ? undefined : /^[-\d[{"]|^(true|false|null)$/.test(raw.trim()) ? parseJson(raw) : raw);
                    } catch {
                        onChange(raw);
                    }
                }}
            />
        </Field>
    );
}

function Answer({ task, done }: { task: Task; done: () => void }) {
    const [outputs, setOutputs] = useState<JsonObject>({});
    const [more, setMore] = useState("");
    const [problem, setProblem] = useState<unknown>(null);
    const [busy, setBusy] = useState(false);
    const set = (name: string, value: Json | undefined) => {
        const next = { ...outputs };
        if (value === undefined) delete next[name];
        else next[name] = value;
        setOutputs(next);
    };
    const submit = async (event: Event) => {
        event.preventDefault();
        setBusy(true);
        setProblem(null);
        try {
            const extra = more.trim() ? parseJson(more) : {};
            await changeTask(task, "complete", task.version, { ...actor(), outputs: { ...(isObject(extra) ? extra : {}), ...outputs } });
            say(t.done.completed);
            done();
        } catch (error) {
            setProblem(error);
        }
        setBusy(false);
    };
    return (
        <form class="answer" onSubmit={submit}>
            <h3>{x.outputs}</h3>
            {task.expectedOutputs.map((name) => (
                <Output key={name} name={name} value={outputs[name]} onChange={(value) => set(name, value)} />
            ))}
            <details open={task.expectedOutputs.length === 0}>
                <summary>{x.otherOutputs}</summary>
                <textarea class="code" rows={4} aria-label={x.otherOutputs} spellcheck={false} placeholder="{}" value={more} onInput={(event) => setMore(event.currentTarget.value)} />
            </details>
            {problem !== null && <ProblemText problem={problem} />}
            <Button type="submit" kind="primary" icon="check" busy={busy} disabled={task.expectedOutputs.some((name) => outputs[name] === undefined)}>
                {t.verbs.complete}
            </Button>
        </form>
    );
}

function TaskActions({ task, ask }: { task: Task; ask: (what: "person" | "delegate" | "fail") => void }) {
    const [problem, setProblem] = useState<unknown>(null);
    const [busy, setBusy] = useState(false);
    const mine = task.holder !== null && task.holder === person.value;
    const change = (verb: string, text: string) => async () => {
        if (!person.value) return ask("person");
        setBusy(true);
        setProblem(null);
        try {
            await changeTask(task, verb, task.version, actor());
            say(text);
        } catch (error) {
            setProblem(error);
        }
        setBusy(false);
    };
    return (
        <>
            <div class="task-actions">
                {task.state === "created" && may("answer") && (
                    <Button kind="primary" icon="user" busy={busy} onClick={change("claim", t.done.claimed)}>
                        {t.verbs.claim}
                    </Button>
                )}
                {mine && may("answer") && (
                    <>
                        <Button busy={busy} onClick={change("release", t.done.released)}>
                            {t.verbs.unclaim}
                        </Button>
                        <Button onClick={() => ask("delegate")}>{t.verbs.delegate}</Button>
                        <Button kind="danger" onClick={() => ask("fail")}>
                            {t.verbs.fail}
                        </Button>
                    </>
                )}
                {task.state === "claimed" && !mine && <span class="faint">{x.notYours(visible(task.holder ?? ""))}</span>}
            </div>
            {problem !== null && <ProblemText problem={problem} />}
        </>
    );
}

function TaskDialogs({ asked, task, close }: { asked: "person" | "delegate" | "fail"; task: Task; close: () => void }) {
    const [text, setText] = useState("");
    if (asked === "person") return <PersonDialog onClose={close} />;
    const verb = asked;
    const body = (): JsonObject => ({ ...actor(), ...(verb === "delegate" ? { to: text } : { error: text }) });
    return (
        <ActionDialog
            title={`${t.verbs[verb]}: ${task.name}`}
            verb={t.verbs[verb]}
            danger={verb === "fail"}
            onClose={close}
            disabled={!text}
            run={async () => {
                await changeTask(task, verb, task.version, body());
                say(verb === "delegate" ? t.done.delegated : t.done.failed);
            }}
        >
            <Field label={verb === "delegate" ? x.delegateTo : x.failWith}>
                <input data-first value={text} onInput={(event) => setText(event.currentTarget.value)} />
            </Field>
        </ActionDialog>
    );
}

function TaskDetail({ id }: { id: string }) {
    const loaded = useLoad(() => api.task(id), [id], (change) => change.task === id || change.kind === "task" || /Task/.test(change.type));
    const events = useLoad(() => api.taskEvents(id), [id, loaded.value?.version]);
    const [asked, setAsked] = useState<"person" | "delegate" | "fail" | null>(null);
    const task = loaded.value;
    if (loaded.problem instanceof Problem && loaded.problem.status === 404) return <Empty icon="tasks" title={loaded.problem.detail} />;
    if (!task) return loaded.problem ? <ProblemText problem={loaded.problem} again={loaded.again} /> : null;
    const mine = task.state === "claimed" && task.holder === person.value;
    const about = task.businessReference.key ?? shortId(task.workflow);
    return (
        <article class="card task-detail" aria-label={task.name}>
            <a class="task-back" href={"/tasks" + location.search}>
                <Icon name="left" /> {x.back}
            </a>
            <header>
                <h2>{visible(task.name)}</h2>
                <p class="faint">
                    {may("read") ? <a href={to.workflow(task.workflow)}>{about}</a> : about} · {task.definition} · {visible(whoFor(task))} {task.queue && `· ${task.queue}`}
                </p>
                <p class="task-marks">
                    <Tag tone={task.state === "claimed" ? "info" : undefined}>{x.state[task.state]}</Tag> <Due task={task} /> {task.priority > 0 && <Tag>{`${x.priority} ${task.priority}`}</Tag>}{" "}
                    <span class="faint">
                        {x.created} <When at={task.createdAt} />
                    </span>
                </p>
            </header>
            <TaskActions task={task} ask={setAsked} />
            <h3>{x.payload}</h3>
            {task.payload === null ? <p class="faint">{x.noPayload}</p> : <JsonView value={task.payload} label={x.payload} />}
            {mine && may("answer") && <Answer key={task.version} task={task} done={() => go("/tasks" + location.search)} />}
            {task.state === "created" && may("answer") && <p class="faint">{x.claimFirst}</p>}
            {task.endedAt && (
                <>
                    <h3>{x.outputsGiven}</h3>
                    <JsonView value={task.outputs ?? task.error} />
                </>
            )}
            <h3>{x.history}</h3>
            <ol class="task-events">
                {events.value?.items.map((event) => (
                    <li key={event.version}>
                        <b>{event.type}</b> {event.user && visible(event.user)} <When at={event.at} />
                    </li>
                ))}
            </ol>
            {asked && <TaskDialogs asked={asked} task={task} close={() => setAsked(null)} />}
        </article>
    );
}

// Nobody's tasks are looked for until the page knows whose they are.
function NoTasks({ view, ask }: { view: View; ask: () => void }) {
    const unknown = (view === "mine" && !person.value) || (view === "groups" && groups.value.length === 0);
    if (unknown)
        return (
            <Empty icon="user" title={view === "mine" ? x.needPerson : x.needGroups}>
                <p>{x.whoHint}</p>
                <Button kind="primary" onClick={ask}>
                    {x.who}
                </Button>
            </Empty>
        );
    return (
        <Empty icon="tasks" title={x.empty}>
            <p>{x.emptyHint}</p>
            <code>ctx.task("approve")</code>
        </Empty>
    );
}

export function Tasks({ picked }: { picked?: string }) {
    const view = (place.value.search.get("view") ?? "all") as View;
    const { value, problem, again } = useLoad(() => load(view), [view, person.value, groups.value.join(), scope.value], (change) => change.kind === "task" || /Task/.test(change.type));
    const [asking, setAsking] = useState(false);
    const tasks = value ? order(value) : [];
    useEffect(() => {
        const step = (event: KeyboardEvent) => {
            const by = event.key === "j" ? 1 : event.key === "k" ? -1 : 0;
            if (!by || (event.target as Element).closest("input, textarea, select, dialog") || tasks.length === 0) return;
            const next = tasks[Math.min(tasks.length - 1, Math.max(0, tasks.findIndex((task) => task.id === picked) + by))]!;
            go(to.task(next.id) + location.search);
        };
        document.addEventListener("keydown", step);
        return () => document.removeEventListener("keydown", step);
    });
    return (
        <div class="list-screen">
            <Head title={x.title} sub={value && x.count(tasks.length)}>
                <span class="person">
                    <Icon name="user" /> {person.value ? <b>{person.value}</b> : <span class="faint">{x.needPerson}</span>}{" "}
                    {groups.value.map((group) => (
                        <Tag key={group}>{group}</Tag>
                    ))}
                    {mayBeOthers() && (
                        <Button kind="quiet" onClick={() => setAsking(true)}>
                            {x.change}
                        </Button>
                    )}
                </span>
            </Head>
            <Segmented
                label={x.title}
                value={view}
                options={(["all", "mine", "groups", "unclaimed", "overdue", "ended"] as View[]).map((id) => [id, x.views[id]])}
                onPick={(id) => setSearch({ view: id === "all" ? null : id })}
            />
            {problem !== null && <ProblemText problem={problem} again={again} />}
            <div class={cx("split tasks-split", picked && "picked")}>
                {value && tasks.length === 0 ? (
                    <NoTasks view={view} ask={() => setAsking(true)} />
                ) : (
                    <ul class="task-list" aria-label={x.title}>
                        {tasks.map((task) => (
                            <li key={task.id}>
                                <TaskRow task={task} current={task.id === picked} />
                            </li>
                        ))}
                    </ul>
                )}
                {picked ? <TaskDetail key={picked} id={picked} /> : tasks.length > 0 && <Empty icon="left" title={x.pick} />}
            </div>
            {asking && <PersonDialog onClose={() => setAsking(false)} />}
        </div>
    );
}
