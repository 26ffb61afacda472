// Times as people read them: how long ago, in the reader's zone, with the exact UTC on hover. One clock moves them all.
import { signal } from "@preact/signals";

export const now = signal(Date.now());
setInterval(() => {
    if (!document.hidden) now.value = Date.now();
}, 1000);

export const ms = (utc: string) => Date.parse(utc);

const units: [string, number][] = [
    ["d", 86_400_000],
    ["h", 3_600_000],
    ["m", 60_000],
    ["s", 1000],
];

// 3d 4h, 12m 5s, 340ms: the two largest units.
export function duration(milliseconds: number): string {
    const time = Math.abs(milliseconds);
    if (time < 1000) return `${Math.round(time)}ms`;
    const first = units.findIndex(([, size]) => time >= size);
    const [name, size] = units[first]!;
    const whole = Math.floor(time / size);
    const next = units[first + 1];
    const rest = next ? Math.floor((time % size) / next[1]) : 0;
    return rest > 0 && whole < 10 ? `${whole}${name} ${rest}${next![0]}` : `${whole}${name}`;
}

const sameDay = (a: Date, b: Date) => a.toDateString() === b.toDateString();
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const year = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export function local(utc: string): string {
    const date = new Date(utc);
    const today = new Date(now.peek());
    if (sameDay(date, today)) return clock.format(date);
    return (date.getFullYear() === today.getFullYear() ? day : year).format(date);
}

// A time as the fields of a form have it, in the reader's zone, to the minute; nothing for what is no time.
export function toInput(utc: string | undefined): string {
    const date = new Date(utc ?? "");
    if (Number.isNaN(date.getTime())) return "";
    return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export const fromInput = (text: string) => (text ? new Date(text).toISOString() : "");

export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
