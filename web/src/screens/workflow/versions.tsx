// The state through its versions: any two, side by side.
import { useEffect, useMemo } from "preact/hooks";
import type { Json } from "../../model/json";
import { differences } from "../../model/json";
import { carriesState } from "../../model/timeline";
import { place, setSearch } from "../../model/router";
import type { HistoryRow } from "../../model/types";
import { t } from "../../texts";
import { Empty, When, cx, shortId } from "../../ui/basics";
import { JsonDiff } from "../../ui/json_diff";

const v = t.workflow;

export function VersionsTab({ rows }: { rows: HistoryRow[] }) {
    const states = useMemo(() => rows.filter(carriesState), [rows]);
    const params = place.value.search;
    const at = (name: string, fallback: number) => states.find((row) => String(row.version) === params.get(name)) ?? states[Math.max(0, fallback)];
    const after = at("to", states.length - 1);
    const before = at("from", after ? states.indexOf(after) - 1 : 0);
    const pick = (row: HistoryRow) => {
        const index = states.indexOf(row);
        setSearch({ to: String(row.version), from: String(states[Math.max(0, index - 1)]!.version) });
    };
    useEffect(() => document.querySelector(".versions [aria-current=true]")?.scrollIntoView({ block: "nearest" }), [after]);
    if (!before || !after) return null;
    if (states.length === 1)
        return (
            <Empty icon="edit" title={v.onlyVersion}>
                <p>{v.onlyVersionHint}</p>
            </Empty>
        );
    const label = (row: HistoryRow) => `${v.version} ${row.version}`;
    return (
        <div class="split">
            <ol class="versions" aria-label={v.tabs.versions}>
                {[...states].reverse().map((row) => {
                    const index = states.indexOf(row);
                    const changes = index > 0 ? differences(states[index - 1]!.payload, row.payload).length : 0;
                    return (
                        <li key={row.version}>
                            <button type="button" class={cx(row === after && "to", row === before && "from")} aria-current={row === after} onClick={() => pick(row)}>
                                <b>{row.version}</b>
                                <span>
                                    {t.history.types[row.type]}
                                    <small>
                                        {row.user ? v.by(shortId(row.user)) : row.correlation ? v.by(row.correlation) : ""} {index > 0 && v.changes(changes)}
                                    </small>
                                </span>
                                <When at={row.at} />
                            </button>
                        </li>
                    );
                })}
            </ol>
            <section class="card diff-card" aria-label={v.compare}>
                <header class="compare">
                    <label>
                        {v.compare}{" "}
                        <select value={String(before.version)} onChange={(event) => setSearch({ from: event.currentTarget.value, to: String(after.version) })}>
                            {states.map((row) => (
                                <option key={row.version} value={String(row.version)}>
                                    {label(row)}
                                </option>
                            ))}
                        </select>
                    </label>
                    <label>
                        {v.with}{" "}
                        <select value={String(after.version)} onChange={(event) => setSearch({ to: event.currentTarget.value, from: String(before.version) })}>
                            {states.map((row) => (
                                <option key={row.version} value={String(row.version)}>
                                    {label(row)}
                                </option>
                            ))}
                        </select>
                    </label>
                </header>
                <JsonDiff before={before.payload as Json} after={after.payload as Json} beforeLabel={label(before)} afterLabel={label(after)} />
            </section>
        </div>
    );
}
