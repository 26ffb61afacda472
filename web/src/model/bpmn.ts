// What the page reads from a BPMN model: names of elements, and whether it has a diagram.

export function elementNames(source: string | undefined): Map<string, string> {
    const names = new Map<string, string>();
    if (!source) return names;
    const document = new DOMParser().parseFromString(source, "application/xml");
    for (const element of document.querySelectorAll("[id][name]")) names.set(element.getAttribute("id")!, element.getAttribute("name")!);
    return names;
}

export interface FlowNode {
    id: string;
    name: string;
}

const enterable = /^(task|.*Task|.*Gateway|.*Event|subProcess|transaction|callActivity)$/;
const notEnterable = new Set(["boundaryEvent", "startEvent"]);

// The elements that a token can enter from outside, in the order of the model.
export function flowNodes(source: string): FlowNode[] {
    const document = new DOMParser().parseFromString(source, "application/xml");
    return [...document.querySelectorAll("process [id]")]
        .filter((element) => enterable.test(element.localName) && !notEnterable.has(element.localName))
        .map((element) => ({ id: element.id, name: element.getAttribute("name") || element.id }));
}

export const hasDiagram = (source: string) => /BPMNShape/.test(source);
