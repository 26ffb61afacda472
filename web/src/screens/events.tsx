// Events that wait for a workflow, and those whose workflow ended first.
import { useState } from "preact/hooks";
import { api } from "../model/api";
import { useLoad } from "../model/load";
import { place, setSearch, to } from "../model/router";
import { may } from "../model/session";
import { t } from "../texts";
import { Button, Command, Empty, Head, ProblemText, StatusMark, Tabs, Tag, When, shortId } from "../ui/basics";
import { JsonLine, JsonView, visible } from "../ui/json_view";
import { PickedTable, type Verb } from "../ui/picked_table";
import type { PendingEvent } from "../model/types";
import { SendDialog } from "./workflow/send_dialog";

const e = t.events;

const target = (event: PendingEvent) => (event.target ? <a href={to.workflow(event.target)}>{shortId(event.target)}</a> : <span class="faint">{e.broadcast}</span>);

function Named({ event }: { event: PendingEvent }) {
    return (
        <>
            <b>{visible(event.name)}</b>
            {event.correlationKey && (
                <>
                    {" "}
                    {t.sentence.forKey} <b>{visible(event.correlationKey)}</b>
                </>
            )}{" "}
            {event.scheduled && <Tag tone="info">{e.scheduled}</Tag>}
        </>
    );
}

const deadVerbs: Verb<PendingEvent>[] = [
    { label: t.verbs.replay, done: t.done.replayed, run: (event) => api.replayDeadEvent(event.id) },
    { label: t.verbs.remove, danger: true, confirm: t.confirm.removeEvent, done: t.done.removed, run: (event) => api.removeDeadEvent(event.id) },
];
const pendingVerbs: Verb<PendingEvent>[] = [{ label: t.verbs.cancel, danger: true, confirm: e.cancelText, done: t.done.cancelled, run: (event) => api.cancelEvent(event.id), fits: (event) => event.scheduled === true }];

export function Events() {
    const tab = place.value.search.get("tab") ?? "dead";
    const { value, problem, again } = useLoad(() => (tab === "dead" ? api.deadEvents({ limit: 500 }) : api.pendingEvents({ limit: 500 })), [tab], () => true);
    const [sending, setSending] = useState(false);
    return (
        <>
            <Head title={e.title}>
                {may("operate") && (
                    <Button kind="primary" icon="send" onClick={() => setSending(true)}>
                        {e.send}
                    </Button>
                )}
            </Head>
            <Tabs
                label={e.title}
                active={tab}
                items={[
                    { id: "dead", label: e.tabs.dead },
                    { id: "pending", label: e.tabs.pending },
                ]}
                onPick={(id) => setSearch({ tab: id })}
            />
            <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
                <p class="hint">{tab === "dead" ? e.deadHint : e.pendingHint}</p>
                {problem !== null && <ProblemText problem={problem} again={again} />}
                {value?.items.length === 0 ? (
                    tab === "dead" ? (
                        <Empty icon="events" title={e.emptyDead}>
                            <p>{e.emptyHint}</p>
                        </Empty>
                    ) : (
                        <Empty icon="events" title={e.emptyPending}>
                            <p>{e.pendingEmptyHint}</p>
                            <Command text={`curl -X POST ${location.origin}/api/v1/events/paid -H 'Content-Type: application/json' -d '{"value": {"amount": 12}}'`} />
                        </Empty>
                    )
                ) : (
                    value && (
                        <PickedTable
                            rows={value.items}
                            label={tab === "dead" ? e.tabs.dead : e.tabs.pending}
                            columns={[e.columns.name, e.columns.target, e.columns.value, e.columns.accepted, tab === "dead" ? e.columns.ended : e.columns.expires]}
                            cells={(event) => [
                                <Named event={event} />,
                                target(event),
                                <JsonLine value={event.value} length={60} />,
                                <When at={event.acceptedAt} />,
                                tab === "dead" ? <StatusMark status={event.targetStatus ?? "cancelled"} /> : <When at={event.expiresAt} />,
                            ]}
                            detail={(event) => <JsonView value={event.value} />}
                            verbs={!may("operateAll") ? [] : tab === "dead" ? deadVerbs : value.items.some((event) => event.scheduled) ? pendingVerbs : []}
                            after={again}
                        />
                    )
                )}
            </div>
            {sending && <SendDialog workflow={null} onClose={() => (setSending(false), again())} />}
        </>
    );
}
