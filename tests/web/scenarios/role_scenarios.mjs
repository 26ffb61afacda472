// Roles of access control: what a credential may not do is not offered, and what it may not see is not asked for.
import { strict as assert } from "node:assert";
import { fill } from "../stage/examples.mjs";
import { screens } from "../stage/screens.mjs";
import { tokenFile } from "../stage/server.mjs";

const token = "0123456789abcdef0123";

async function closedServer(stage) {
    const server = await stage.newServer(["--token-file", tokenFile(stage.server.folder, token)]);
    server.token = token;
    return server;
}

const keyFor = (server, name, roles, more = {}) => server.post("/keys", { name, roles, ...more });

async function enterWith(stage, server, key) {
    const page = await stage.stranger({ server });
    await page.go("/");
    await unlock(page, key);
    return page;
}

async function unlock(page, key) {
    await page.fill("input[type=password]", key);
    await page.click("Sign in");
}

const actions = [
    "Start", "Start workflow", "Deploy model", "Send event", "Edit state", "Pause", "Resume", "Retry", "Release", "Cancel", "Delete", "Remove", "Replay", "Claim",
    "Complete", "Fail", "Delegate", "Restore", "Fork", "Disable", "Enable", "Create schedule", "Fire now", "Change", "Backfill", "Stop", "Delete now",
    "Act on all that match", "More actions", "Take checkpoint", "Create webhook", "Ping", "Post again", "Discard refused",
];

async function offered(page) {
    const names = await page.page.evaluate(() => [...document.querySelectorAll("button")].map((one) => (one.innerText || one.getAttribute("aria-label") || "").trim()));
    return names.filter((name) => actions.includes(name));
}

// The actions of every screen, each when it has loaded. What a screen asked for and was refused is a mistake of the page.
async function offeredAnywhere(page, data) {
    const found = new Set();
    const refused = [];
    page.page.on("response", (response) => response.status() === 403 && refused.push(new URL(response.url()).pathname));
    for (const path of Object.values(screens(data))) {
        await page.go(path);
        await page.settled();
        for (const name of await offered(page)) found.add(name);
    }
    return { found: [...found].sort(), refused };
}

