// The diagram of a process with its tokens: now, or at any moment of its history.
import { useMemo, useState } from "preact/hooks";
import { activeElements } from "../../model/timeline";
import type { HistoryRow } from "../../model/types";
import { t } from "../../texts";
import { Button, When } from "../../ui/basics";
import { BpmnDiagram } from "../../ui/bpmn_diagram";

export function DiagramTab({ source, rows, process }: { source: string; rows: HistoryRow[]; process: string }) {
    const moves = useMemo(() => rows.filter((row) => activeElements(row) !== undefined), [rows]);
    const [at, setAt] = useState<number | null>(null); // null: now
    const index = at === null ? moves.length - 1 : Math.min(at, moves.length - 1);
    const move = moves[index];
    const ended = at === null && rows.some((row) => ["Succeeded", "Failed", "Cancelled"].includes(row.type));
    const tokens = useMemo(() => {
        const counts = new Map<string, number>();
        for (const element of (move && !ended && activeElements(move)) || []) counts.set(element, (counts.get(element) ?? 0) + 1);
        return counts;
    }, [move, ended]);
    const visited = useMemo(() => new Set(moves.slice(0, index + 1).flatMap((row) => activeElements(row) ?? [])), [moves, index]);
    return (
        <>
            <BpmnDiagram source={source} process={process} tokens={tokens} visited={visited} />
            {moves.length > 1 && (
                <div class="replay">
                    <Button kind="quiet" icon="left" label={t.workflow.replay} disabled={index <= 0} onClick={() => setAt(index - 1)} />
                    <input
                        type="range"
                        min={0}
                        max={moves.length - 1}
                        value={index}
                        aria-label={t.workflow.replay}
                        onInput={(event) => setAt(Number(event.currentTarget.value) === moves.length - 1 ? null : Number(event.currentTarget.value))}
                    />
                    <Button kind="quiet" icon="right" label={t.workflow.replay} disabled={index >= moves.length - 1} onClick={() => setAt(index + 1 >= moves.length - 1 ? null : index + 1)} />
                    <span class="faint">{at === null ? t.workflow.now : move && <When at={move.at} form="both" />}</span>
                </div>
            )}
        </>
    );
}
