// A live line chart: one value for each second.
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { theme } from "../model/theme";

const height = 146;

interface Props {
    times: number[];
    values: (number | null)[];
    label: string;
    points?: boolean; // single readings instead of one value for each second
    format: (value: number) => string;
}

// A canvas needs the colour itself, not the variable that names one for each theme.
function colour(element: HTMLElement, name: string): string {
    element.style.color = `var(${name})`;
    const found = getComputedStyle(element).color;
    element.style.color = "";
    return found;
}

const clock = new Intl.DateTimeFormat(undefined, { minute: "2-digit", second: "2-digit" });

const widthOf = (element: HTMLElement) => Math.max(80, element.clientWidth - 20);

function make(element: HTMLElement, props: Props): uPlot {
    const axis = { stroke: colour(element, "--faint"), font: "11px system-ui", grid: { stroke: colour(element, "--line-soft"), width: 1 }, ticks: { show: false } };
    return new uPlot(
        {
            width: widthOf(element),
            height,
            legend: { show: false },
            cursor: { show: false },
            padding: [8, 22, 0, 0],
            scales: { x: { time: true }, y: { range: (_u, _min, max) => [0, max > 0 ? max * 1.15 : 1] } },
            axes: [
                { ...axis, space: 90, size: 24, values: (_u, all) => all.map((second) => clock.format(second * 1000)) },
                { ...axis, size: 58, space: 36, values: (_u, all) => all.map((v) => (v === null ? "" : props.format(v))) },
            ],
            series: [{}, { stroke: colour(element, "--accent"), width: 1.5, fill: colour(element, "--accent-wash"), points: { show: props.points === true, size: 4, fill: colour(element, "--accent") }, spanGaps: true }],
        },
        [props.times, props.values] as uPlot.AlignedData,
        element
    );
}

export function Chart(props: Props) {
    const box = useRef<HTMLDivElement>(null);
    const plot = useRef<uPlot>();
    useEffect(() => {
        const element = box.current!;
        const build = () => {
            plot.current?.destroy();
            plot.current = make(element, props);
        };
        build();
        const resized = new ResizeObserver(() => plot.current?.setSize({ width: widthOf(element), height }));
        resized.observe(element);
        const dark = matchMedia("(prefers-color-scheme: dark)");
        dark.addEventListener("change", build);
        return () => {
            resized.disconnect();
            dark.removeEventListener("change", build);
            plot.current?.destroy();
        };
    }, [theme.value]);
    useEffect(() => plot.current?.setData([props.times, props.values] as uPlot.AlignedData), [props.times, props.values]);
    const last = [...props.values].reverse().find((value) => value !== null);
    return <div class="chart" ref={box} role="img" aria-label={`${props.label}: ${last === undefined || last === null ? "–" : props.format(last)}`} />;
}
