// The keyboard: single keys and "g then x" sequences, never while somebody types.
import { signal } from "@preact/signals";
import { paletteOpen } from "../ui/palette";
import { destinations, open } from "./places";

export const keysOpen = signal(false);

const destination = (key: string) => destinations.find((one) => one.key === key && open(one));

const typing = (target: EventTarget | null) =>
    target instanceof Element && (target.closest("input, textarea, select, [contenteditable]") !== null || document.querySelector("dialog[open]") !== null);

export function watchKeys(go: (path: string) => void): () => void {
    let pending = 0;
    const listener = (event: KeyboardEvent) => {
        if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
            event.preventDefault();
            paletteOpen.value = !paletteOpen.value;
            return;
        }
        if (typing(event.target) || event.metaKey || event.ctrlKey || event.altKey) return;
        if (pending && Date.now() - pending < 1200 && destination(event.key)) {
            event.preventDefault();
            pending = 0;
            go(destination(event.key)!.path);
            return;
        }
        pending = event.key === "g" ? Date.now() : 0;
        if (event.key === "?") keysOpen.value = true;
        if (event.key === "/") {
            const search = document.querySelector<HTMLElement>("[data-search]");
            if (search) (event.preventDefault(), search.focus());
        }
        if (event.key === "[" || event.key === "]") stepTab(event.key === "]" ? 1 : -1);
        if (event.key === "e") document.querySelector<HTMLElement>("[data-key-e]")?.click();
    };
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
}

function stepTab(by: number) {
    const tabs = [...document.querySelectorAll<HTMLElement>("[role=tab]")];
    const now = tabs.findIndex((tab) => tab.getAttribute("aria-selected") === "true");
    if (now >= 0) tabs[(now + by + tabs.length) % tabs.length]!.click();
}
