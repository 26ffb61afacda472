// Changes that named a version which was no longer the current one, and how each ended.
import { api } from "../model/api";
import { useLoad } from "../model/load";
import { to } from "../model/router";
import { t } from "../texts";
import { Empty, Head, ProblemText, Tag, When, shortId } from "../ui/basics";

const c = t.conflicts;

export function Conflicts() {
    const { value, problem, again } = useLoad(() => api.conflicts({ limit: 200 }), [], () => true);
    return (
        <>
            <Head title={c.title} />
            {problem !== null && <ProblemText problem={problem} again={again} />}
            {value?.items.length === 0 ? (
                <Empty icon="conflicts" title={c.empty}>
                    <p>{c.emptyHint}</p>
                </Empty>
            ) : (
                <table class="table">
                    <thead>
                        <tr>
                            {[c.columns.workflow, c.columns.resolution, c.columns.versions, c.columns.paths, c.columns.at].map((column) => (
                                <th scope="col" key={column}>
                                    {column}
                                </th>
                            ))}
                        </tr>
                    </thead>
                    <tbody>
                        {value?.items.map((one) => (
                            <tr key={one.id}>
                                <th scope="row">
                                    <a href={to.workflow(one.instance) + "?tab=versions"}>{shortId(one.instance)}</a>
                                </th>
                                <td>
                                    <Tag tone={one.resolution === "merged" ? "good" : one.resolution === "rejected" ? undefined : "info"}>{c.resolutions[one.resolution] ?? one.resolution}</Tag>
                                </td>
                                <td>{c.expected(one.expected, one.actual)}</td>
                                <td>
                                    {one.paths.slice(0, 6).map((path) => (
                                        <code key={path} class="path">
                                            {path}
                                        </code>
                                    ))}
                                </td>
                                <td>
                                    <When at={one.at} />
                                </td>
                            </tr>
                        ))}
                    </tbody>
                </table>
            )}
        </>
    );
}
