// What workflows are started on.
import { useRef, useState } from "preact/hooks";
import { api, Problem } from "../model/api";
import { useLoad } from "../model/load";
import { go, to } from "../model/router";
import { may, scope } from "../model/session";
import { t } from "../texts";
import { Button, Command, Empty, Head, ProblemText, Tag, When } from "../ui/basics";
import { Dialog, say } from "../ui/dialog";
import { Icon } from "../ui/icons";

const d = t.definitions;

function DeployDialog({ onClose }: { onClose: () => void }) {
    const [problem, setProblem] = useState<unknown>(null);
    const [warnings, setWarnings] = useState<string[] | null>(null);
    const input = useRef<HTMLInputElement>(null);
    const take = async (file: File | undefined | null) => {
        if (!file) return;
        setProblem(null);
        try {
            const reply = await api.deploy(await file.text());
            const keys = reply.value.definitions.map((one) => one.key);
            say(t.done.deployed(keys.join(", ")));
            if (reply.value.warnings.length) return setWarnings(reply.value.warnings);
            onClose();
            go(to.definition(keys[0]!));
        } catch (error) {
            setProblem(error);
        }
    };
    const problems = problem instanceof Problem && Array.isArray(problem.members["problems"]) ? (problem.members["problems"] as string[]) : [];
    return (
        <Dialog title={d.deployTitle} onClose={onClose} size="wide">
            <div class="dialog-body">
                <div
                    class="drop"
                    onDragOver={(event) => event.preventDefault()}
                    onDrop={(event) => {
                        event.preventDefault();
                        take(event.dataTransfer?.files[0]);
                    }}
                >
                    <Icon name="upload" />
                    <p>{d.deployHint}</p>
                    <input ref={input} type="file" accept=".bpmn,.xml" aria-label={d.deployTitle} onChange={(event) => take(event.currentTarget.files?.[0])} />
                </div>
                {problems.length > 0 && (
                    <>
                        <p class="bad-text">{d.refused}</p>
                        <ul class="model-problems">
                            {problems.slice(0, 100).map((one) => (
                                <li key={one}>{one}</li>
                            ))}
                        </ul>
                    </>
                )}
                {problem !== null && problems.length === 0 && <ProblemText problem={problem} />}
                {warnings && (
                    <ul class="model-problems">
                        {warnings.map((one) => (
                            <li key={one}>{one}</li>
                        ))}
                    </ul>
                )}
            </div>
        </Dialog>
    );
}

export function Definitions() {
    const { value, problem, again } = useLoad(() => api.definitions(), []);
    const open = useLoad(
        async () => {
            const page = await api.workflows({ status: "open", limit: 500 });
            const counts = new Map<string, number>();
            for (const one of page.items) counts.set(one.definition, (counts.get(one.definition) ?? 0) + 1);
            return { counts, more: page.nextCursor !== null };
        },
        [scope.value],
        () => true
    );
    const [deploying, setDeploying] = useState(false);
    return (
        <>
            <Head title={d.title}>
                {may("operateAll") && (
                    <Button kind="primary" icon="upload" onClick={() => setDeploying(true)}>
                        {t.verbs.deploy}
                    </Button>
                )}
            </Head>
            {problem !== null && <ProblemText problem={problem} again={again} />}
            {value?.items.length === 0 ? (
                <Empty icon="definitions" title={d.empty}>
                    <p>{d.emptyHint}</p>
                    <Command text="holdfast deploy order.bpmn" />
                </Empty>
            ) : (
                <table class="table">
                    <thead>
                        <tr>
                            <th scope="col">{d.columns.key}</th>
                            <th scope="col">{d.columns.kind}</th>
                            <th scope="col">{d.columns.version}</th>
                            <th scope="col">{d.columns.open}</th>
                            <th scope="col">{d.columns.created}</th>
                        </tr>
                    </thead>
                    <tbody>
                        {value?.items.map((one) => (
                            <tr key={one.key}>
                                <th scope="row">
                                    <a href={to.definition(one.key)}>{one.key}</a>
                                </th>
                                <td>
                                    <Tag>{d.kind[one.kind ?? "outside"] ?? one.kind}</Tag>
                                </td>
                                <td>{one.version}</td>
                                <td>
                                    <a href={`/workflows?definition=${encodeURIComponent(one.key)}&status=open`}>
                                        {open.value?.counts.get(one.key) ?? (scope.value && scope.value !== one.key ? "–" : 0)}
                                        {open.value?.more ? "+" : ""}
                                    </a>
                                </td>
                                <td>
                                    <When at={one.createdAt} />
                                </td>
                            </tr>
                        ))}
                    </tbody>
                </table>
            )}
            {deploying && <DeployDialog onClose={() => (setDeploying(false), again())} />}
        </>
    );
}
