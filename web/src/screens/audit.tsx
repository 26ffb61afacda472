// Who did what, when and from where, to admins. Reading it is told in the audit itself: it is read when somebody asks.
import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../model/api";
import { place, setSearch } from "../model/router";
import { may, me } from "../model/session";
import { fromInput, toInput } from "../model/time";
import type { AuditRow } from "../model/types";
import { t } from "../texts";
import { Button, Command, Empty, Field, Head, ProblemText, Segmented, Tag, When } from "../ui/basics";
import { JsonView, visible } from "../ui/json_view";
import { PickedTable } from "../ui/picked_table";

const a = t.audit;
const words = ["action", "user", "credential", "address"] as const;
const times = ["from", "before"] as const;
type Row = AuditRow & { id: string };
type Filter = Record<string, string>;

// The filters are in the address of the page.
function filterOf(search: URLSearchParams): Filter {
    const given = [...words, ...times, "order"].map((name) => [name, search.get(name) ?? ""]);
    return Object.fromEntries(given.filter(([, value]) => value));
}

const withId = (row: AuditRow): Row => ({ ...row, id: String(row.number) });

// The pages that were asked for, in one list.
function usePages(filter: Filter) {
    const key = JSON.stringify(filter);
    const [rows, setRows] = useState<Row[]>([]);
    const [next, setNext] = useState<string | null | undefined>(undefined); // undefined: not yet asked
    const [problem, setProblem] = useState<unknown>(null);
    const [busy, setBusy] = useState(false);
    const latest = useRef(0);
    // What an earlier question is answered late belongs to no list any more.
    const load = async (cursor?: string) => {
        const asked = ++latest.current;
        setBusy(true);
        try {
            const page = await api.audit({ ...filter, limit: 100, cursor });
            if (asked !== latest.current) return;
            setRows((before) => [...(cursor ? before : []), ...page.items.map(withId)]);
            setNext(page.nextCursor);
            setProblem(null);
        } catch (error) {
            if (asked !== latest.current) return;
            setProblem(error);
        }
        setBusy(false);
    };
    useEffect(() => {
        setRows([]);
        setNext(undefined);
        void load();
        return () => void ++latest.current;
    }, [key]);
    return { rows, next, problem, busy, again: () => void load(), more: () => void load(next ?? undefined) };
}

function Filters({ filter }: { filter: Filter }) {
    return (
        <div class="audit-filters" role="search" aria-label={a.filters}>
            {words.map((name) => (
                <Field key={name} label={a.filter[name]}>
                    <input name={name} value={filter[name] ?? ""} spellcheck={false} onChange={(event) => setSearch({ [name]: event.currentTarget.value.trim() })} />
                </Field>
            ))}
            {times.map((name) => (
                <Field key={name} label={a.filter[name]}>
                    <input name={name} type="datetime-local" value={toInput(filter[name])} onChange={(event) => setSearch({ [name]: fromInput(event.currentTarget.value) })} />
                </Field>
            ))}
            <Segmented label={a.order} value={filter["order"] === "oldest" ? "oldest" : "newest"} options={[["newest", a.newest], ["oldest", a.oldest]]} onPick={(order) => setSearch({ order: order === "oldest" ? order : null })} />
        </div>
    );
}

// Who has no name is known by the credential; nobody asked for what the server did by itself.
function who(row: AuditRow): string {
    if (row.user && row.by) return t.history.inTheNameOf(row.by, row.user);
    return row.user ?? a.unnamed[row.credential ?? (row.status === 0 ? "server" : "nobody")] ?? a.unnamed["credential"]!;
}

function Outcome({ row }: { row: AuditRow }) {
    return (
        <>
            {row.status > 0 ? <Tag tone={row.status < 400 ? "good" : "bad"}>{a.outcome(row.status)}</Tag> : <span class="faint">–</span>}
            {row.count > 1 && <Tag>{a.times(row.count)}</Tag>}
        </>
    );
}

const Cut = ({ text }: { text: string | null }) => (text ? <span class="audit-cut" title={visible(text)}>{text}</span> : <span class="faint">–</span>);

const cells = (row: Row) => [
    <When at={row.at} form="local" />,
    <Cut text={who(row)} />,
    <Cut text={row.credential} />,
    <Cut text={row.address} />,
    <b>{row.action}</b>,
    <Cut text={row.target} />,
    <Outcome row={row} />,
];

function Detail({ row }: { row: Row }) {
    const { id: _, ...whole } = row;
    return <JsonView value={whole} />;
}

function Checks() {
    return (
        <section class="audit-checks" aria-label={a.verify}>
            <p class="hint">{a.verifyHint}</p>
            <Command text="holdfast audit verify" />
            <Command text="holdfast audit export > audit.jsonl" />
        </section>
    );
}

function Nothing() {
    return (
        <Empty icon="shield" title={a.empty}>
            <p>{a.emptyHint}</p>
            <Command text="holdfast audit verify" />
        </Empty>
    );
}

function Open({ filter }: { filter: Filter }) {
    const { rows, next, problem, busy, again, more } = usePages(filter);
    return (
        <>
            <Head title={a.title} sub={a.sub}>
                <Button busy={busy} onClick={again}>
                    {a.again}
                </Button>
            </Head>
            <Filters filter={filter} />
            {problem !== null && <ProblemText problem={problem} again={again} />}
            {rows.length === 0 && next === null && <Nothing />}
            {rows.length > 0 && <PickedTable rows={rows} label={a.title} columns={a.columns} cells={cells} detail={(row) => <Detail row={row} />} verbs={[]} after={again} />}
            {next && (
                <p class="row-buttons">
                    {rows.length === 0 && <span class="faint">{a.notYet}</span>}
                    <Button busy={busy} onClick={more}>
                        {a.more}
                    </Button>
                </p>
            )}
            {(rows.length > 0 || next) && <Checks />}
        </>
    );
}

function Closed() {
    return (
        <>
            <Head title={a.title} />
            {me.value && (
                <Empty icon="shield" title={a.closed}>
                    <p>{t.problem.hint["not-allowed"]}</p>
                </Empty>
            )}
        </>
    );
}

export const Audit = () => (may("administer") ? <Open filter={filterOf(place.value.search)} /> : <Closed />);
