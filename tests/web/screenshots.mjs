// Takes a picture of every screen in both themes, on a server that has everything to show.
//
// usage: node screenshots.mjs FOLDER
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { install } from "./stage/packages.mjs";

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("usage: node screenshots.mjs FOLDER");
install();
const { openBrowser, Page } = await import("./stage/browser.mjs");
const { Server } = await import("./stage/server.mjs");
const { fill, undecidedModel } = await import("./stage/examples.mjs");
const { screens } = await import("./stage/screens.mjs");

const largest = 150_000;

// What the example does not have by itself: a conflict, a bulk job, and a demo that has ended some of its workflows.
async function trouble(server, data) {
    const { version } = await server.get(`/workflows/${data.story}`);
    const stale = { "If-Match": `"${version - 1}"` };
    await server.call("PATCH", `/api/v1/workflows/${data.story}/state`, { state: { currentStep: "shipping", total: 30 } }, stale, [409]);
    await server.deploy(undecidedModel);
    await server.start("undecided", "invoice-7", { variables: { amount: "many" } });
    await server.start("undecided", "invoice-8", { variables: { amount: 500 } });
    await server.post("/webhooks", { url: "http://hooks.example.org/holdfast", kinds: ["incident", "deadLetter"] });
    await server.post("/bulk-jobs", { query: { definition: "approval", status: "open" }, action: { do: "pause" }, reason: "inventory" });
    for (let waited = 0; waited < 120; ++waited) {
        const { items } = await server.get("/workflows?definition=demo-trip&status=failed&limit=5");
        if (items.length >= 1) return;
        await sleep(500);
    }
    throw new Error("the demo does not move");
}

async function take(browser, server, name, path, theme) {
    const context = await browser.createBrowserContext();
    const page = await Page.open(context, server.url, { theme });
    if (name !== "sign-in") await page.page.setCookie(await server.session());
    await page.go(path);
    if (name === "overview") await sleep(12_000);
    else await sleep(1200);
    const file = join(folder, `${name}-${theme}.webp`);
    await page.page.screenshot({ path: file, type: "webp", quality: 70 });
    page.check();
    await context.close();
    const { size } = statSync(file);
    if (size > largest) throw new Error(`${file} has ${size} bytes; at most ${largest} are kept in the tree`);
    console.log(`${String(size).padStart(7)} ${file}`);
}

// A page that shows each in the theme of its reader.
function index(names) {
    const picture = (name) => `## ${name}\n\n<picture><source media="(prefers-color-scheme: dark)" srcset="${name}-dark.webp"><img src="${name}-light.webp" alt="${name}"></picture>\n`;
    writeFileSync(join(folder, "README.md"), `# Every screen of the dashboard\n\nTaken by \`./dev screenshots\`; what each does is in [The dashboard](../dashboard.md).\n\n${names.map(picture).join("\n")}`);
}

mkdirSync(folder, { recursive: true });
const secret = join(mkdtempSync(join(tmpdir(), "holdfast_screens.")), "webhook_secret");
writeFileSync(secret, "0123456789abcdef0123456789\n", { mode: 0o600 });
const server = await Server.start("sqlite", ["--demo", "--webhook-secret-file", secret, "--webhook-host", "hooks.example.org"]);
const browser = await openBrowser();
try {
    const data = await fill(server);
    await trouble(server, data);
    const all = { ...screens(data), "sign-in": "/" };
    index(Object.keys(all));
    for (const [name, path] of Object.entries(all)) for (const theme of ["light", "dark"]) await take(browser, server, name, path, theme);
} finally {
    await browser.close();
    await server.close();
    rmSync(dirname(secret), { recursive: true });
}