export default (scenario) => {
    scenario("a viewer sees every screen and is offered no action", async (stage) => {
        const server = await closedServer(stage);
        const data = await fill(server);
        const { key } = await keyFor(server, "eve", ["viewer"]);
        const page = await enterWith(stage, server, key);
        await page.sees("Live", ".connection");
        assert.deepEqual(await offeredAnywhere(page, data), { found: [], refused: [] });
        await page.go(`/workflows/${data.story}`);
        await page.press("e");
        assert.equal(await page.exists("dialog"), false);
        await page.go("/workflows");
        await page.waitFor(".rows-box .row a");
        assert.equal(await page.exists(".row input[type=checkbox]"), false);
        await page.chord("Control", "k");
        await page.waitFor(".palette li");
        assert.doesNotMatch(await page.text(".palette"), /Start workflow/);
    });

    scenario("an operator is offered actions and no retention; an admin that too", async (stage) => {
        const server = await closedServer(stage);
        const data = await fill(server);
        const { key } = await keyFor(server, "olga", ["operator"]);
        const page = await enterWith(stage, server, key);
        await page.sees("Start workflow", ".head-actions");
        const { found, refused } = await offeredAnywhere(page, data);
        assert.deepEqual(refused, []);
        for (const name of ["Start workflow", "Edit state", "Send event", "Deploy model", "Create schedule", "Pause", "Replay", "Claim"]) assert.ok(found.includes(name), `${name} of ${found}`);
        assert.ok(!found.includes("Delete now"));
        const admin = await enterWith(stage, server, token);
        await admin.go("/settings");
        await admin.sees("Delete now", "main");
    });

    scenario("an admin sees what the server runs with and where from; nobody else asks for it", async (stage) => {
        const server = await stage.newServer(["--queue", "4321", "--token-file", tokenFile(stage.server.folder, token)]);
        server.token = token;
        const admin = await enterWith(stage, server, token);
        await admin.go("/settings");
        await admin.sees("http-threads", ".server-settings");
        await admin.clickOn(".server-settings .segmented button:nth-of-type(2)");
        await admin.seesNot("http-threads", ".server-settings");
        assert.match(await admin.text(".server-settings"), /queue\s+Limit of queued operations.*\s+4321\s+--queue/);
        assert.doesNotMatch(await admin.text(".server-settings"), new RegExp(token));
        assert.deepEqual(await admin.axe(), []);
        const { key } = await keyFor(server, "olga", ["operator"]);
        const operator = await enterWith(stage, server, key);
        await operator.sees("Start workflow", ".head-actions");
        const asked = [];
        operator.page.on("request", (request) => asked.push(new URL(request.url()).pathname));
        await operator.go("/settings");
        await operator.settled();
        assert.ok(!asked.includes("/api/v1/settings"));
        assert.equal(await operator.exists(".server-settings"), false);
    });

    scenario("what an operator does is done in the operator's own name", async (stage) => {
        const server = await closedServer(stage);
        const data = await fill(server);
        const { key } = await keyFor(server, "olga", ["operator"], { groups: ["boss"] });
        const page = await enterWith(stage, server, key);
        await page.sees("Start workflow", ".head-actions");
        await page.go(`/tasks/${data.task}`);
        await page.sees("olga", ".person");
        await page.click("Claim");
        await page.sees("It is yours", ".notes");
        const { items } = await server.get(`/tasks/${data.task}/events`);
        const { version } = await server.get(`/workflows/${data.story}`);
        await server.call("PATCH", `/api/v1/workflows/${data.story}/state`, { state: { currentStep: "payment", total: 1 } }, { "If-Match": `"${version}"`, "X-User-Id": "ann", "Authorization": `Bearer ${key}` });
        await page.go(`/workflows/${data.story}?tab=history`);
        await page.sees("olga for ann", ".h-user");
        assert.equal(items.at(-1).user, "olga");
        assert.equal(items.at(-1).by ?? null, null);
    });

    scenario("a participant has the tasks of the key's user, and nothing else", async (stage) => {
        const server = await closedServer(stage);
        const data = await fill(server);
        const other = await server.task(data.hostile, 0, "Not for ann", { candidateGroups: ["others"], expectedOutputs: [] });
        const { key } = await keyFor(server, "ann", ["participant"], { groups: ["boss"] });
        const page = await enterWith(stage, server, key);
        await page.sees("ann", ".person");
        await page.seesNot("Workflows", ".nav-links");
        await page.sees("Not live", ".connection");
        assert.equal(await page.exists(".banner"), false);
        await page.sees("Approve 120 euro", ".task-list");
        await page.seesNot("Not for ann", ".task-list");
        await page.clickOn(`.task[href="/tasks/${data.task}"]`);
        await page.click("Claim");
        await page.click("Yes");
        await page.click("Complete");
        await page.sees("Completed", ".notes");
        assert.deepEqual((await server.get(`/tasks/${data.task}`)).outputs, { approved: true });
        await page.go(`/tasks/${other.id}`);
        await page.sees("there is no task", "main");
        assert.deepEqual(await page.axe(), []);
    });

    scenario("a key for one definition shows that one, and asks for nothing else", async (stage) => {
        const server = await closedServer(stage);
        const data = await fill(server);
        const { key } = await keyFor(server, "eve", ["viewer"], { definitions: ["approval"] });
        const page = await enterWith(stage, server, key);
        await page.sees("Live", ".connection");
        await page.sees("expense-7", "main");
        const refused = [];
        page.page.on("response", (response) => response.status() === 403 && refused.push(new URL(response.url()).pathname));
        for (const path of ["/", "/workflows", "/definitions", "/jobs", "/tasks", "/settings", `/workflows/${data.expense}`]) {
            await page.go(path);
            await page.settled();
            assert.equal(await page.exists(".problem"), false, path);
        }
        assert.deepEqual(refused, []);
        await page.go("/workflows");
        await page.sees("expense-7", ".rows-box");
        await page.seesNot("order-1039", ".rows-box");
        for (const name of ["Nodes", "Dead letters", "Bulk jobs"]) await page.seesNot(name, ".nav-links");
        await page.go(`/workflows/${data.story}`);
        await page.sees("There is no such workflow", "main");
    });

    scenario("a key for two definitions shows one at a time, and follows the changes of that one", async (stage) => {
        const server = await closedServer(stage);
        const data = await fill(server);
        const { key } = await keyFor(server, "olga", ["operator"], { definitions: ["order", "approval"] });
        const page = await enterWith(stage, server, key);
        await page.waitFor(".scope select");
        await page.go("/workflows");
        await page.sees("order-1039", ".rows-box");
        await page.pick(".scope select", "approval");
        await page.sees("expense-7", ".rows-box");
        await page.seesNot("order-1039", ".rows-box");
        await page.sees("Live", ".connection");
        await server.start("approval", "expense-8", {});
        await page.sees("expense-8", ".rows-box");
        await page.go(`/workflows/${data.story}?tab=tasks`);
        await page.sees("This workflow has created no tasks", "main");
        await page.reload();
        await page.waitFor(".scope select");
        assert.equal(await page.page.$eval(".scope select", (one) => one.value), "approval");
    });

    scenario("a key for workers opens no screen and says what would", async (stage) => {
        const server = await closedServer(stage);
        const { key } = await keyFor(server, "machine", ["worker"]);
        const page = await enterWith(stage, server, key);
        await page.sees("It has the role worker", ".lock");
        assert.deepEqual(await page.axe(), []);
        await page.click("Use another credential");
        await unlock(page, token);
        await page.sees("No workflows yet");
    });

    scenario("a key that is revoked locks the page, and another credential is another person", async (stage) => {
        const server = await closedServer(stage);
        const ann = await keyFor(server, "ann", ["operator"], { groups: ["boss"] });
        const bob = await keyFor(server, "bob", ["operator"]);
        const page = await enterWith(stage, server, ann.key);
        await page.go("/tasks");
        await page.sees("ann", ".person");
        await page.sees("Live", ".connection");
        await server.call("DELETE", `/api/v1/keys/${ann.id}`);
        await server.define("order");
        await server.start("order", "what would be told");
        await page.sees("Sign in", "h1");
        await unlock(page, bob.key);
        await page.sees("bob", ".person");
        await page.seesNot("boss", ".person");
    });
};
