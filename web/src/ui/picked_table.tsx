// A table whose rows are picked and acted on together, with the whole of a row beside it.
import { type ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { t } from "../texts";
import { Button, cx } from "./basics";
import { ActionDialog, say, sayProblem } from "./dialog";

export interface Verb<Row> {
    label: string;
    danger?: boolean;
    confirm?: string;
    done: string;
    fits?: (row: Row) => boolean; // absent: to every row
    run: (row: Row) => Promise<unknown>;
}

interface Props<Row extends { id: string }> {
    rows: Row[];
    label: string;
    columns: string[];
    cells: (row: Row) => ComponentChildren[];
    detail: (row: Row) => ComponentChildren;
    verbs: Verb<Row>[];
    after: () => void;
}

export function PickedTable<Row extends { id: string }>({ rows, label, columns, cells, detail, verbs, after }: Props<Row>) {
    const [picked, setPicked] = useState<Set<string>>(new Set());
    const [open, setOpen] = useState<string | null>(null);
    const [asked, setAsked] = useState<{ verb: Verb<Row>; rows: Row[] } | null>(null);
    const chosen = rows.filter((row) => picked.has(row.id));
    const act = async (verb: Verb<Row>, on: Row[]) => {
        let done = 0;
        for (const row of on) {
            try {
                await verb.run(row);
                ++done;
            } catch (error) {
                sayProblem(error);
            }
        }
        if (done) say(on.length > 1 ? `${verb.done}: ${done}` : verb.done);
        setPicked(new Set());
        after();
    };
    const begin = (verb: Verb<Row>, on: Row[]) => (verb.confirm ? setAsked({ verb, rows: on }) : act(verb, on));
    const toggle = (id: string, to: boolean) =>
        setPicked((before) => {
            const next = new Set(before);
            if (to) next.add(id);
            else next.delete(id);
            return next;
        });
    return (
        <>
            {chosen.length > 0 && (
                <div class="selection" role="toolbar" aria-label={t.workflows.selected(chosen.length)}>
                    <b>{t.workflows.selected(chosen.length)}</b>
                    {verbs.map((verb) => (
                        <Button key={verb.label} kind={verb.danger ? "danger" : "primary"} disabled={!chosen.some((row) => verb.fits?.(row) ?? true)} onClick={() => begin(verb, chosen.filter((row) => verb.fits?.(row) ?? true))}>
                            {verb.label}
                        </Button>
                    ))}
                </div>
            )}
            <div class="table-scroll">
                <table class="table" aria-label={label}>
                    <thead>
                        <tr>
                            <th scope="col">
                                {verbs.length > 0 ? (
                                    <input type="checkbox" aria-label={t.workflows.selectAll} checked={rows.length > 0 && chosen.length === rows.length} onChange={(event) => setPicked(event.currentTarget.checked ? new Set(rows.map((row) => row.id)) : new Set())} />
                                ) : (
                                    <span class="unseen">{t.workflows.select}</span>
                                )}
                            </th>
                            {columns.map((column) => (
                                <th scope="col" key={column}>
                                    {column}
                                </th>
                            ))}
                            <th scope="col">
                                <span class="unseen">{t.more}</span>
                            </th>
                        </tr>
                    </thead>
                    <tbody>
                        {rows.map((row) => (
                            <>
                                <tr key={row.id} class={cx(picked.has(row.id) && "selected")}>
                                    <td>{verbs.length > 0 && <input type="checkbox" aria-label={row.id} checked={picked.has(row.id)} onChange={(event) => toggle(row.id, event.currentTarget.checked)} />}</td>
                                    {cells(row).map((cell, i) => (
                                        <td key={i}>{cell}</td>
                                    ))}
                                    <td class="row-actions">
                                        {verbs.filter((verb) => verb.fits?.(row) ?? true).map((verb) => (
                                            <Button key={verb.label} kind={verb.danger ? "quiet" : "plain"} onClick={() => begin(verb, [row])}>
                                                {verb.label}
                                            </Button>
                                        ))}
                                        <Button kind="quiet" icon={open === row.id ? "down" : "right"} label={open === row.id ? t.json.collapse : t.json.expand} aria-expanded={open === row.id} onClick={() => setOpen(open === row.id ? null : row.id)} />
                                    </td>
                                </tr>
                                {open === row.id && (
                                    <tr key={row.id + "-more"} class="more-row">
                                        <td colSpan={columns.length + 2}>{detail(row)}</td>
                                    </tr>
                                )}
                            </>
                        ))}
                    </tbody>
                </table>
            </div>
            {asked && (
                <ActionDialog title={`${asked.verb.label}: ${asked.rows.length}`} text={asked.verb.confirm} verb={asked.verb.label} danger={asked.verb.danger} onClose={() => setAsked(null)} run={() => act(asked.verb, asked.rows)} />
            )}
        </>
    );
}
