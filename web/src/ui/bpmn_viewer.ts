// bpmn-js behind four calls; a module of its own, so that it is loaded on demand.
import NavigatedViewer from "bpmn-js/lib/NavigatedViewer";

export interface Viewer {
    show(tokens: Map<string, number>, visited: Set<string>): void;
    // How much of what all elements have each has, from 0 to 1.
    heat(shares: Map<string, number>): void;
    close(): void;
}

interface Canvas {
    zoom(how: string, centre?: string): void;
    addMarker(id: string, name: string): void;
    removeMarker(id: string, name: string): void;
}
interface Overlays {
    add(id: string, kind: string, overlay: object): string;
    remove(overlay: string): void;
}
interface Registry {
    get(id: string): { type: string } | undefined;
}

function badge(count: number, armed: boolean): HTMLElement {
    const element = document.createElement("div");
    element.className = armed ? "token armed" : "token";
    element.textContent = count > 1 ? String(count) : "";
    return element;
}

export async function openViewer(box: HTMLElement, source: string): Promise<Viewer> {
    // The colours of the theme, so that every shape and glyph follows a change of it.
    const bpmnRenderer = { defaultFillColor: "var(--surface)", defaultStrokeColor: "var(--ink)", defaultLabelColor: "var(--ink)" };
    const viewer = new NavigatedViewer({ container: box, bpmnRenderer } as ConstructorParameters<typeof NavigatedViewer>[0]);
    await viewer.importXML(source);
    const canvas = viewer.get<Canvas>("canvas");
    const overlays = viewer.get<Overlays>("overlays");
    const registry = viewer.get<Registry>("elementRegistry");
    canvas.zoom("fit-viewport", "auto");
    let marked: [string, string][] = [];
    let heated: [string, string][] = [];
    const badges = new Map<string, { count: number; overlay: string }>();
    const mark = (id: string, name: string) => {
        canvas.addMarker(id, name);
        marked.push([id, name]);
    };
    // A token that stays where it is is left alone: only one that arrives lands.
    const place = (id: string, count: number, armed: boolean) => {
        const known = badges.get(id);
        if (known?.count === count) return;
        if (known) overlays.remove(known.overlay);
        badges.set(id, { count, overlay: overlays.add(id, "token", { position: { top: -9, right: 9 }, html: badge(count, armed) }) });
    };
    const take = (id: string) => {
        overlays.remove(badges.get(id)!.overlay);
        badges.delete(id);
    };
    return {
        show(tokens, visited) {
            for (const [id, name] of marked) canvas.removeMarker(id, name);
            marked = [];
            for (const id of [...badges.keys()]) if (!tokens.has(id)) take(id);
            for (const id of visited) if (registry.get(id)) mark(id, "visited");
            for (const [id, count] of tokens) {
                const shape = registry.get(id);
                if (!shape) continue;
                const armed = shape.type === "bpmn:BoundaryEvent";
                mark(id, armed ? "armed" : "here");
                place(id, count, armed);
            }
        },
        heat(shares) {
            for (const [id, name] of heated) canvas.removeMarker(id, name);
            heated = [...shares].filter(([id]) => registry.get(id)).map(([id, share]) => [id, `heat-${Math.ceil(share * 5)}`]);
            for (const [id, name] of heated) canvas.addMarker(id, name);
        },
        close: () => viewer.destroy(),
    };
}
