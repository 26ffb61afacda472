// A table that draws only the rows one sees: a hundred thousand scroll like ten. Rows have one height.
import { type ComponentChildren } from "preact";
import { t } from "../texts";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

interface Props<Row> {
    rows: Row[];
    height: number;
    label: string;
    columns: { id: string; label: string; class?: string }[];
    rowKey: (row: Row) => string;
    cells: (row: Row) => ComponentChildren;
    href: (row: Row) => string;
    onOpen: (row: Row) => void;
    onEnd?: () => void;
    selected?: Set<string>;
    onSelect?: (row: Row, to: boolean) => void;
    rowClass?: (row: Row) => string;
    template: string;
}

const spare = 8;

export function VirtualRows<Row>(props: Props<Row>) {
    const { rows, height } = props;
    const box = useRef<HTMLDivElement>(null);
    const [top, setTop] = useState(0);
    const [space, setSpace] = useState(600);
    const [active, setActive] = useState(-1);
    useLayoutEffect(() => {
        const element = box.current!;
        const measure = new ResizeObserver(() => setSpace(element.clientHeight));
        measure.observe(element);
        return () => measure.disconnect();
    }, []);
    const first = Math.max(0, Math.floor(top / height) - spare);
    const last = Math.min(rows.length, Math.ceil((top + space) / height) + spare);
    useEffect(() => {
        if (last >= rows.length - 30) props.onEnd?.();
    }, [last, rows.length]);
    const show = (index: number) => {
        const element = box.current!;
        setActive(index);
        if (index * height < element.scrollTop) element.scrollTop = index * height;
        if ((index + 1) * height > element.scrollTop + element.clientHeight - 40) element.scrollTop = (index + 1) * height - element.clientHeight + 40;
    };
    const onKey = (event: KeyboardEvent) => {
        if ((event.target as Element).closest("input, textarea, select")) return;
        const row = rows[active];
        const moves: Record<string, number> = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1, PageDown: 15, PageUp: -15 };
        if (event.key in moves && !event.metaKey && !event.ctrlKey) {
            event.preventDefault();
            show(Math.min(rows.length - 1, Math.max(0, active + moves[event.key]!)));
        } else if (event.key === "Enter" && row && !(event.target as Element).closest("a, button")) props.onOpen(row);
        else if (event.key === "x" && row && props.onSelect) props.onSelect(row, !props.selected?.has(props.rowKey(row)));
        else if (event.key === "Home") show(0);
        else if (event.key === "End") show(rows.length - 1);
    };
    useEffect(() => {
        const listener = (event: KeyboardEvent) => {
            const target = event.target as Element;
            if (target === document.body || target.id === "content") onKey(event);
        };
        document.addEventListener("keydown", listener);
        return () => document.removeEventListener("keydown", listener);
    });
    return (
        <div class="rows" style={{ "--columns": props.template }} role="table" aria-label={props.label} aria-rowcount={rows.length + 1}>
            <div class="row row-head" role="row" aria-rowindex={1}>
                {props.columns.map((column) => (
                    <span key={column.id} role="columnheader" class={column.class}>
                        {column.label || <span class="unseen">{t.workflows.select}</span>}
                    </span>
                ))}
            </div>
            <div
                class="rows-box"
                ref={box}
                role="rowgroup"
                tabIndex={0}
                aria-label={props.label}
                onScroll={() => setTop(box.current!.scrollTop)}
                onKeyDown={onKey}
            >
                <div class="rows-space" role="presentation" style={{ height: `${rows.length * height}px` }}>
                    <div class="rows-shown" role="presentation" style={{ transform: `translateY(${first * height}px)` }}>
                        {rows.slice(first, last).map((row, i) => {
                            const key = props.rowKey(row);
                            const index = first + i;
                            return (
                                <div
                                    key={key}
                                    class={"row" + (index === active ? " active" : "") + (props.selected?.has(key) ? " selected" : "") + (props.rowClass ? " " + props.rowClass(row) : "")}
                                    role="row"
                                    aria-rowindex={index + 2}
                                    data-key={key}
                                    onClick={(event) => {
                                        if ((event.target as Element).closest("a, button, input, label")) return;
                                        setActive(index);
                                        props.onOpen(row);
                                    }}
                                >
                                    {props.cells(row)}
                                </div>
                            );
                        })}
                    </div>
                </div>
            </div>
        </div>
    );
}
