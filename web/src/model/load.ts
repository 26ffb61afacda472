// Values that a screen reads and keeps current: read once, and again when a change concerns them.
import { useEffect, useRef, useState } from "preact/hooks";
import { onChanges, reconnections, type Change } from "./live";

export interface Loaded<Value> {
    value: Value | undefined;
    problem: unknown;
    again: () => void;
}

const shortest = 50;

// After a read the next one waits for five times as long as the read took, at most for `pause`: a quick server is shown
// at once, a busy one is not asked for every change.
export function useLoad<Value>(load: () => Promise<Value>, deps: unknown[], concerns?: (change: Change) => boolean, pause = 250): Loaded<Value> {
    const [value, setValue] = useState<Value>();
    const [problem, setProblem] = useState<unknown>(null);
    const current = useRef({ load, concerns });
    current.current = { load, concerns };
    const again = useRef(() => {});
    useEffect(() => {
        let alive = true;
        let busy = false;
        let wanted = false;
        const run = async () => {
            if (busy) {
                wanted = true;
                return;
            }
            busy = true;
            const began = Date.now();
            try {
                const found = await current.current.load();
                if (alive) (setValue(() => found), setProblem(null));
            } catch (error) {
                if (alive) setProblem(error);
            }
            await new Promise((wake) => setTimeout(wake, Math.min(pause, Math.max(shortest, 5 * (Date.now() - began)))));
            busy = false;
            if (alive && wanted) {
                wanted = false;
                run();
            }
        };
        again.current = run;
        setValue(undefined);
        setProblem(null);
        run();
        const stop = onChanges((changes) => {
            if (current.current.concerns && changes.some(current.current.concerns)) run();
        });
        const known = reconnections.peek();
        const unsubscribe = reconnections.subscribe((count) => count !== known && run());
        return () => {
            alive = false;
            stop();
            unsubscribe();
        };
    }, deps);
    return { value, problem, again: () => again.current() };
}
