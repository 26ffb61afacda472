// Every accepted change, newest first, with who made it and what it says.
import { useMemo, useState } from "preact/hooks";
import { carriesState } from "../../model/timeline";
import { isObject, type Json } from "../../model/json";
import type { HistoryRow } from "../../model/types";
import { t } from "../../texts";
import { Segmented, When, shortId } from "../../ui/basics";
import { JsonLine, JsonView, visible } from "../../ui/json_view";
import { Icon, type IconName } from "../../ui/icons";

const icons: Record<string, IconName> = {
    Started: "play",
    Forked: "fork",
    StateChanged: "edit",
    Written: "edit",
    Restored: "undo",
    Released: "shield",
    Suspended: "waiting",
    Delivered: "events",
    StepRecorded: "step",
    Succeeded: "check",
    Failed: "cross",
    Cancelled: "stop",
    Paused: "pause",
    Resumed: "play",
    TaskCreated: "user",
    TaskEnded: "tasks",
    IncidentRaised: "alert",
    IncidentSettled: "check",
    Continued: "running",
    Cleared: "trash",
};

// A task has a name of its own; its id says nothing to a reader.
const withoutIds = (text: string) => text.replace(/task\/[0-9a-f-]{36}/g, t.tasks.one);

function title(row: HistoryRow): string {
    const name = t.history.types[row.type] ?? row.type;
    if (!isObject(row.payload)) return name;
    const what = row.payload["name"] ?? row.payload["code"] ?? row.payload["reason"];
    return typeof what === "string" && !carriesState(row) ? `${name}: ${withoutIds(visible(what))}` : name;
}

// The user, and who acted in that name.
const who = (row: HistoryRow) => (row.by ? t.history.inTheNameOf(row.by, row.user!) : row.user!);

function Row({ row }: { row: HistoryRow }) {
    const [open, setOpen] = useState(false);
    return (
        <li class={`h-row h-${row.type}`}>
            <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
                <span class="h-icon">
                    <Icon name={icons[row.type] ?? "step"} />
                </span>
                <span class="h-version">{row.version}</span>
                <span class="h-title">
                    {title(row)}
                    {row.user && <small class="h-user">{who(row)}</small>}
                </span>
                <span class="h-brief">{!open && row.payload !== null && <JsonLine value={row.payload as Json} length={110} />}</span>
                <When at={row.at} form="both" />
            </button>
            {open && (
                <div class="h-more">
                    <JsonView value={row.payload} />
                    <dl class="facts small">
                        {row.user && (
                            <div>
                                <dt>{t.history.by}</dt>
                                <dd>{who(row)}</dd>
                            </div>
                        )}
                        {row.correlation && (
                            <div>
                                <dt>{t.history.correlation}</dt>
                                <dd>{row.correlation}</dd>
                            </div>
                        )}
                        <div>
                            <dt>{t.history.operation}</dt>
                            <dd>{shortId(row.operation)}</dd>
                        </div>
                        <div>
                            <dt>{t.history.hash}</dt>
                            <dd>
                                <code>{row.hash.slice(0, 16)}…</code>
                            </dd>
                        </div>
                    </dl>
                </div>
            )}
        </li>
    );
}

export function HistoryRows({ rows }: { rows: HistoryRow[] }) {
    return (
        <ol class="history">
            {rows.map((row) => (
                <Row key={row.version} row={row} />
            ))}
        </ol>
    );
}

export function HistoryTab({ rows }: { rows: HistoryRow[] }) {
    const [which, setWhich] = useState<"all" | "state">("all");
    const [shown, setShown] = useState(200);
    const found = useMemo(() => [...rows].reverse().filter((row) => which === "all" || carriesState(row)), [rows, which]);
    return (
        <>
            <Segmented
                label={t.history.filter}
                value={which}
                options={[
                    ["all", t.history.everything, rows.length],
                    ["state", t.history.changesOnly],
                ]}
                onPick={setWhich}
            />
            <div class="card">
                <HistoryRows rows={found.slice(0, shown)} />
            </div>
            {found.length > shown && (
                <button type="button" class="button plain" onClick={() => setShown(shown + 500)}>
                    {t.json.more(found.length - shown)}
                </button>
            )}
        </>
    );
}
