// One box that finds everything: places, actions, definitions, and workflows by business key or id.
import { signal } from "@preact/signals";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { api } from "../model/api";
import { destinations, open } from "../model/places";
import { go, to } from "../model/router";
import { may } from "../model/session";
import { theme } from "../model/theme";
import { keysOpen } from "../model/keys";
import { t } from "../texts";
import { StatusMark, nameOf, statusOf } from "./basics";
import { Dialog } from "./dialog";
import { Icon, type IconName } from "./icons";
import type { Definition, Workflow } from "../model/types";
import { startOpen } from "../screens/start_dialog";

export const paletteOpen = signal(false);

interface Choice {
    id: string;
    section: string;
    label: string;
    detail?: string;
    icon?: IconName;
    status?: string;
    run: () => void;
}

const isId = (text: string) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text.trim());

function fixedChoices(): Choice[] {
    const section = t.palette.sections;
    return [
        ...destinations.filter(open).map(({ label, path, icon }) => ({ id: path, section: section.go, label, icon, run: () => go(path) })),
        ...(may("operate") ? [{ id: "start", section: section.actions, label: t.workflows.start, icon: "plus" as IconName, run: () => (startOpen.value = { key: "" }) }] : []),
        ...(may("read") ? [{ id: "failed", section: section.go, label: `${t.nav.workflows}: ${t.status["failed"]}`, icon: "cross" as IconName, run: () => go("/workflows?status=failed") }] : []),
        { id: "light", section: section.actions, label: `${t.theme.label}: ${t.theme.light}`, icon: "sun" as IconName, run: () => (theme.value = "light") },
        { id: "dark", section: section.actions, label: `${t.theme.label}: ${t.theme.dark}`, icon: "moon" as IconName, run: () => (theme.value = "dark") },
        { id: "keys", section: section.actions, label: t.keys.title, icon: "key" as IconName, run: () => (keysOpen.value = true) },
    ];
}

async function find(text: string, signal: AbortSignal): Promise<Workflow[]> {
    if (isId(text)) return [await api.workflow(text.trim())];
    const [exact, recent] = await Promise.all([
        text.trim() ? api.workflows({ businessKey: text.trim(), limit: 5 }, signal) : { items: [] },
        api.workflows({ limit: 200 }, signal),
    ]);
    const wanted = text.toLowerCase();
    const near = recent.items.filter((one) => (one.businessReference.key ?? one.id).toLowerCase().includes(wanted) || one.id.startsWith(wanted));
    const all = new Map([...exact.items, ...near].map((one) => [one.id, one]));
    return [...all.values()].slice(0, 8);
}

function useFound(text: string) {
    const [workflows, setWorkflows] = useState<Workflow[]>([]);
    const [definitions, setDefinitions] = useState<Definition[]>([]);
    useEffect(() => {
        if (may("read")) api.definitions().then((page) => setDefinitions(page.items), () => undefined);
    }, []);
    useEffect(() => {
        if (!may("read")) return;
        const abort = new AbortController();
        const timer = setTimeout(() => find(text, abort.signal).then(setWorkflows, () => setWorkflows([])), 80);
        return () => {
            clearTimeout(timer);
            abort.abort();
        };
    }, [text]);
    return { workflows, definitions };
}

function useChoices(text: string): Choice[] {
    const { workflows, definitions } = useFound(text);
    return useMemo(() => {
        const wanted = text.trim().toLowerCase();
        const fits = (label: string) => wanted.split(/\s+/).every((word) => label.toLowerCase().includes(word));
        const section = t.palette.sections;
        const found: Choice[] = workflows.map((one) => ({
            id: one.id,
            section: section.workflows,
            label: nameOf(one),
            detail: one.definition,
            status: statusOf(one),
            run: () => go(to.workflow(one.id)),
        }));
        const defined: Choice[] = definitions
            .filter((one) => fits(one.key))
            .slice(0, 6)
            .map((one) => ({ id: "d-" + one.key, section: section.definitions, label: one.key, detail: t.definitions.kind[one.kind ?? "outside"], icon: "definitions", run: () => go(to.definition(one.key)) }));
        const fixed = fixedChoices().filter((one) => fits(one.label));
        return wanted ? [...found, ...defined, ...fixed] : [...fixed, ...defined, ...found];
    }, [text, workflows, definitions]);
}

export function Palette() {
    const [text, setText] = useState("");
    const [active, setActive] = useState(0);
    const choices = useChoices(text);
    const list = useRef<HTMLUListElement>(null);
    const close = () => (paletteOpen.value = false);
    const pick = (choice: Choice | undefined) => {
        if (!choice) return;
        close();
        choice.run();
    };
    useEffect(() => setActive(0), [text]);
    useEffect(() => list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" }), [active]);
    const onKey = (event: KeyboardEvent) => {
        const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
        if (moves[event.key]) {
            event.preventDefault();
            setActive((active + moves[event.key]! + choices.length) % Math.max(1, choices.length));
        } else if (event.key === "Enter") {
            event.preventDefault();
            pick(choices[active]);
        }
    };
    return (
        <Dialog title={t.palette.title} onClose={close} bare>
            <div class="palette">
                <div class="palette-input">
                    <Icon name="search" />
                    <input
                        data-first
                        type="text"
                        role="combobox"
                        aria-expanded="true"
                        aria-controls="palette-list"
                        aria-activedescendant={choices[active] ? `choice-${active}` : undefined}
                        aria-label={t.palette.placeholder}
                        placeholder={t.palette.placeholder}
                        spellcheck={false}
                        value={text}
                        onInput={(event) => setText(event.currentTarget.value)}
                        onKeyDown={onKey}
                    />
                    <kbd>Esc</kbd>
                </div>
                <ul id="palette-list" role="listbox" aria-label={t.palette.title} ref={list}>
                    {choices.map((choice, i) => (
                        <li
                            key={choice.id}
                            id={`choice-${i}`}
                            role="option"
                            aria-selected={i === active}
                            data-section={i === 0 || choices[i - 1]!.section !== choice.section ? choice.section : undefined}
                            onPointerMove={() => setActive(i)}
                            onClick={() => pick(choice)}
                        >
                            {choice.status ? <StatusMark status={choice.status} text={false} /> : choice.icon && <Icon name={choice.icon} />}
                            <span class="choice-label">{choice.label}</span>
                            {choice.detail && <span class="choice-detail">{choice.detail}</span>}
                        </li>
                    ))}
                </ul>
                {choices.length === 0 && <p class="palette-none">{t.palette.none}</p>}
            </div>
        </Dialog>
    );
}
