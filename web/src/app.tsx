// The frame around every screen: navigation, connection, palette, keyboard.
import { useEffect, useState } from "preact/hooks";
import { place, go, type ScreenName } from "./model/router";
import { groups, open } from "./model/places";
import { connection, lastHeard, reconnections } from "./model/live";
import { duration, now } from "./model/time";
import { enter, locked, look, may, scope, scopes, session } from "./model/session";
import { theme, type Theme } from "./model/theme";
import { useLoad } from "./model/load";
import { api } from "./model/api";
import { t } from "./texts";
import { Button, Empty } from "./ui/basics";
import { Dialog, Notes } from "./ui/dialog";
import { Icon, Mark, type IconName } from "./ui/icons";
import { Palette, paletteOpen } from "./ui/palette";
import { StartDialog, startOpen } from "./screens/start_dialog";
import { keysOpen, watchKeys } from "./model/keys";
import { Audit } from "./screens/audit";
import { Overview } from "./screens/overview";
import { Workflows } from "./screens/workflows";
import { WorkflowScreen } from "./screens/workflow";
import { Tasks } from "./screens/tasks";
import { Definitions } from "./screens/definitions";
import { DefinitionScreen } from "./screens/definition";
import { Events } from "./screens/events";
import { DeadLetters } from "./screens/dead_letters";
import { Conflicts } from "./screens/conflicts";
import { BulkJobs } from "./screens/bulk_jobs";
import { JobsScreen } from "./screens/jobs";
import { Nodes } from "./screens/nodes";
import { Schedules } from "./screens/schedules";
import { Settings } from "./screens/settings";
import { Webhooks } from "./screens/webhooks";
import { NoRole, SignIn } from "./screens/sign_in";

const parents: Partial<Record<ScreenName, ScreenName>> = { workflow: "workflows", task: "tasks", definition: "definitions" };

function Navigation({ shown, onPick }: { shown: boolean; onPick: () => void }) {
    const here = place.value.screen;
    const tasks = useLoad(() => api.tasks({ state: "open", limit: 100 }), [session.value, scope.value], (change) => change.kind === "task" || /Task/.test(change.type));
    const letters = useLoad(() => (may("readAll") ? api.deadLetters({ limit: 100 }) : Promise.resolve(undefined)), [session.value, may("readAll")], (change) => /Incident|deadLetter/.test(change.type + change.kind));
    const counts: Partial<Record<ScreenName, string>> = {};
    const count = (page?: { items: unknown[]; nextCursor: string | null }) => (page && page.items.length ? `${page.items.length}${page.nextCursor ? "+" : ""}` : undefined);
    counts.tasks = count(tasks.value);
    counts.deadLetters = count(letters.value);
    return (
        <nav class={shown ? "nav open" : "nav"} aria-label={t.nav.label}>
            <a class="brand" href="/" onClick={onPick}>
                <Mark />
                <span>{t.name}</span>
            </a>
            <button type="button" class="jump" onClick={() => (paletteOpen.value = true)}>
                <Icon name="search" />
                <span>{t.palette.open}</span>
                <kbd>⌘K</kbd>
            </button>
            {scopes.value.length > 0 && (
                <label class="scope">
                    <span>{t.nav.scope}</span>
                    <select value={scope.value} onChange={(event) => look(event.currentTarget.value)}>
                        {scopes.value.map((key) => (
                            <option key={key} value={key}>
                                {key}
                            </option>
                        ))}
                    </select>
                </label>
            )}
            <div class="nav-links">
                {groups.filter(({ items }) => items.some(open)).map(({ group, items }) => (
                    <section key={group}>
                        <h2>{group}</h2>
                        <ul>
                            {items.filter(open).map((item) => {
                                const current = here === item.screen || (here && parents[here] === item.screen);
                                return (
                                    <li key={item.path}>
                                        <a href={item.path} aria-current={current ? "page" : undefined} onClick={onPick}>
                                            <Icon name={item.icon} />
                                            <span>{item.label}</span>
                                            {counts[item.screen] && <span class="count">{counts[item.screen]}</span>}
                                        </a>
                                    </li>
                                );
                            })}
                        </ul>
                    </section>
                ))}
            </div>
            <div class="nav-foot">
                <Connection />
                <ThemeSwitch />
            </div>
        </nav>
    );
}

