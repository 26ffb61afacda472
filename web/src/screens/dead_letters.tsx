// Signals that could not be handled, byte for byte, with a way back.
import { api } from "../model/api";
import { useLoad } from "../model/load";
import { place, setSearch, to } from "../model/router";
import { may } from "../model/session";
import { t } from "../texts";
import { Empty, Head, ProblemText, Tag, When, shortId } from "../ui/basics";
import { JsonView, visible } from "../ui/json_view";
import { PickedTable } from "../ui/picked_table";

const l = t.deadLetters;

export function DeadLetters() {
    const reason = place.value.search.get("reason") ?? "";
    const { value, problem, again } = useLoad(() => api.deadLetters({ reason, limit: 500 }), [reason], () => true);
    return (
        <>
            <Head title={l.title}>
                <select aria-label={l.columns.reason} value={reason} onChange={(event) => setSearch({ reason: event.currentTarget.value })}>
                    <option value="">{l.all}</option>
                    {Object.entries(l.reasons).map(([id, text]) => (
                        <option key={id} value={id}>
                            {text}
                        </option>
                    ))}
                </select>
            </Head>
            {problem !== null && <ProblemText problem={problem} again={again} />}
            {value?.items.length === 0 ? (
                <Empty icon="letters" title={l.empty}>
                    <p>{l.emptyHint}</p>
                </Empty>
            ) : (
                value && (
                    <PickedTable
                        rows={value.items}
                        label={l.title}
                        columns={[l.columns.reason, l.columns.workflow, l.columns.detail, l.columns.attempts, l.columns.at]}
                        cells={(letter) => [
                            <Tag tone="bad">{l.reasons[letter.reason] ?? letter.reason}</Tag>,
                            <a href={to.workflow(letter.workflow)}>{shortId(letter.workflow)}</a>,
                            <span class="cut">{visible(letter.detail)}</span>,
                            letter.attempts,
                            <When at={letter.at} />,
                        ]}
                        detail={(letter) => (
                            <>
                                <p>{visible(letter.detail)}</p>
                                <p class="faint">
                                    {letter.type} · {letter.program} · {letter.node}
                                </p>
                                <h2>{l.envelope}</h2>
                                {letter.envelope === null ? <code class="wrap">{letter.bytes}</code> : <JsonView value={letter.envelope} />}
                            </>
                        )}
                        verbs={!may("operate") ? [] : [
                            { label: t.verbs.redrive, done: t.done.redriven, run: (letter) => api.redrive(letter.id) },
                            { label: t.verbs.remove, danger: true, confirm: t.confirm.removeLetter, done: t.done.removed, run: (letter) => api.removeDeadLetter(letter.id) },
                        ]}
                        after={again}
                    />
                )
            )}
        </>
    );
}
