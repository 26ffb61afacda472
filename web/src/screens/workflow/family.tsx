// The workflows around this one, as a tree: who started it, whom it started, and whom those started, to any depth.
import { useEffect, useRef, useState } from "preact/hooks";
import { signal, type Signal } from "@preact/signals";
import { api } from "../../model/api";
import { useLoad, type Loaded } from "../../model/load";
import { to } from "../../model/router";
import type { Page, Workflow } from "../../model/types";
import { t } from "../../texts";
import { Button, Empty, StatusMark, When, nameOf, statusOf } from "../../ui/basics";
import { Sentence } from "../../ui/sentence";

const f = t.family;
const pageSize = 50;
const mostAncestors = 30;
// What one press of the button may open: a tree has no bound, a page has one.
const openedAtOnce = 200;

// The workflows above, the topmost first; the start is theirs who cannot be read.
async function ancestors(workflow: Workflow): Promise<{ found: Workflow[]; more: boolean }> {
    const found: Workflow[] = [];
    for (let id = workflow.parent; id; id = found[0]!.parent) {
        if (found.length === mostAncestors) return { found, more: true };
        const above = await api.workflow(id).catch(() => null);
        if (!above) break;
        found.unshift(above);
    }
    return { found, more: false };
}

function Member({ workflow, self }: { workflow: Workflow; self?: boolean }) {
    return (
        <span class={self ? "member self" : "member"}>
            <StatusMark status={statusOf(workflow)} text={false} />
            {self ? <b>{nameOf(workflow)}</b> : <a href={to.workflow(workflow.id)}>{nameOf(workflow)}</a>}
            <span class="faint">{workflow.definition}</span>
            <span class="member-what">
                <Sentence workflow={workflow} short />
            </span>
            <When at={workflow.updatedAt} />
        </span>
    );
}

const read = (id: string, cursor?: string) => api.workflows({ parent: id, order: "oldest", limit: pageSize, cursor });

// The children of a workflow, the first `pages` of them; what starts a child changes too.
function useChildren(id: string, pages: number): Page<Workflow> | undefined {
    const loaded: Loaded<Page<Workflow> | undefined> = useLoad(
        async () => {
            if (pages === 0) return undefined;
            const found = await read(id);
            for (let i = 1; i < pages && found.nextCursor; ++i) {
                const next = await read(id, found.nextCursor);
                found.items.push(...next.items);
                found.nextCursor = next.nextCursor;
            }
            return found;
        },
        [id, pages > 0],
        (change) => change.workflow === id || (loaded.value?.items.some((one) => one.id === change.workflow) ?? false)
    );
    useEffect(() => {
        if (pages > 1) loaded.again();
    }, [pages]);
    return loaded.value;
}

// How many workflows may still be opened by the button. A branch takes a page of it before it loads, and gives back the rest.
type Budget = Signal<number>;

function useBudget(budget: Budget, open: boolean, children: Page<Workflow> | undefined, start: () => void) {
    const taken = useRef(false);
    useEffect(() => {
        if (open || budget.value < pageSize) return;
        taken.current = true;
        budget.value -= pageSize;
        start();
    }, [budget.value]);
    useEffect(() => {
        if (!children || !taken.current) return;
        taken.current = false;
        budget.value += Math.max(0, pageSize - children.items.length);
    }, [children !== undefined]);
}

// A workflow and, when it is open, its children.
function Branch({ workflow, self, budget }: { workflow: Workflow; self?: boolean; budget: Budget }) {
    const [pages, setPages] = useState(self ? 1 : 0);
    const children = useChildren(workflow.id, pages);
    useBudget(budget, pages > 0, children, () => setPages(1));
    return (
        <li>
            <span class="branch">
                <Button kind="quiet" icon={pages > 0 ? "down" : "right"} label={f.children(nameOf(workflow))} aria-expanded={pages > 0} onClick={() => setPages(pages > 0 ? 0 : 1)} />
                <Member workflow={workflow} self={self} />
            </span>
            {children?.items.length === 0 && !self && <p class="faint childless">{f.none}</p>}
            {children && children.items.length > 0 && (
                <ul>
                    {children.items.map((one) => (
                        <Branch key={one.id} workflow={one} budget={budget} />
                    ))}
                    {children.nextCursor && (
                        <li>
                            <Button onClick={() => setPages(pages + 1)}>{f.more(children.items.length)}</Button>
                        </li>
                    )}
                </ul>
            )}
        </li>
    );
}

// Whom it waits for without having started them.
function Strangers({ workflow }: { workflow: Workflow }) {
    const ids = [...new Set(workflow.waits.flatMap((wait) => wait.workflows))].slice(0, pageSize);
    const { value } = useLoad(
        async () => (await Promise.all(ids.map((id) => api.workflow(id).catch(() => null)))).filter((one) => one !== null),
        [ids.join()],
        (change) => ids.includes(change.workflow)
    );
    const strangers = value?.filter((one) => one.parent !== workflow.id) ?? [];
    if (strangers.length === 0) return null;
    return (
        <section aria-label={f.waitsFor}>
            <h3>{f.waitsFor}</h3>
            <ul class="family">
                {strangers.map((one) => (
                    <li key={one.id}>
                        <Member workflow={one} />
                    </li>
                ))}
            </ul>
        </section>
    );
}

export function FamilyTab({ workflow }: { workflow: Workflow }) {
    const [budget] = useState(() => signal(0));
    const above = useLoad(() => ancestors(workflow), [workflow.id, workflow.parent], (change) => change.workflow === workflow.parent).value;
    const below = useLoad(() => read(workflow.id), [workflow.id], (change) => change.workflow === workflow.id).value;
    if (!above || !below) return null;
    const waitsForOthers = workflow.waits.some((wait) => wait.workflows.length > 0);
    if (!workflow.parent && below.items.length === 0 && !waitsForOthers) return <Empty icon="fork" title={t.workflow.noFamily} />;
    return (
        <>
            {below.items.length > 0 && (
                <p class="row-buttons">
                    <Button onClick={() => (budget.value = openedAtOnce)}>{f.openAll}</Button>
                    <span class="faint">{f.openAllHint(openedAtOnce)}</span>
                </p>
            )}
            {above.more && <p class="hint">{f.tooHigh(mostAncestors)}</p>}
            <ul class="family">
                {above.found.map((one) => (
                    <li key={one.id} class="above">
                        <Member workflow={one} />
                    </li>
                ))}
                <Branch key={workflow.id} workflow={workflow} self budget={budget} />
            </ul>
            <Strangers workflow={workflow} />
        </>
    );
}
