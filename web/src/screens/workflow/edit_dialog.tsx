// Edits the state under its version. A change that meets another one opens the conflict screen.
import { useState } from "preact/hooks";
import { api, Problem } from "../../model/api";
import { differences, isObject, parseJson, printJson, type Json, type JsonObject } from "../../model/json";
import type { Workflow } from "../../model/types";
import { t } from "../../texts";
import { Button, ProblemText } from "../../ui/basics";
import { Dialog, say } from "../../ui/dialog";
import { PathName } from "../../ui/json_diff";
import { ConflictView, type Meeting } from "./conflict";

const e = t.edit;

function read(text: string): JsonObject | null {
    try {
        const value = parseJson(text);
        return isObject(value) ? value : null;
    } catch {
        return null;
    }
}

export function meetingOf(problem: Problem, base: Json, baseVersion: number, mine: Json): Meeting {
    return { base, baseVersion, mine, theirs: problem.members["currentState"] ?? {}, theirsVersion: Number(problem.members["currentVersion"]) };
}

export function EditDialog({ workflow, current, onClose }: { workflow: Workflow; current: Workflow; onClose: () => void }) {
    const base = workflow.state ?? {};
    const [text, setText] = useState(printJson(base));
    const [problem, setProblem] = useState<unknown>(null);
    const [busy, setBusy] = useState(false);
    const [meeting, setMeeting] = useState<Meeting | null>(null);
    const mine = read(text);
    const changes = mine ? differences(base, mine) : [];
    const save = async (state: Json, version: number, from: Json) => {
        setBusy(true);
        setProblem(null);
        try {
            const reply = await api.editState(workflow.id, version, state);
            say(t.done.saved(reply.value.version));
            onClose();
        } catch (error) {
            if (error instanceof Problem && error.slug === "stale-version") setMeeting(meetingOf(error, from, version, state));
            else setProblem(error);
            setBusy(false);
        }
    };
    if (meeting)
        return (
            <Dialog title={t.conflict.title} onClose={onClose} size="full">
                <ConflictView meeting={meeting} busy={busy} onSave={(merged) => save(merged, meeting.theirsVersion, meeting.theirs)} onDiscard={onClose} problem={problem} />
            </Dialog>
        );
    return (
        <Dialog title={e.title} onClose={onClose} size="wide">
            <form
                class="dialog-body"
                onSubmit={(event) => {
                    event.preventDefault();
                    if (mine) save(mine, workflow.version, base);
                }}
            >
                <p class="faint">{e.hint(workflow.version)}</p>
                {current.version > workflow.version && (
                    <p class="warning" role="status">
                        {e.changed}: {t.workflow.version} {current.version}
                    </p>
                )}
                <textarea data-first class="code" rows={18} aria-label={e.title} spellcheck={false} aria-invalid={!mine} value={text} onInput={(event) => setText(event.currentTarget.value)} />
                <div class="edit-changes" role="status">
                    {!mine ? (
                        <span class="bad-text">{e.invalid}</span>
                    ) : changes.length === 0 ? (
                        <span class="faint">{e.noChange}</span>
                    ) : (
                        changes.slice(0, 12).map((one) => (
                            <span key={one.path.join("\u0000")} class={one.before === undefined ? "chip-added" : one.after === undefined ? "chip-removed" : "chip-changed"}>
                                <PathName path={one.path} />
                            </span>
                        ))
                    )}
                </div>
                {problem !== null && <ProblemText problem={problem} />}
                <footer class="dialog-foot">
                    <Button kind="quiet" disabled={!mine} onClick={() => mine && setText(printJson(mine))}>
                        {e.format}
                    </Button>
                    <span class="grow" />
                    <Button onClick={onClose}>{t.close}</Button>
                    <Button type="submit" kind="primary" busy={busy} disabled={!mine || changes.length === 0}>
                        {e.save}
                    </Button>
                </footer>
            </form>
        </Dialog>
    );
}