function Connection() {
    const state = connection.value;
    const quiet = lastHeard.value ? duration(now.value - lastHeard.value) : "";
    return (
        <span class={`connection ${state}`} role="status" title={state === "lost" ? t.live.lostLong : state === "quiet" ? t.live.quietLong : undefined}>
            <i aria-hidden="true" />
            {t.live[state]}
            {state === "lost" && quiet && <small> · {t.live.since(quiet)}</small>}
        </span>
    );
}

function ThemeSwitch() {
    const next: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };
    const icons: Record<Theme, IconName> = { system: "screen", light: "sun", dark: "moon" };
    return (
        <Button
            kind="quiet"
            icon={icons[theme.value]}
            label={`${t.theme.label}: ${t.theme[theme.value]}`}
            onClick={() => (theme.value = next[theme.value])}
        />
    );
}

function KeysDialog() {
    return (
        <Dialog title={t.keys.title} onClose={() => (keysOpen.value = false)}>
            <dl class="dialog-body keys">
                {t.keys.rows.map(([keys, text]) => (
                    <div key={keys}>
                        <dt>
                            <kbd>{keys}</kbd>
                        </dt>
                        <dd>{text}</dd>
                    </div>
                ))}
            </dl>
        </Dialog>
    );
}

function Screen() {
    const { screen, params } = place.value;
    if (!may("read") && screen !== "settings" && screen !== "task") return <Tasks />;
    switch (screen) {
        case "overview":
            return <Overview />;
        case "workflows":
            return <Workflows />;
        case "workflow":
            return <WorkflowScreen key={params["id"]} id={params["id"]!} />;
        case "tasks":
        case "task":
            return <Tasks picked={params["id"]} />;
        case "definitions":
            return <Definitions />;
        case "definition":
            return <DefinitionScreen key={params["key"]} name={params["key"]!} />;
        case "events":
            return <Events />;
        case "deadLetters":
            return <DeadLetters />;
        case "conflicts":
            return <Conflicts />;
        case "jobs":
            return <JobsScreen />;
        case "bulkJobs":
            return <BulkJobs />;
        case "schedules":
            return <Schedules />;
        case "webhooks":
            return <Webhooks />;
        case "nodes":
            return <Nodes />;
        case "audit":
            return <Audit />;
        case "settings":
            return <Settings />;
        default:
            return (
                <Empty title={t.page404.title}>
                    <a href="/">{t.page404.back}</a>
                </Empty>
            );
    }
}

export function App() {
    const [menu, setMenu] = useState(false);
    useEffect(() => watchKeys(go), []);
    useEffect(() => void api.me().then(enter, () => undefined), [session.value, reconnections.value]);
    if (locked.value) return <SignIn />;
    if (!may("enter")) return <NoRole />;
    return (
        <div class="frame">
            <a class="skip" href="#content" onClick={(event) => (event.preventDefault(), document.getElementById("content")?.focus())}>
                {t.skip}
            </a>
            <div class="topbar">
                <Button kind="quiet" icon="menu" label={t.nav.menu} aria-expanded={menu} onClick={() => setMenu(!menu)} />
                <a class="brand" href="/">
                    <Mark />
                    <span>{t.name}</span>
                </a>
                <Button kind="quiet" icon="search" label={t.palette.open} onClick={() => (paletteOpen.value = true)} />
            </div>
            <Navigation shown={menu} onPick={() => setMenu(false)} />
            {menu && <div class="shade" onClick={() => setMenu(false)} />}
            <div class="main">
                {connection.value === "lost" && (
                    <p class="banner" role="alert">
                        <Icon name="alert" /> {t.live.lostLong}
                    </p>
                )}
                <main id="content" tabIndex={-1}>
                    <Screen />
                </main>
            </div>
            {paletteOpen.value && <Palette />}
            {keysOpen.value && <KeysDialog />}
            {startOpen.value && <StartDialog />}
            <Notes />
        </div>
    );
}
