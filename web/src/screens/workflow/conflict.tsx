// Two changes of one state that met: before, theirs, mine and the merge side by side. The person chooses where both changed.
import { useMemo, useState } from "preact/hooks";
import { differences, mergeJson, valueAt, withValue, type Json, type Side } from "../../model/json";
import { t } from "../../texts";
import { Button, ProblemText, cx } from "../../ui/basics";
import { JsonValue, PathName } from "../../ui/json_diff";
import { JsonView } from "../../ui/json_view";

export interface Meeting {
    base: Json;
    baseVersion: number;
    theirs: Json;
    theirsVersion: number;
    mine: Json;
}

const c = t.conflict;
const keyOf = (path: string[]) => path.join("\u0000");

interface Row {
    path: string[];
    theirs: boolean;
    mine: boolean;
    overlap: boolean;
}

// Every place that a side changed, the overlaps first.
function rowsOf(meeting: Meeting, overlaps: string[][]): Row[] {
    const theirs = differences(meeting.base, meeting.theirs).map((one) => one.path);
    const mine = differences(meeting.base, meeting.mine).map((one) => one.path);
    const under = (path: string[], all: string[][]) => all.some((one) => one.every((name, i) => path[i] === name) || path.every((name, i) => one[i] === name));
    const overlapping = overlaps.map((path) => ({ path, theirs: true, mine: true, overlap: true }));
    const rest = [...theirs, ...mine].filter((path) => !under(path, overlaps));
    const unique = [...new Map(rest.map((path) => [keyOf(path), path])).values()];
    return [...overlapping, ...unique.map((path) => ({ path, theirs: under(path, theirs), mine: under(path, mine), overlap: false }))];
}

// A component of its own: one that is made anew at each render loses the click that comes during it.
function Choice({ row, side, chosen, choose }: { row: Row; side: Side; chosen: Map<string, Side>; choose: (path: string[], side: Side) => void }) {
    if (!row.overlap) return null;
    return (
        <label class="choose">
            <input type="radio" name={keyOf(row.path)} checked={chosen.get(keyOf(row.path)) === side} onChange={() => choose(row.path, side)} /> {c.take[side]}
        </label>
    );
}

export function ConflictView({ meeting, onSave, onDiscard, busy, problem }: { meeting: Meeting; onSave: (merged: Json) => void; onDiscard: () => void; busy: boolean; problem: unknown }) {
    const { merged, overlaps } = useMemo(() => mergeJson(meeting.base, meeting.theirs, meeting.mine), [meeting]);
    const rows = useMemo(() => rowsOf(meeting, overlaps), [meeting, overlaps]);
    const [chosen, setChosen] = useState<Map<string, Side>>(new Map());
    const result = useMemo(
        () => overlaps.reduce<Json | undefined>((state, path) => (chosen.get(keyOf(path)) === "mine" ? withValue(state, path, valueAt(meeting.mine, path)) : state), merged),
        [merged, overlaps, chosen]
    );
    const left = overlaps.filter((path) => !chosen.has(keyOf(path))).length;
    const choose = (path: string[], side: Side) => setChosen((before) => new Map(before).set(keyOf(path), side));
    return (
        <div class="dialog-body conflict">
            <p>{c.text(meeting.theirsVersion, meeting.baseVersion)}</p>
            <p class={overlaps.length ? "warning" : "good-line"}>{overlaps.length ? c.overlap(overlaps.length) : c.clean}</p>
            <div class="diff conflict-rows">
                <table>
                    <thead>
                        <tr>
                            <th scope="col">{c.path}</th>
                            <th scope="col">
                                {c.base} · {meeting.baseVersion}
                            </th>
                            <th scope="col">
                                {c.theirs} · {meeting.theirsVersion}
                            </th>
                            <th scope="col">{c.mine}</th>
                            <th scope="col">{c.merge}</th>
                        </tr>
                    </thead>
                    <tbody>
                        {rows.map((row) => (
                            <tr key={keyOf(row.path)} class={cx(row.overlap && "overlap")}>
                                <th scope="row">
                                    <PathName path={row.path} />
                                </th>
                                <td>
                                    <JsonValue value={valueAt(meeting.base, row.path)} />
                                </td>
                                <td class={cx(row.theirs && "theirs")}>
                                    <JsonValue value={valueAt(meeting.theirs, row.path)} />
                                    <Choice row={row} side="theirs" chosen={chosen} choose={choose} />
                                </td>
                                <td class={cx(row.mine && "mine")}>
                                    <JsonValue value={valueAt(meeting.mine, row.path)} />
                                    <Choice row={row} side="mine" chosen={chosen} choose={choose} />
                                </td>
                                <td class="merged">{row.overlap && !chosen.has(keyOf(row.path)) ? <span class="faint">?</span> : <JsonValue value={valueAt(result, row.path)} />}</td>
                            </tr>
                        ))}
                    </tbody>
                </table>
            </div>
            <details>
                <summary>{c.merge}</summary>
                <JsonView value={result} label={c.merge} />
            </details>
            {problem !== null && <ProblemText problem={problem} />}
            <footer class="dialog-foot">
                <Button kind="quiet" onClick={onDiscard}>
                    {c.discard}
                </Button>
                <span class="grow" />
                {left > 0 && <span class="faint">{c.unresolved(left)}</span>}
                <Button kind="primary" busy={busy} disabled={left > 0} onClick={() => onSave(result ?? {})}>
                    {c.save(meeting.theirsVersion + 1)}
                </Button>
            </footer>
        </div>
    );
}
