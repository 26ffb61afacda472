// Who uses the page: the server's token, and the person who acts on tasks. Kept for this tab only.
import { signal } from "@preact/signals";

const stored = (name: string) => {
    try {
        return sessionStorage.getItem(name) ?? "";
    } catch {
        return "";
    }
};

export const token = signal(stored("token"));
// The server refused the token, or wants one.
export const locked = signal(false);
export const person = signal(stored("person"));
export const groups = signal<string[]>(stored("groups").split(",").filter(Boolean));

function keep(name: string, value: string) {
    try {
        sessionStorage.setItem(name, value);
    } catch {
        // A browser that keeps nothing asks again after a reload.
    }
}

export function enterToken(value: string) {
    token.value = value.trim();
    keep("token", token.value);
    locked.value = false;
}

export function becomePerson(name: string, memberOf: string[]) {
    person.value = name.trim();
    groups.value = memberOf;
    keep("person", person.value);
    keep("groups", memberOf.join(","));
}

// What the one who uses the page may do. One token admits everything today; roles will decide here.
export type Right = "enter" | "read" | "operate" | "answer" | "administer";
export const may = (_right: Right) => true;
