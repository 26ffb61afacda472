// The screens that navigation, palette and keyboard lead to, listed once.
import type { IconName } from "../ui/icons";
import type { ScreenName } from "./router";
import { may, type Right } from "./session";
import { t } from "../texts";

export interface Destination {
    screen: ScreenName;
    path: string;
    label: string;
    icon: IconName;
    key: string; // pressed after g
    right?: Right; // absent: who reads
}

export const groups: { group: string; items: Destination[] }[] = [
    {
        group: t.nav.groups.work,
        items: [
            { screen: "overview", path: "/", label: t.nav.overview, icon: "overview", key: "o" },
            { screen: "workflows", path: "/workflows", label: t.nav.workflows, icon: "workflows", key: "w" },
            { screen: "tasks", path: "/tasks", label: t.nav.tasks, icon: "tasks", key: "t", right: "enter" },
            { screen: "definitions", path: "/definitions", label: t.nav.definitions, icon: "definitions", key: "d" },
        ],
    },
    {
        group: t.nav.groups.trouble,
        items: [
            { screen: "jobs", path: "/jobs", label: t.nav.jobs, icon: "alert", key: "i" },
            { screen: "deadLetters", path: "/dead-letters", label: t.nav.deadLetters, icon: "letters", key: "l", right: "readAll" },
            { screen: "events", path: "/events", label: t.nav.events, icon: "events", key: "e", right: "readAll" },
            { screen: "conflicts", path: "/conflicts", label: t.nav.conflicts, icon: "conflicts", key: "c", right: "readAll" },
        ],
    },
    {
        group: t.nav.groups.system,
        items: [
            { screen: "schedules", path: "/schedules", label: t.nav.schedules, icon: "clock", key: "h", right: "readAll" },
            { screen: "bulkJobs", path: "/bulk-jobs", label: t.nav.bulkJobs, icon: "filter", key: "b", right: "readAll" },
            { screen: "webhooks", path: "/webhooks", label: t.nav.webhooks, icon: "send", key: "k", right: "readAll" },
            { screen: "nodes", path: "/nodes", label: t.nav.nodes, icon: "nodes", key: "n", right: "readAll" },
            { screen: "audit", path: "/audit", label: t.nav.audit, icon: "shield", key: "a", right: "administer" },
            { screen: "settings", path: "/settings", label: t.nav.settings, icon: "settings", key: "s", right: "enter" },
        ],
    },
];

// Whether the one who uses the page may go there.
export const open = (place: Destination) => may(place.right ?? "read");

export const destinations = groups.flatMap(({ items }) => items);
