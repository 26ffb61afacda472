// What the server runs with, setting by setting, and where each comes from. Nothing can be changed here.
import { useState } from "preact/hooks";
import { api } from "../model/api";
import { useLoad } from "../model/load";
import type { Setting } from "../model/types";
import { t } from "../texts";
import { ProblemText, Segmented, Tag } from "../ui/basics";
import { visible } from "../ui/json_view";
import { SimpleTable } from "../ui/simple_table";

const s = t.serverSettings;

function Value({ setting }: { setting: Setting }) {
    if (setting.sameAs) return <span class="faint">{s.sameAs(setting.sameAs)}</span>;
    if (setting.values.every((value) => value === "")) return <span class="faint">{s.notSet}</span>;
    return (
        <span class="setting-values">
            {setting.values.map((value) => (
                <code key={value}>{visible(value)}</code>
            ))}
        </span>
    );
}

function origin(setting: Setting): string {
    if (setting.source === "flag") return `--${setting.name}`;
    return setting.source === "environment" ? setting.variable! : s.sources[setting.source];
}

const row = (setting: Setting) => ({
    key: setting.name,
    cells: [
        <span class="setting-name" title={setting.variable ?? undefined}>
            <b>{setting.name}</b>
            <small>{setting.text}</small>
        </span>,
        <Value setting={setting} />,
        setting.source === "default" ? <span class="faint">{s.sources.default}</span> : <Tag tone="info">{origin(setting)}</Tag>,
    ],
});

export function ServerSettings() {
    const { value, problem, again } = useLoad(() => api.settings(), []);
    const [shown, setShown] = useState<"all" | "changed">("all");
    if (!value) return problem ? <ProblemText problem={problem} again={again} /> : null;
    const changed = value.items.filter((one) => one.source !== "default");
    return (
        <section class="card pad server-settings" aria-label={s.title}>
            <h2>{s.title}</h2>
            <p class="faint">{s.hint}</p>
            <Segmented
                label={s.title}
                value={shown}
                options={[
                    ["all", s.all, value.items.length],
                    ["changed", s.changed, changed.length],
                ]}
                onPick={setShown}
            />
            {shown === "changed" && changed.length === 0 ? <p class="faint">{s.noneChanged}</p> : <SimpleTable label={s.title} columns={s.columns} rows={(shown === "all" ? value.items : changed).map(row)} />}
        </section>
    );
}
