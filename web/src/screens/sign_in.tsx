// Who uses the page says so: with a key, or with the link that the server has printed.
import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { api, Problem } from "../model/api";
import { me, signedIn, signedOut } from "../model/session";
import { t } from "../texts";
import { Button, Field } from "../ui/basics";
import { Mark } from "../ui/icons";

const linkMark = "#sign-in=";

// The link of the address, which is used up by looking: it must not stay in the history of the browser.
function takeLink(): string | null {
    if (!location.hash.startsWith(linkMark)) return null;
    const link = location.hash.slice(linkMark.length);
    history.replaceState(null, "", location.pathname + location.search);
    return link;
}

const linkFailed = signal(false);

// Before anything is asked for. Who is signed in stays who they are: a link that somebody sent does not make them another.
export async function followLink() {
    const link = takeLink();
    if (!link) return;
    try {
        signedIn(await api.me().catch(() => api.signIn({ link })));
    } catch {
        linkFailed.value = true;
    }
}

export function watchSignInLinks() {
    addEventListener("hashchange", () => void followLink());
}

const wrong = (error: unknown) => (error instanceof Problem && error.status !== 401 ? error.message : t.lock.wrong);

export function SignIn() {
    const [value, setValue] = useState("");
    const [error, setError] = useState("");
    useEffect(() => {
        // Somebody may have signed in on another page of this browser.
        const look = () => document.hidden || api.me().then(signedIn, () => undefined);
        document.addEventListener("visibilitychange", look);
        return () => document.removeEventListener("visibilitychange", look);
    }, []);
    const enter = async () => {
        setError("");
        linkFailed.value = false;
        try {
            signedIn(await api.signIn({ key: value.trim() }));
        } catch (failure) {
            setError(wrong(failure));
        }
    };
    return (
        <main class="lock">
            <form
                class="card"
                onSubmit={(event) => {
                    event.preventDefault();
                    void enter();
                }}
            >
                <Mark />
                <h1>{t.lock.title}</h1>
                <p>{t.lock.text}</p>
                <Field label={t.lock.label} error={error || (linkFailed.value ? t.lock.usedLink : undefined)}>
                    <input type="password" autoComplete="off" spellcheck={false} value={value} onInput={(event) => setValue(event.currentTarget.value)} />
                </Field>
                <Button type="submit" kind="primary" icon="key">
                    {t.lock.enter}
                </Button>
                <p class="faint">{t.lock.link}</p>
            </form>
        </main>
    );
}

export const signOut = () => api.signOut().then(signedOut, signedOut);

// A credential of a program, or one that its provider gives no role.
export function NoRole() {
    return (
        <main class="lock">
            <div class="card">
                <Mark />
                <h1>{t.lock.noRole}</h1>
                <p>{t.lock.noRoleText(me.value?.roles ?? [])}</p>
                <Button kind="primary" icon="key" onClick={() => void signOut()}>
                    {t.lock.other}
                </Button>
            </div>
        </main>
    );
}
