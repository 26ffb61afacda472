// A BPMN diagram with tokens or heat on its elements. The viewer is loaded when the first diagram is shown.
import { useEffect, useRef, useState } from "preact/hooks";
import { hasDiagram } from "../model/bpmn";
import { t } from "../texts";
import { ProblemText } from "./basics";
import type { Viewer } from "./bpmn_viewer";

interface Props {
    source: string;
    process: string;
    tokens: Map<string, number>;
    visited?: Set<string>;
    heat?: Map<string, number>;
}

export function BpmnDiagram({ source, tokens, visited, heat }: Props) {
    const box = useRef<HTMLDivElement>(null);
    const viewer = useRef<Viewer | null>(null);
    const [problem, setProblem] = useState<unknown>(null);
    const [ready, setReady] = useState(0);
    const drawn = hasDiagram(source);
    useEffect(() => {
        if (!drawn) return;
        let alive = true;
        setProblem(null);
        import("./bpmn_viewer")
            .then(({ openViewer }) => openViewer(box.current!, source))
            .then((opened) => {
                if (!alive) return opened.close();
                viewer.current = opened;
                setReady((n) => n + 1);
            })
            .catch((error) => alive && setProblem(error));
        return () => {
            alive = false;
            viewer.current?.close();
            viewer.current = null;
        };
    }, [source, drawn]);
    useEffect(() => viewer.current?.show(tokens, visited ?? new Set()), [ready, tokens, visited]);
    useEffect(() => viewer.current?.heat(heat ?? new Map()), [ready, heat]);
    if (!drawn)
        return (
            <div class="no-diagram">
                <p class="faint">{t.definitions.noDiagram}</p>
                <ul class="chips">
                    {[...tokens].map(([element, count]) => (
                        <li key={element} class="tag">
                            {element} · {count}
                        </li>
                    ))}
                </ul>
            </div>
        );
    return (
        <>
            {problem !== null && <ProblemText problem={problem} />}
            <div class="diagram" ref={box} role="figure" aria-label={`${t.definitions.diagram}: ${[...tokens].map(([element, count]) => `${element} ${count}`).join(", ")}`} data-tokens={[...tokens.keys()].join(" ")} />
        </>
    );
}
