// The audit, which only admins see: what it shows, its filters and pages, and that hostile names in it are text.
import { strict as assert } from "node:assert";
import { tokenFile } from "../stage/server.mjs";

const token = "0123456789abcdef0123";

async function closedServer(stage) {
    const server = await stage.newServer(["--token-file", tokenFile(stage.server.folder, token)]);
    server.token = token;
    return server;
}

async function enterWith(stage, server, key) {
    const page = await stage.stranger({ server });
    await page.go("/");
    await page.fill("input[type=password]", key);
    await page.click("Sign in");
    await page.sees("Live", ".connection");
    return page;
}

// Rows enough for more than one page: each is a key of its own.
async function makeKeys(server, count) {
    for (let i = 0; i < count; ++i) await server.post("/keys", { name: `key-${i}`, roles: ["viewer"] });
}

const keyFor = (server, name, roles) => server.post("/keys", { name, roles });

export default (scenario) => {
    scenario("an admin finds in the audit who did what, with a filter and in UTC on hover", async (stage) => {
        const server = await closedServer(stage);
        const { key } = await keyFor(server, "ada", ["admin"]);
        const page = await enterWith(stage, server, key);
        await page.sees("Audit", ".nav-links");
        await page.go("/audit");
        await page.sees("createKey", ".table");
        await page.sees("the token of the file", ".table");
        await page.sees("the server", ".table");
        assert.match(await page.page.$eval(".table time", (one) => one.title), /^\d{4}-\d\d-\d\d .* UTC\n/);
        await page.fill("input[name=user]", "ada");
        await page.waitForPath("user=ada");
        await page.seesNot("createKey", ".table");
        await page.sees("signIn", ".table");
        await page.click("Expand");
        await page.sees("hash", ".more-row");
        assert.deepEqual(await page.axe(), []);
        await page.sees("holdfast audit export", ".audit-checks");
        await page.fill("input[name=user]", "nobody-of-this-name");
        await page.sees("holdfast audit verify", ".empty");
        assert.deepEqual(await page.axe(), []);
        await page.chord("Control", "k");
        await page.sees("Audit", ".palette");
    });

    scenario("the audit is read page by page, from either end", async (stage) => {
        const server = await closedServer(stage);
        await makeKeys(server, 105);
        const page = await enterWith(stage, server, token);
        await page.go("/audit?action=createKey&order=oldest");
        await page.waitFor(".table tbody tr:nth-child(100)");
        assert.equal(await page.count(".table tbody tr"), 100);
        await page.click("Show more");
        await page.waitFor(".table tbody tr:nth-child(105)");
        assert.equal(await page.count(".table tbody tr"), 105);
        const numbers = async () => page.page.$$eval(".table time", (all) => all.map((one) => one.dateTime));
        const oldest = await numbers();
        assert.deepEqual(oldest, [...oldest].sort());
        await page.click("Newest first");
        await page.page.waitForFunction((newest) => document.querySelector(".table time")?.dateTime === newest, { polling: 50 }, oldest.at(-1));
    });

    scenario("the audit is not offered to a viewer, nor asked for", async (stage) => {
        const server = await closedServer(stage);
        const { key } = await keyFor(server, "eve", ["viewer"]);
        const page = await enterWith(stage, server, key);
        await page.seesNot("Audit", ".nav-links");
        await page.chord("Control", "k");
        await page.waitFor(".palette li");
        assert.doesNotMatch(await page.text(".palette"), /Audit/);
        await page.press("Escape");
        const asked = [];
        page.page.on("request", (request) => asked.push(new URL(request.url()).pathname));
        await page.go("/audit");
        await page.sees("The audit is for admins", ".empty");
        await page.settled();
        assert.ok(!asked.includes("/api/v1/audit"));
        assert.deepEqual(await page.axe(), []);
    });

    scenario("a hostile name in the audit is text and nothing else", async (stage) => {
        const server = await closedServer(stage);
        const name = "<img src=x onerror='window.hacked = 1'>\u202Etxt.exe";
        const { key } = await server.post("/keys", { name: "hostile", roles: ["admin"], user: name });
        const made = await fetch(server.url + "/api/v1/keys", { method: "POST", headers: { "Authorization": `Bearer ${key}`, "Content-Type": "application/json" }, body: JSON.stringify({ name: "other", roles: ["viewer"] }) });
        assert.equal(made.status, 201);
        const page = await enterWith(stage, server, token);
        await page.go("/audit");
        await page.sees("<img src=x onerror='window.hacked = 1'>\\u202etxt.exe", ".table");
        assert.equal(await page.page.evaluate(() => window.hacked), undefined);
        assert.equal(await page.exists(".table img"), false);
    });
};
