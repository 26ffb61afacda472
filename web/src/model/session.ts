// Who uses the page: the one who has signed in, whose session is in a cookie that no script can read, and the person who
// acts on tasks, kept for this tab only.
import { batch, computed, signal } from "@preact/signals";
import type { JsonObject } from "./json";

const stored = (name: string) => {
    try {
        return sessionStorage.getItem(name) ?? "";
    } catch {
        return "";
    }
};

// Counts who signs in and out: what was read for the one before is read again.
export const session = signal(0);
// Nobody has signed in, or the session has ended.
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

// Another credential is another person: nothing of the one before is kept.
function forget() {
    becomePerson("", []);
    look("");
    me.value = null;
    ++session.value;
}

export function signedIn(found: Me) {
    if (stored("credential") !== owner(found)) batch(forget);
    keep("credential", owner(found));
    enter(found);
    ++session.value;
    locked.value = false;
}

export function signedOut() {
    batch(forget);
    locked.value = true;
}

export function becomePerson(name: string, memberOf: string[]) {
    person.value = name.trim();
    groups.value = memberOf;
    keep("person", person.value);
    keep("groups", memberOf.join(","));
}

// Who the credential stands for. Nothing is offered before the server has said so, and nothing that it would refuse.
export interface Me {
    credential: string;
    user: string | null;
    groups: string[];
    roles: string[];
    definitions: string[];
}

export const me = signal<Me | null>(null);

// The same person in another session goes on where the last one ended.
const owner = (one: Me) => [one.user ?? "", ...one.roles, ...one.definitions].join(" ");

const holders = {
    enter: ["viewer", "participant", "operator", "admin"],
    read: ["viewer", "operator", "admin"],
    operate: ["operator", "admin"],
    answer: ["participant", "operator", "admin"],
    administer: ["admin"],
};

const has = (one: Me, right: keyof typeof holders) => one.roles.some((role) => holders[right].includes(role));
// The definitions that a credential is held to; empty: it reaches all.
const heldTo = (one: Me) => (has(one, "administer") ? [] : one.definitions);

// With All: also what is not about a single definition.
export type Right = keyof typeof holders | "readAll" | "operateAll";

export function may(right: Right): boolean {
    if (!me.value) return right === "read" || right === "readAll" || right === "enter";
    if (right === "readAll") return has(me.value, "read") && heldTo(me.value).length === 0;
    if (right === "operateAll") return has(me.value, "operate") && heldTo(me.value).length === 0;
    return has(me.value, right);
}

// A credential for several definitions looks at one after another; empty: there is nothing to choose.
export const scopes = computed(() => (me.value && heldTo(me.value).length > 1 ? heldTo(me.value) : []));
const chosen = signal(stored("scope"));
export const scope = computed(() => (scopes.value.includes(chosen.value) ? chosen.value : (scopes.value[0] ?? "")));

export function look(definition: string) {
    chosen.value = definition;
    keep("scope", definition);
}

// Whom the tasks are for is given by a credential with a name, unless it may act for others.
export const mayBeOthers = () => !me.value?.user || may("operate");

// Who acts on a task, as its requests say it. The name of the credential itself is left to the server.
export function actor(): JsonObject {
    const own = me.value?.user === person.value && me.value.groups.join() === groups.value.join();
    return own || !mayBeOthers() ? {} : { user: person.value, groups: groups.value };
}

// A credential with a name is a person; who has none says whom the tasks are for.
export function enter(found: Me) {
    me.value = found;
    if (found.user && (!person.value || !mayBeOthers())) becomePerson(found.user, found.groups);
}
