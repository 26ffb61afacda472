// Two states side by side as a list of what differs.
import { differences, type Json } from "../model/json";
import { t } from "../texts";
import { JsonView, Scalar, visible } from "./json_view";

function Value({ value }: { value: Json | undefined }) {
    if (value === undefined) return <span class="faint">{t.conflict.absent}</span>;
    if (value === null || typeof value !== "object" || "text" in value) return <Scalar value={value as Json} />;
    return <JsonView value={value} />;
}

export function PathName({ path }: { path: string[] }) {
    return <code class="path">{path.length ? path.map(visible).join(".") : "$"}</code>;
}

export function JsonDiff({ before, after, beforeLabel, afterLabel }: { before: Json | undefined; after: Json | undefined; beforeLabel: string; afterLabel: string }) {
    const found = differences(before, after);
    if (found.length === 0) return <p class="faint pad">{t.workflow.same}</p>;
    return (
        <div class="diff">
            <table>
                <thead>
                    <tr>
                        <th scope="col">{t.conflict.path}</th>
                        <th scope="col">{beforeLabel}</th>
                        <th scope="col">{afterLabel}</th>
                    </tr>
                </thead>
                <tbody>
                    {found.slice(0, 500).map((one) => (
                        <tr key={one.path.join("\u0000")}>
                            <th scope="row">
                                <PathName path={one.path} />
                            </th>
                            <td class={one.before === undefined ? "gone" : "removed"}>
                                <Value value={one.before} />
                            </td>
                            <td class={one.after === undefined ? "gone" : "added"}>
                                <Value value={one.after} />
                            </td>
                        </tr>
                    ))}
                </tbody>
            </table>
        </div>
    );
}

export { Value as JsonValue };
