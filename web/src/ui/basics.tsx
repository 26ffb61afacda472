// Small parts that every screen uses.
import { type ComponentChildren, type JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { now, duration, local, ms } from "../model/time";
import { Problem } from "../model/api";
import { t } from "../texts";
import { Icon, type IconName } from "./icons";
import type { Workflow } from "../model/types";

export const cx = (...names: (string | false | null | undefined)[]) => names.filter(Boolean).join(" ");

type ButtonProps = {
    kind?: "primary" | "plain" | "quiet" | "danger";
    icon?: IconName;
    busy?: boolean;
    keys?: string;
    label?: string;
} & JSX.HTMLAttributes<HTMLButtonElement> & { disabled?: boolean; type?: "button" | "submit" };

export function Button({ kind = "plain", icon, busy, keys, label, children, class: name, disabled, type = "button", ...rest }: ButtonProps) {
    return (
        <button {...rest} type={type} disabled={disabled || busy} class={cx("button", kind, !children && "only-icon", name as string)} aria-label={label} title={label}>
            {icon && <Icon name={icon} />}
            {children && <span>{children}</span>}
            {keys && <kbd>{keys}</kbd>}
        </button>
    );
}

// A time, how long ago or ahead; the exact UTC on hover and for readers of the screen.
export function When({ at, form = "relative" }: { at: string | null | undefined; form?: "relative" | "local" | "both" }) {
    if (!at) return <span class="faint">–</span>;
    const difference = now.value - ms(at);
    const relative =
        Math.abs(difference) < 1000 ? t.justNow : difference >= 0 ? t.ago(duration(difference)) : t.in(duration(difference));
    return (
        <time dateTime={at} title={`${at.replace("T", " ").replace("Z", " UTC")}\n${new Date(at).toLocaleString()}`}>
            {form === "local" ? local(at) : form === "both" ? `${local(at)} · ${relative}` : relative}
        </time>
    );
}

const glyphs: Record<string, IconName> = {
    running: "running",
    suspended: "waiting",
    succeeded: "check",
    failed: "cross",
    cancelled: "stop",
    paused: "pause",
    incident: "alert",
    quarantined: "shield",
    unwinding: "undo",
};

// Colour never says it alone: each status has its own glyph and its word.
export function StatusMark({ status, text = true }: { status: string; text?: boolean }) {
    return (
        <span class={`status s-${status}`} title={text ? undefined : t.status[status]}>
            <Icon name={glyphs[status] ?? "running"} />
            {text ? t.status[status] ?? status : <span class="unseen">{t.status[status]}</span>}
        </span>
    );
}

// The most urgent thing that can be said about a workflow.
export function statusOf(workflow: Workflow): string {
    if (workflow.quarantined) return "quarantined";
    if (workflow.incident) return "incident";
    if (workflow.paused) return "paused";
    if (workflow.program?.unwinding) return "unwinding";
    return workflow.status;
}

export function Tag({ children, tone }: { children: ComponentChildren; tone?: string }) {
    return <span class={cx("tag", tone)}>{children}</span>;
}

export function Empty({ icon = "leaf", title, children }: { icon?: IconName; title: string; children?: ComponentChildren }) {
    return (
        <div class="empty">
            <Icon name={icon} />
            <p class="empty-title">{title}</p>
            {children && <div class="empty-text">{children}</div>}
        </div>
    );
}

// A command that teaches, ready to copy.
export function Command({ text }: { text: string }) {
    return (
        <div class="command">
            <code tabIndex={0}>{text}</code>
            <CopyButton text={text} />
        </div>
    );
}

export function CopyButton({ text, label = t.copy }: { text: string; label?: string }) {
    const [done, setDone] = useState(false);
    useEffect(() => {
        if (!done) return;
        const timer = setTimeout(() => setDone(false), 1200);
        return () => clearTimeout(timer);
    }, [done]);
    return (
        <Button
            kind="quiet"
            class="copy"
            icon={done ? "check" : "copy"}
            label={done ? t.copied : label}
            onClick={(event) => {
                event.preventDefault();
                event.stopPropagation();
                navigator.clipboard?.writeText(text).then(() => setDone(true), () => undefined);
            }}
        />
    );
}

export function ProblemText({ problem, again }: { problem: unknown; again?: () => void }) {
    const known = problem instanceof Problem ? problem : new Problem(0, "internal", String((problem as Error)?.message ?? problem), "", {});
    const hint = t.problem.hint[known.slug];
    const violations = known.members["violations"];
    return (
        <div class="problem" role="alert">
            <Icon name="alert" />
            <div>
                <p class="problem-title">{known.detail || known.title}</p>
                {hint && <p>{hint}</p>}
                {Array.isArray(violations) && (
                    <ul>
                        {violations.map((v) => {
                            const violation = v as { path?: string; message?: string };
                            return (
                                <li>
                                    <code>{violation.path || "/"}</code> {violation.message}
                                </li>
                            );
                        })}
                    </ul>
                )}
                {again && <Button onClick={again}>{t.retry}</Button>}
            </div>
        </div>
    );
}

export function Field({ label, hint, children, error }: { label: string; hint?: string; children: ComponentChildren; error?: string }) {
    return (
        <label class="field">
            <span class="field-label">{label}</span>
            {children}
            {hint && <span class="field-hint">{hint}</span>}
            {error && (
                <span class="field-error" role="alert">
                    {error}
                </span>
            )}
        </label>
    );
}

export interface TabItem {
    id: string;
    label: string;
    count?: number | string;
}

export function Tabs({ items, active, onPick, label }: { items: TabItem[]; active: string; onPick: (id: string) => void; label: string }) {
    const list = useRef<HTMLDivElement>(null);
    // On a small screen the tabs scroll; the one that is shown is never out of sight.
    useEffect(() => {
        const box = list.current!;
        const tab = box.querySelector<HTMLElement>("[aria-selected=true]");
        if (tab) box.scrollLeft = Math.min(tab.offsetLeft - box.offsetLeft, Math.max(box.scrollLeft, tab.offsetLeft - box.offsetLeft + tab.offsetWidth - box.clientWidth));
    }, [active, items.length]);
    const move = (by: number) => {
        const next = items[(items.findIndex((item) => item.id === active) + by + items.length) % items.length]!;
        onPick(next.id);
        requestAnimationFrame(() => list.current?.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus());
    };
    return (
        <div class="tabs" role="tablist" aria-label={label} ref={list}>
            {items.map((item) => (
                <button
                    key={item.id}
                    type="button"
                    role="tab"
                    data-tab={item.id}
                    id={`tab-${item.id}`}
                    aria-selected={item.id === active}
                    aria-controls="tab-panel"
                    tabIndex={item.id === active ? 0 : -1}
                    onClick={() => onPick(item.id)}
                    onKeyDown={(event) => {
                        if (event.key === "ArrowRight") move(1);
                        if (event.key === "ArrowLeft") move(-1);
                    }}
                >
                    {item.label}
                    {item.count !== undefined && item.count !== 0 && <span class="count">{item.count}</span>}
                </button>
            ))}
        </div>
    );
}

export function Head({ title, children, sub }: { title: ComponentChildren; children?: ComponentChildren; sub?: ComponentChildren }) {
    return (
        <header class="head">
            <div class="head-text">
                <h1>{title}</h1>
                {sub && <p class="sub">{sub}</p>}
            </div>
            {children && <div class="head-actions">{children}</div>}
        </header>
    );
}

export function Segmented<Value extends string>({ value, options, onPick, label }: { value: Value; options: [Value, string, (number | string)?][]; onPick: (value: Value) => void; label: string }) {
    return (
        <div class="segmented" role="group" aria-label={label}>
            {options.map(([id, text, count]) => (
                <button key={id} type="button" aria-pressed={id === value} onClick={() => onPick(id)}>
                    {text}
                    {count !== undefined && <span class="count">{count}</span>}
                </button>
            ))}
        </div>
    );
}

export const shortId = (id: string) => id.slice(0, 8) + "…" + id.slice(-4);

// The name of a workflow for people: its business key, else its id.
export const nameOf = (workflow: { id: string; businessReference: { key: string | null } }) => workflow.businessReference.key ?? shortId(workflow.id);
