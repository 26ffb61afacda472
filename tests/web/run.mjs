// Runs the scenarios of the dashboard in Chromium, against a server on each store.
//
// usage: node run.mjs [PATTERNS of scenario names]
import { execFileSync } from "node:child_process";
import { copyFileSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { install, packages } from "./stage/packages.mjs";

const here = dirname(fileURLToPath(import.meta.url));

// TypeScript reads the sources beside the packages that they import.
function checkTypes() {
    const place = join(process.env.HOLDFAST_BUILD, "web");
    rmSync(join(place, "src"), { force: true });
    symlinkSync(join(process.env.HOLDFAST_SOURCE, "web", "src"), join(place, "src"));
    copyFileSync(join(process.env.HOLDFAST_SOURCE, "web", "tsconfig.json"), join(place, "tsconfig.json"));
    execFileSync(join(packages, "node_modules", ".bin", "tsc"), ["-p", place], { stdio: "inherit" });
}

async function runOn(store, open, scenarios, failures) {
    const { Stage } = await import("./stage/stage.mjs");
    const stage = await Stage.open(store, open);
    try {
        for (const { name, run, stores } of scenarios) {
            if (stores && !stores.includes(store)) continue;
            const began = Date.now();
            try {
                await stage.play(run);
                console.log(`ok    ${store.padEnd(8)} ${String(Date.now() - began).padStart(5)} ms  ${name}`);
            } catch (error) {
                failures.push(`${store}: ${name}`);
                console.log(`FAIL  ${store.padEnd(8)} ${name}\n${error.stack}`);
            }
        }
    } finally {
        await stage.close();
    }
}

install();
const began = Date.now();
checkTypes();
const { openBrowser } = await import("./stage/browser.mjs");
const { Postgres } = await import("./stage/postgres.mjs");
const scenarios = [];
for (const file of readdirSync(join(here, "scenarios")).sort()) {
    const { default: tell } = await import(pathToFileURL(join(here, "scenarios", file)));
    tell((name, run, stores) => scenarios.push({ name, run, stores }));
}
const words = process.argv.slice(2);
const chosen = scenarios.filter(({ name }) => words.every((word) => new RegExp(word).test(name)));
const failures = [];
const browser = await openBrowser();
const postgres = await Postgres.start();
try {
    await Promise.all([runOn("sqlite", browser, chosen, failures), runOn("postgres", { browser, postgres }, chosen, failures)]);
} finally {
    await browser.close();
    await postgres.close();
}
console.log(`${chosen.length} scenarios, ${failures.length} failures, ${((Date.now() - began) / 1000).toFixed(1)} s`);
if (failures.length) console.log(failures.join("\n"));
process.exit(failures.length ? 1 : 0);
