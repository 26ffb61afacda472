// What a workflow does now, in a sentence.
import type { ComponentChildren } from "preact";
import { duration, ms } from "../model/time";
import { to } from "../model/router";
import { eventOf, turnName, type Task, type Wait, type Why, type Workflow } from "../model/types";
import { t } from "../texts";
import { When, shortId } from "./basics";
import { visible } from "./json_view";

const s = t.sentence;

// In a line of a list: how long from now; in a sentence of its own: when.
function Until({ wait, word, shortWord, short }: { wait: Wait; word: string; shortWord: string; short?: boolean }) {
    if (!wait.untilUtc) return null;
    return (
        <>
            {short ? shortWord : word} <When at={wait.untilUtc} form={short ? "relative" : "both"} />
        </>
    );
}

function whoMay(task: Task): string {
    return task.holder ?? task.assignee ?? ([...task.candidateUsers, ...task.candidateGroups].join(` ${s.or} `) || s.someone);
}

function EventName({ event }: { event: { name: string; correlationKey: string } }) {
    return (
        <>
            <b>{visible(event.name)}</b>
            {event.correlationKey && (
                <>
                    {" "}
                    {s.forKey} <b>{visible(event.correlationKey)}</b>
                </>
            )}
        </>
    );
}

// What limits say: how many are before it, if that was asked for.
function Turn({ turn }: { turn: Why["turn"] }) {
    if (!turn) return <>{s.turn}</>;
    return (
        <>
            {s.turnBehind(turn.behind, turn.running)} <a href={to.workflow(turn.limiter)}>{turn.paused ? s.limiterPaused : s.limits(turn.limits)}</a>
        </>
    );
}

function WaitText({ wait, tasks, short, turn }: { wait: Wait; tasks?: Map<string, Task>; short?: boolean; turn?: Why["turn"] }) {
    const events = wait.names.map(eventOf);
    if (events.some(({ name }) => name === turnName)) return <Turn turn={short ? null : turn} />;
    const ids = events.filter(({ name }) => name.startsWith("task/")).map(({ name }) => name.slice(5));
    const names = events.filter(({ name }) => !name.startsWith("task/") && !name.startsWith("process/"));
    const parts: ComponentChildren[] = [];
    if (ids.length > 0) {
        const task = tasks?.get(ids[0]!);
        const text = task && s.task(visible(task.name), visible(whoMay(task)));
        parts.push(!task ? s.taskUnknown : short ? text : <a href={to.task(task.id)}>{text}</a>);
    }
    if (names.length > 0)
        parts.push(
            <>
                {s.event("")}
                {names.slice(0, 4).map((event, i) => (
                    <>
                        {i > 0 && ` ${s.or} `}
                        <EventName event={event} />
                    </>
                ))}
                {names.length > 4 && " …"}
            </>
        );
    if (wait.workflows.length === 1)
        parts.push(
            <>
                {s.workflow} <a href={to.workflow(wait.workflows[0]!)}>{shortId(wait.workflows[0]!)}</a>
            </>
        );
    if (wait.workflows.length > 1) parts.push(s.workflows(wait.workflows.length));
    if (parts.length === 0)
        return (
            <>
                {wait.kind === "job" ? s.job : null}
                <Until wait={wait} word={wait.kind === "job" ? `, ${s.until}` : s.timer} shortWord={wait.kind === "job" ? `, ${s.orTimer}` : s.timerShort} short={short} />
            </>
        );
    return (
        <>
            {parts.map((part, i) => (
                <>
                    {i > 0 && `, ${s.or} `}
                    {part}
                </>
            ))}
            <Until wait={wait} word={`, ${s.until}`} shortWord={`, ${s.orTimer}`} short={short} />
        </>
    );
}

// A list does not carry what a process waits for; its open task is known.
function atElement(workflow: Workflow, tasks?: Map<string, Task>): string {
    const task = [...(tasks?.values() ?? [])].find((one) => one.workflow === workflow.id);
    return task ? s.task(visible(task.name), visible(whoMay(task))) : s.atElement;
}

const retryPrefix = "retry:";

// What of a process cannot go on waits for a retry that has the name of its element.
function cannotGoOn(workflow: Workflow, short?: boolean): string {
    const elements = workflow.waits.flatMap((wait) => wait.names.map((one) => eventOf(one).name).filter((name) => name.startsWith(retryPrefix)).map((name) => visible(name.slice(retryPrefix.length))));
    if (elements.length > 0 || (short && workflow.lastError)) return s.stuck(elements, workflow.lastError && visible(workflow.lastError), !short);
    return s.incident;
}

export function Sentence({ workflow, tasks, short }: { workflow: Workflow; tasks?: Map<string, Task>; short?: boolean }) {
    const stop = short ? "" : ".";
    if (workflow.quarantined) return <>{s.quarantined}</>;
    if (workflow.program?.buried) return <>{s.buried}</>;
    if (workflow.paused) return <>{s.paused}</>;
    if (workflow.completedAt) {
        const took = s.after(duration(ms(workflow.completedAt) - ms(workflow.createdAt)));
        const text = workflow.status === "failed" ? s.failed(workflow.lastError) : workflow.status === "cancelled" ? s.cancelled : s.succeeded;
        return (
            <>
                {text} {took}
                {stop}
            </>
        );
    }
    if (workflow.incident) return <>{cannotGoOn(workflow, short)}</>;
    if (workflow.program?.unwinding) return <>{s.unwinding}</>;
    const retry = workflow.program?.retry;
    const wait = workflow.waiting;
    if (retry && (!wait || wait.retry))
        return (
            <>
                {s.retry(retry.attempts.length, retry.index)}
                {wait?.untilUtc && (
                    <>
                        {" "}
                        <When at={wait.untilUtc} />
                    </>
                )}
                {stop}
            </>
        );
    if (workflow.waits.length > 1 && short) return <>{s.several(workflow.waits.length)}</>;
    if (workflow.waits.length > 1)
        return (
            <>
                {s.several(workflow.waits.length)}:
                <ul class="waits">
                    {workflow.waits.slice(0, 12).map((one) => (
                        <li key={one.token}>
                            <WaitText wait={one} tasks={tasks} />
                        </li>
                    ))}
                </ul>
            </>
        );
    if (wait)
        return (
            <>
                <WaitText wait={wait} tasks={tasks} short={short} turn={workflow.why?.turn} />
                {stop}
            </>
        );
    if (workflow.status === "suspended") return <>{atElement(workflow, tasks)}</>;
    if (workflow.why?.runner?.programAvailable === false) return <>{s.noProgram(visible(workflow.why.runner.program))}</>;
    if (short && !workflow.program) return <>{s.outsideShort(workflow.index)}</>;
    return <>{workflow.program ? s.flow(workflow.lastExecutedBy) : s.outside(workflow.index)}</>;
}
