// Appearance, the person, the server and what it runs with, and retention with its dry run.
import { useState } from "preact/hooks";
import { api } from "../model/api";
import { useLoad } from "../model/load";
import { may, me, type Me } from "../model/session";
import { signOut } from "./sign_in";
import { theme } from "../model/theme";
import { zone } from "../model/time";
import { t } from "../texts";
import { Button, Head, ProblemText, Segmented } from "../ui/basics";
import { ActionDialog } from "../ui/dialog";
import { visible } from "../ui/json_view";
import { ServerSettings } from "./server_settings";

const s = t.settings;
type Report = Awaited<ReturnType<typeof api.runRetention>>["value"];

function Retention() {
    const [report, setReport] = useState<Report | null>(null);
    const [problem, setProblem] = useState<unknown>(null);
    const [busy, setBusy] = useState(false);
    const [asking, setAsking] = useState(false);
    const run = async (dry: boolean) => {
        setBusy(true);
        setProblem(null);
        try {
            setReport((await api.runRetention(dry)).value);
        } catch (error) {
            setProblem(error);
        }
        setBusy(false);
    };
    const window = (name: string, seconds: number) => (seconds === 0 ? (name === "staleAfter" ? s.never : s.forever) : t.seconds(seconds));
    return (
        <section class="card pad" aria-label={s.retention}>
            <h2>{s.retention}</h2>
            <p class="faint">{s.retentionHint}</p>
            <p class="row-buttons">
                <Button busy={busy} onClick={() => run(true)}>
                    {s.dryRun}
                </Button>
                <Button kind="danger" busy={busy} onClick={() => setAsking(true)}>
                    {s.runNow}
                </Button>
            </p>
            {problem !== null && <ProblemText problem={problem} />}
            {report && (
                <div role="status">
                    <p>
                        {s.result(report.deleted, report.cancelled, report.rows, report.dryRun)} {report.more && s.more}
                    </p>
                    <dl class="facts">
                        {Object.entries(report.windows).map(([name, seconds]) => (
                            <div key={name}>
                                <dt>{s.windows[name] ?? name}</dt>
                                <dd>{window(name, seconds)}</dd>
                            </div>
                        ))}
                    </dl>
                </div>
            )}
            {asking && <ActionDialog title={s.runNow} text={s.runConfirm} verb={s.runNow} danger onClose={() => setAsking(false)} run={() => run(false)} />}
        </section>
    );
}

function You({ me }: { me: Me }) {
    const rows: [string, string][] = [
        [s.you, [me.user ?? s.unnamed, ...me.groups].join(", ")],
        [s.roles, me.roles.join(", ")],
    ];
    if (me.definitions.length > 0) rows.push([s.only, me.definitions.join(", ")]);
    return (
        <>
            {rows.map(([name, text]) => (
                <div key={name}>
                    <dt>{name}</dt>
                    <dd>{visible(text)}</dd>
                </div>
            ))}
        </>
    );
}

export function Settings() {
    const version = useLoad(() => api.version(), []);
    return (
        <>
            <Head title={s.title} />
            <div class="settings">
                <section class="card pad" aria-label={s.appearance}>
                    <h2>{s.appearance}</h2>
                    <Segmented
                        label={t.theme.label}
                        value={theme.value}
                        options={[
                            ["system", t.theme.system],
                            ["light", t.theme.light],
                            ["dark", t.theme.dark],
                        ]}
                        onPick={(value) => (theme.value = value)}
                    />
                    <p class="faint">
                        {s.zone} <b>{zone}</b>
                    </p>
                </section>
                <section class="card pad" aria-label={s.server}>
                    <h2>{s.server}</h2>
                    <dl class="facts">
                        <div>
                            <dt>{s.version}</dt>
                            <dd>{version.value?.version}</dd>
                        </div>
                        {me.value && <You me={me.value} />}
                    </dl>
                    <Button onClick={() => void signOut()}>{s.signOut}</Button>
                </section>
                {may("administer") && <Retention />}
            </div>
            {may("administer") && <ServerSettings />}
        </>
    );
}
