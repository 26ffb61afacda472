// Dialogs and notes. A dialog is the browser's own: it traps the focus, Escape closes it.
import { signal } from "@preact/signals";
import { type ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { t } from "../texts";
import { Button, ProblemText, cx } from "./basics";

interface DialogProps {
    title: string;
    onClose: () => void;
    children: ComponentChildren;
    size?: "small" | "wide" | "full";
    bare?: boolean;
}

export function Dialog({ title, onClose, children, size, bare }: DialogProps) {
    const element = useRef<HTMLDialogElement>(null);
    // Before it is painted: whoever is quick with the keys types into it, and Escape closes it.
    useLayoutEffect(() => {
        const dialog = element.current!;
        const before = document.activeElement as HTMLElement | null;
        dialog.showModal();
        dialog.querySelector<HTMLElement>("[data-first]")?.focus();
        return () => {
            dialog.close();
            before?.focus?.();
        };
    }, []);
    return (
        <dialog
            ref={element}
            class={cx("dialog", size, bare && "bare")}
            aria-label={title}
            onCancel={(event) => {
                event.preventDefault();
                onClose();
            }}
            onMouseDown={(event) => event.target === element.current && onClose()}
        >
            {!bare && (
                <header class="dialog-head">
                    <h2>{title}</h2>
                    <Button kind="quiet" icon="cross" label={t.close} onClick={onClose} />
                </header>
            )}
            {children}
        </dialog>
    );
}

interface ActionProps {
    title: string;
    verb: string;
    danger?: boolean;
    text?: string;
    onClose: () => void;
    run: () => Promise<void>;
    children?: ComponentChildren;
    size?: "small" | "wide" | "full";
    disabled?: boolean;
}

// A dialog that does one thing, and shows why it could not.
export function ActionDialog({ title, verb, danger, text, onClose, run, children, size = "small", disabled }: ActionProps) {
    const [busy, setBusy] = useState(false);
    const [problem, setProblem] = useState<unknown>(null);
    const submit = async (event: Event) => {
        event.preventDefault();
        setBusy(true);
        setProblem(null);
        try {
            await run();
            onClose();
        } catch (error) {
            setProblem(error);
            setBusy(false);
        }
    };
    return (
        <Dialog title={title} onClose={onClose} size={size}>
            <form class="dialog-body" onSubmit={submit}>
                {text && <p>{text}</p>}
                {children}
                {problem !== null && <ProblemText problem={problem} />}
                <footer class="dialog-foot">
                    <Button onClick={onClose}>{t.close}</Button>
                    <Button type="submit" kind={danger ? "danger" : "primary"} busy={busy} disabled={disabled}>
                        {verb}
                    </Button>
                </footer>
            </form>
        </Dialog>
    );
}

interface Note {
    id: number;
    text: string;
    tone: "good" | "bad";
}

const notes = signal<Note[]>([]);
let nextNote = 1;

export function say(text: string, tone: Note["tone"] = "good") {
    const note = { id: nextNote++, text, tone };
    notes.value = [...notes.value.slice(-3), note];
    setTimeout(() => (notes.value = notes.value.filter((other) => other !== note)), tone === "bad" ? 8000 : 3500);
}

export function sayProblem(problem: unknown) {
    say((problem as Error).message, "bad");
}

export function Notes() {
    return (
        <div class="notes" role="status" aria-live="polite">
            {notes.value.map((note) => (
                <p key={note.id} class={cx("note", note.tone)}>
                    {note.text}
                </p>
            ))}
        </div>
    );
}

export function Menu({ label, children, icon = "more" }: { label: string; children: (close: () => void) => ComponentChildren; icon?: "more" | "down" }) {
    const [open, setOpen] = useState(false);
    const root = useRef<HTMLDivElement>(null);
    useEffect(() => {
        if (!open) return;
        const outside = (event: Event) => !root.current?.contains(event.target as Node) && setOpen(false);
        document.addEventListener("pointerdown", outside);
        root.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
        return () => document.removeEventListener("pointerdown", outside);
    }, [open]);
    const move = (by: number) => {
        const items = [...(root.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
        items[(items.indexOf(document.activeElement as HTMLElement) + by + items.length) % items.length]?.focus();
    };
    return (
        <div
            class="menu"
            ref={root}
            onKeyDown={(event) => {
                if (!open) return;
                if (event.key === "Escape") (event.stopPropagation(), setOpen(false), root.current?.querySelector("button")?.focus());
                if (event.key === "ArrowDown") (event.preventDefault(), move(1));
                if (event.key === "ArrowUp") (event.preventDefault(), move(-1));
            }}
        >
            <Button icon={icon} label={label} aria-haspopup="menu" aria-expanded={open} onClick={() => setOpen(!open)} />
            {open && (
                <div class="menu-items" role="menu" aria-label={label}>
                    {children(() => setOpen(false))}
                </div>
            )}
        </div>
    );
}

export function MenuItem({ children, onPick, danger, disabled }: { children: ComponentChildren; onPick: () => void; danger?: boolean; disabled?: boolean }) {
    return (
        <button type="button" role="menuitem" class={cx("menu-item", danger && "danger")} disabled={disabled} onClick={onPick}>
            {children}
        </button>
    );
}
