// The processes that work on this store, their leases, and the jobs that one of them does.
import { useEffect } from "preact/hooks";
import { api } from "../model/api";
import { useLoad } from "../model/load";
import { ms, now } from "../model/time";
import { t } from "../texts";
import { Head, ProblemText, When } from "../ui/basics";

const n = t.nodes;

export function Nodes() {
    const { value, problem, again } = useLoad(() => api.nodes(), [], () => true);
    // A lease that runs out is no change of the store: what is shown is read again when one should have been renewed.
    const next = value ? Math.min(...value.items.filter((node) => node.alive).map((node) => ms(node.leaseUntil))) : Infinity;
    useEffect(() => {
        if (!Number.isFinite(next) || next - Date.now() > 86_400_000) return;
        const timer = setTimeout(again, Math.max(500, next - Date.now()));
        return () => clearTimeout(timer);
    }, [next]);
    return (
        <>
            <Head title={n.title} />
            {problem !== null && <ProblemText problem={problem} again={again} />}
            <table class="table" aria-label={n.title}>
                <thead>
                    <tr>
                        {[n.columns.name, n.columns.state, n.columns.started, n.columns.beat, n.columns.lease].map((column) => (
                            <th scope="col" key={column}>
                                {column}
                            </th>
                        ))}
                    </tr>
                </thead>
                <tbody>
                    {value?.items.map((node) => (
                        <tr key={node.id}>
                            <th scope="row">{node.name}</th>
                            <td>
                                <i class={node.alive ? "dot good" : "dot bad"} aria-hidden="true" /> {node.alive ? n.alive : n.gone}
                            </td>
                            <td>
                                <When at={node.startedAt} />
                            </td>
                            <td>
                                <When at={node.lastBeatAt} />
                            </td>
                            <td>{ms(node.leaseUntil) - now.value > 315_360_000_000 ? n.forever : <When at={node.leaseUntil} />}</td>
                        </tr>
                    ))}
                </tbody>
            </table>
            <h2 class="section">{n.locks}</h2>
            {value?.locks.length === 0 ? (
                <p class="faint">{n.noLocks}</p>
            ) : (
                <table class="table" aria-label={n.locks}>
                    <thead>
                        <tr>
                            {[n.lockColumns.name, n.lockColumns.owner, n.lockColumns.until, n.lockColumns.term].map((column) => (
                                <th scope="col" key={column}>
                                    {column}
                                </th>
                            ))}
                        </tr>
                    </thead>
                    <tbody>
                        {value?.locks.map((lock) => (
                            <tr key={lock.name}>
                                <th scope="row">{lock.name}</th>
                                <td>{lock.owner}</td>
                                <td>
                                    <When at={lock.until} />
                                </td>
                                <td>{lock.term}</td>
                            </tr>
                        ))}
                    </tbody>
                </table>
            )}
        </>
    );
}
