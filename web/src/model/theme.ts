import { signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

const known = (value: string | null): Theme => (value === "light" || value === "dark" ? value : "system");

function kept(): Theme {
    try {
        return known(localStorage.getItem("theme"));
    } catch {
        return "system";
    }
}

export const theme = signal<Theme>(kept());

export function applyTheme() {
    theme.subscribe((value) => {
        if (value === "system") delete document.documentElement.dataset["theme"];
        else document.documentElement.dataset["theme"] = value;
        try {
            localStorage.setItem("theme", value);
        } catch {
            // Not kept, still applied.
        }
    });
}
