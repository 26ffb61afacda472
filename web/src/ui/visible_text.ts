// Every text of every screen passes here: what somebody named so that it looks like something else is shown as it is.
import { options, Fragment, type VNode } from "preact";
import { visible } from "./json_view";

const shown = (child: unknown): unknown => (typeof child === "string" ? visible(child) : Array.isArray(child) ? child.map(shown) : child);

export function showAllText() {
    const before = options.vnode;
    options.vnode = (vnode: VNode) => {
        if (typeof vnode.type === "string" || vnode.type === Fragment) {
            const props = vnode.props as { children?: unknown };
            if (props.children !== undefined) props.children = shown(props.children);
        }
        before?.(vnode);
    };
}
