// What the page reads from a BPMN model: names of elements, and whether it has a diagram.

export function elementNames(source: string | undefined): Map<string, string> {
    const names = new Map<string, string>();
    if (!source) return names;
    const document = new DOMParser().parseFromString(source, "application/xml");
    for (const element of document.querySelectorAll("[id][name]")) names.set(element.getAttribute("id")!, element.getAttribute("name")!);
    return names;
}

export const hasDiagram = (source: string) => /BPMNShape/.test(source);
