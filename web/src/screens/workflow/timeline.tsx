// The timeline as a Gantt chart: one lane for each step, wait, task or element.
import { useMemo, useState } from "preact/hooks";
import { duration, local, now } from "../../model/time";
import { timelineOf, type Bar } from "../../model/timeline";
import type { HistoryRow, Workflow } from "../../model/types";
import { t } from "../../texts";
import { Button, cx } from "../../ui/basics";
import { JsonView, visible } from "../../ui/json_view";
import { Icon, type IconName } from "../../ui/icons";

const icons: Record<Bar["kind"], IconName> = { step: "step", wait: "waiting", attempt: "undo", task: "user", element: "definitions", pause: "pause", incident: "alert" };

function ticks(from: number, to: number): number[] {
    const span = Math.max(to - from, 1);
    const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 3e4, 6e4, 12e4, 3e5, 6e5, 18e5, 36e5, 108e5, 216e5, 864e5, 1728e5, 6048e5, 2592e6];
    const step = steps.find((one) => span / one <= 7) ?? span / 5;
    return Array.from({ length: Math.floor(span / step) + 1 }, (_, i) => i * step);
}

export function TimelineTab({ workflow, rows, nameOf }: { workflow: Workflow; rows: HistoryRow[]; nameOf: (element: string) => string }) {
    const line = useMemo(() => timelineOf(rows, workflow.completedAt, nameOf), [rows, workflow.completedAt, nameOf]);
    const [picked, setPicked] = useState<Bar | null>(null);
    const end = Math.max(line.to ?? now.value, line.from + 1);
    const span = end - line.from;
    const share = (at: number) => `${(Math.min(Math.max((at - line.from) / span, 0), 1) * 100).toFixed(3)}%`;
    const place = (bar: Bar) => ({ left: share(bar.from), width: `${(Math.max(((bar.to ?? end) - bar.from) / span, 0) * 100).toFixed(3)}%` });
    return (
        <div class="gantt-box">
            <div class="gantt" role="group" aria-label={t.workflow.tabs.timeline}>
                <div class="gantt-axis" aria-hidden="true">
                    {ticks(line.from, end).map((at) => (
                        <span key={at} style={{ left: share(line.from + at) }}>
                            {at === 0 ? local(new Date(line.from).toISOString()) : "+" + duration(at)}
                        </span>
                    ))}
                </div>
                <div class="lane">
                    <span class="lane-label faint">{t.workflow.tabs.state}</span>
                    <div class="lane-bars">
                        {line.points.map((point) => (
                            <span key={point.version} class={cx("point", point.kind, point.type)} style={{ left: share(point.at) }} title={`${t.history.types[point.type]} · ${t.workflow.version} ${point.version} · ${local(new Date(point.at).toISOString())}`} />
                        ))}
                    </div>
                </div>
                {line.lanes.slice(0, 400).map((lane) => (
                    <div class="lane" key={lane.id}>
                        <span class="lane-label" title={visible(lane.label)}>
                            <Icon name={icons[lane.bars[0]!.kind]} /> <span>{visible(lane.label)}</span>
                        </span>
                        <div class="lane-bars">
                            {lane.bars.map((bar) => (
                                <button
                                    key={bar.version}
                                    type="button"
                                    class={cx("bar", "b-" + bar.kind, bar.failed && "bad", bar.to === null && "open", picked === bar && "picked")}
                                    style={place(bar)}
                                    aria-label={`${visible(bar.label)}, ${duration((bar.to ?? end) - bar.from)}${bar.to === null ? ", " + t.workflow.now : ""}`}
                                    title={`${visible(bar.label)}\n${duration((bar.to ?? end) - bar.from)}`}
                                    onClick={() => setPicked(bar)}
                                >
                                    <span>{duration((bar.to ?? end) - bar.from)}</span>
                                </button>
                            ))}
                        </div>
                    </div>
                ))}
            </div>
            {picked && (
                <section class="card gantt-detail" aria-label={picked.label}>
                    <h2>
                        <Icon name={icons[picked.kind]} /> {visible(picked.label)} <small>{duration((picked.to ?? end) - picked.from)}</small>
                        <Button kind="quiet" icon="cross" label={t.close} onClick={() => setPicked(null)} />
                    </h2>
                    <JsonView value={picked.detail ?? null} />
                </section>
            )}
        </div>
    );
}
