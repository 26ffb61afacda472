// Which screen the address names. Links are ordinary links; clicks on them change the screen without a load.
import { signal } from "@preact/signals";
import screens from "../screens.json";

export type ScreenName = keyof typeof screens;

export interface Place {
    screen: ScreenName | null;
    params: Record<string, string>;
    search: URLSearchParams;
}

// Null: an address that somebody has cut off in the middle of a character.
function decoded(part: string): string | null {
    try {
        return decodeURIComponent(part);
    } catch {
        return null;
    }
}

function matchPath(pattern: string, path: string): Record<string, string> | null {
    const wanted = pattern.split("/");
    const given = path.split("/");
    if (wanted.length !== given.length) return null;
    const params: Record<string, string> = {};
    for (let i = 0; i < wanted.length; ++i) {
        const name = /^\{(\w+)\}$/.exec(wanted[i]!);
        if (name) {
            const value = decoded(given[i]!);
            if (value === null) return null;
            params[name[1]!] = value;
        } else if (wanted[i] !== given[i]) return null;
    }
    return params;
}

function read(): Place {
    for (const [screen, pattern] of Object.entries(screens)) {
        const params = matchPath(pattern, location.pathname);
        if (params) return { screen: screen as ScreenName, params, search: new URLSearchParams(location.search) };
    }
    return { screen: null, params: {}, search: new URLSearchParams() };
}

export const place = signal(read());

export function go(path: string, how: "push" | "replace" = "push") {
    if (path === location.pathname + location.search) return;
    const other = path.split("?")[0] !== location.pathname;
    if (how === "push") history.pushState(null, "", path);
    else history.replaceState(null, "", path);
    place.value = read();
    if (other) {
        document.querySelector(".main")?.scrollTo(0, 0);
        document.getElementById("content")?.focus({ preventScroll: true });
    }
}

export function setSearch(changes: Record<string, string | null | undefined>, how: "push" | "replace" = "replace") {
    const search = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(changes)) {
        if (value) search.set(name, value);
        else search.delete(name);
    }
    const text = search.toString();
    go(location.pathname + (text ? "?" + text : ""), how);
}

export function watchLinks() {
    addEventListener("popstate", () => (place.value = read()));
    document.addEventListener("click", (event) => {
        const link = (event.target as Element).closest?.("a[href]");
        if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || event.button !== 0) return;
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.target || link.origin !== location.origin) return;
        if (link.hasAttribute("download") || link.pathname.startsWith("/api/")) return;
        event.preventDefault();
        go(link.pathname + link.search);
    });
}

export const to = {
    workflow: (id: string) => `/workflows/${id}`,
    task: (id: string) => `/tasks/${id}`,
    definition: (key: string) => `/definitions/${encodeURIComponent(key)}`,
};
