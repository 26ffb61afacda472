// bench web: what the dashboard costs and how quickly it shows what was committed, in a real Chromium.
//
// usage: node web.mjs [--json FILE] [--rows N] [--many N] [--changes N] [--loads N] [--stores sqlite,postgres]
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { install } from "../../tests/web/stage/packages.mjs";
import { commitToScreen, frames, loads, memory, scrolling, tasks } from "./measures.mjs";

const { values: options } = parseArgs({
    options: {
        json: { type: "string" },
        rows: { type: "string", default: "10000" },
        many: { type: "string", default: "100000" }, // that only scroll
        changes: { type: "string", default: "36000" }, // an hour with ten changes a second
        loads: { type: "string", default: "15" },
        stores: { type: "string", default: "sqlite,postgres" },
    },
});
if (options.json) writeFileSync(options.json, "");

function report(store, workload, metric, value, unit, limit = null) {
    const beside = limit === null ? "" : `  limit ${limit} ${unit}`;
    console.log(`${store.padEnd(9)} ${workload.padEnd(28)} ${metric.padEnd(34)} ${value.toFixed(2).padStart(12)} ${unit.padEnd(6)}${beside}`);
    if (options.json) appendFileSync(options.json, JSON.stringify({ bench: "web", workload, store, metric, value, unit, limit }) + "\n");
}

// What the first load transfers, and what a diagram adds.
function sizes() {
    const found = JSON.parse(readFileSync(join(process.env.HOLDFAST_BUILD, "web", "sizes.json"), "utf8"));
    report("-", "bundle", "first load, gzip", found.firstLoadGzip / 1000, "kB", 300);
    const viewer = found.files.filter((file) => /bpmn_viewer/.test(file.path)).reduce((sum, file) => sum + file.gzip, 0);
    report("-", "bundle", "diagram on demand, gzip", viewer / 1000, "kB");
}

async function measure(store, stage) {
    const tell = (workload, metric, value, unit, limit) => report(store, workload, metric, value, unit, limit);
    await loads(stage, Number(options.loads), tell);
    await tasks(stage, tell);
    await commitToScreen(stage, tell);
    await frames(stage, Number(options.rows), tell);
    await memory(stage, Number(options.changes), tell);
    await scrolling(stage, Number(options.many), tell);
}

install();
const { openBrowser } = await import("../../tests/web/stage/browser.mjs");
const { Postgres } = await import("../../tests/web/stage/postgres.mjs");
const { Stage } = await import("../../tests/web/stage/stage.mjs");
const browser = await openBrowser();
const stores = options.stores.split(",");
const postgres = stores.includes("postgres") ? await Postgres.start() : undefined;
sizes();
try {
    for (const store of stores) {
        const stage = await Stage.open(store, { browser, postgres });
        try {
            await stage.play(() => measure(store, stage));
        } finally {
            await stage.close();
        }
    }
} finally {
    await browser.close();
    await postgres?.close();
}
