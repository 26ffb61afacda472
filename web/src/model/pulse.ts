// What the stream told since the page was opened: changes of each second, and how late timers were.
import { signal } from "@preact/signals";
import { api } from "./api";
import { onChanges, type Change } from "./live";
import { now } from "./time";

export const windowSeconds = 120;

const counts = new Map<number, number>();
const opened = Math.ceil(Date.now() / 1000);
const latenesses = signal<{ at: number; seconds: number | null }[]>([]);

const forget = (before: number) => {
    for (const second of counts.keys()) if (second < before) counts.delete(second);
};

function count(changes: Change[]) {
    for (const change of changes) {
        const second = Math.floor((Date.parse(change.at) || Date.now()) / 1000);
        counts.set(second, (counts.get(second) ?? 0) + 1);
    }
    forget(Date.now() / 1000 - windowSeconds - 5);
}

export interface Series {
    times: number[];
    values: (number | null)[];
}

// The second that runs is not over: it is left out. Before the page was opened nothing is known, which is not zero.
export function throughput(): Series {
    const last = Math.floor(now.value / 1000) - 1;
    const times = Array.from({ length: windowSeconds }, (_, i) => last - windowSeconds + i + 1);
    return { times, values: times.map((second) => (second < opened ? null : (counts.get(second) ?? 0))) };
}

export function lateness(): Series {
    const last = now.value / 1000;
    const points = latenesses.value.filter((one) => one.at > last - windowSeconds);
    const ends = [{ at: last - windowSeconds, seconds: null }, ...points, { at: last, seconds: null }];
    return { times: ends.map((one) => one.at), values: ends.map((one) => one.seconds) };
}

// Sum and count of the histogram; undefined where the server shows no metrics.
export function readLateness(metrics: string): { sum: number; count: number } | undefined {
    const figure = (name: string) => Number(new RegExp(`^holdfast_timer_lateness_seconds_${name} (\\S+)$`, "m").exec(metrics)?.[1]);
    const [sum, total] = [figure("sum"), figure("count")];
    return Number.isFinite(sum) && Number.isFinite(total) ? { sum, count: total } : undefined;
}

// A timer that fires is a change: the server's figures are read again after changes, at most once in two seconds.
export function watchLateness(): () => void {
    let before: { sum: number; count: number } | undefined;
    let timer: number | undefined;
    const read = async () => {
        const found = readLateness(await api.metrics().catch(() => ""));
        timer = undefined;
        if (found && before && found.count > before.count)
            latenesses.value = [...latenesses.value, { at: Date.now() / 1000, seconds: (found.sum - before.sum) / (found.count - before.count) }].slice(-windowSeconds);
        before = found ?? before;
    };
    timer = window.setTimeout(read, 0);
    const stop = onChanges(() => {
        if (!document.hidden) timer ??= window.setTimeout(read, 2000);
    });
    return () => {
        clearTimeout(timer);
        stop();
    };
}

export const watchThroughput = () => onChanges(count);
