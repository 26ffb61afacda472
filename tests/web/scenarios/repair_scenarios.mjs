// Processes that are repaired by hand, definitions that are switched off, and who runs what.
import { strict as assert } from "node:assert";

const task = (id, name) => `<userTask id="${id}" name="${name}"/>`;
const flow = (from, to) => `<sequenceFlow id="${from}_${to}" sourceRef="${from}" targetRef="${to}"/>`;
const model = (key, inside) => `<?xml version="1.0"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="test">
  <process id="${key}" isExecutable="true"><startEvent id="start"/>${inside}<endEvent id="done"/></process>
</definitions>`;
const oneStep = (key) => model(key, task("check", "Check") + flow("start", "check") + flow("check", "done"));
const twoSteps = (key) => model(key, task("check", "Check") + task("sign", "Sign") + flow("start", "check") + flow("check", "sign") + flow("sign", "done"));
const renamed = (key) => model(key, task("inspect", "Inspect") + flow("start", "inspect") + flow("inspect", "done"));

const menu = async (page, item) => {
    await page.click("More actions");
    await page.click(item, "menuitem");
    await page.waitFor("dialog");
};

export default (scenario) => {
    scenario("a migration is shown before it happens, and then happens", async (stage) => {
        await stage.server.deploy(oneStep("moving"));
        const { id } = await stage.server.start("moving", "moving-1", {});
        await stage.server.deploy(twoSteps("moving"));
        const page = await stage.person();
        await page.go(`/workflows/${id}`);
        await menu(page, "Migrate");
        await page.sees("Everything has a place in this version", "dialog");
        await page.sees("check · 1", "dialog .plan");
        assert.equal((await stage.server.get(`/workflows/${id}`)).definitionVersion, 1);
        assert.deepEqual(await page.axe(), []);
        await page.click("Migrate to version 2");
        await page.sees("Runs version 2 now", ".notes");
        await page.sees("moving · 2", ".facts");
        assert.equal((await stage.server.get(`/workflows/${id}`)).definitionVersion, 2);
    });

    scenario("an element without a place stops a migration until it is mapped", async (stage) => {
        await stage.server.deploy(oneStep("mapped"));
        const { id } = await stage.server.start("mapped", "mapped-1", {});
        await stage.server.deploy(renamed("mapped"));
        const page = await stage.person();
        await page.go(`/workflows/${id}`);
        await menu(page, "Migrate");
        await page.sees("1 element has no place", "dialog");
        assert.ok(await page.page.$eval("dialog button[type=submit]", (button) => button.disabled));
        await page.fill("dialog textarea", "check = inspect");
        await page.sees("check → inspect · 1", "dialog .plan");
        await page.click("Migrate to version 2");
        await page.sees("Runs version 2 now", ".notes");
    });

    scenario("a process of the only version says what to do first", async (stage) => {
        await stage.server.deploy(oneStep("lonely"));
        const { id } = await stage.server.start("lonely", "lonely-1", {});
        const page = await stage.person();
        await page.go(`/workflows/${id}`);
        await menu(page, "Migrate");
        await page.sees("holdfast deploy FILE", "dialog");
        assert.ok(await page.page.$eval("dialog button[type=submit]", (button) => button.disabled));
    });

    scenario("a token is moved by hand to another element", async (stage) => {
        await stage.server.deploy(twoSteps("by-hand"));
        const { id } = await stage.server.start("by-hand", "by-hand-1", {});
        const page = await stage.person();
        await page.go(`/workflows/${id}`);
        await page.sees("“Check”", ".now-text");
        await menu(page, "Move a token");
        await page.sees("the task “Check”", "dialog");
        assert.deepEqual(await page.axe(), []);
        await page.pick("dialog .field:nth-of-type(2) select", "sign");
        await page.click("Move");
        await page.sees("“Sign”", ".now-text");
        const { items } = await stage.server.get(`/tasks?workflow=${id}`);
        assert.deepEqual(items.map((one) => [one.name, one.state]).sort(), [["Check", "cancelled"], ["Sign", "created"]]);
    });

    scenario("a workflow that is no process is offered neither", async (stage) => {
        const page = await stage.person();
        await page.go(`/workflows/${stage.data.story}`);
        await page.click("More actions");
        await page.sees("Take checkpoint", ".menu-items");
        assert.doesNotMatch(await page.text(".menu-items"), /Migrate|Move a token/);
    });

    scenario("the timers of a workflow are cancelled after a question", async (stage) => {
        const { id } = await stage.server.start("order", "no-timer", { currentStep: "review" });
        await stage.server.wait(id, 0, { names: ["paid"], after: "30m" });
        const page = await stage.person();
        await page.go(`/workflows/${id}`);
        await page.sees("until", ".now-text");
        await menu(page, "Cancel its timers");
        await page.clickOn("dialog button[type=submit]");
        await page.sees("1 timer cancelled", ".notes");
        await page.seesNot("until", ".now-text");
        await page.sees("Waits for the event paid", ".now-text");
    });

    scenario("a definition is disabled after a question, and enabled again", async (stage) => {
        await stage.server.deploy(oneStep("switched"));
        const page = await stage.person();
        await page.go("/definitions/switched");
        await page.click("Disable");
        await page.sees("What runs goes on", "dialog");
        await page.clickOn("dialog button[type=submit]");
        await page.sees("cannot be started", ".wf-title");
        assert.ok(await page.page.$eval(".head-actions .primary", (button) => button.disabled));
        await stage.server.call("POST", "/api/v1/workflows", { definition: "switched" }, {}, [409]);
        await page.click("Enable");
        await page.seesNot("cannot be started", ".wf-title");
        assert.ok((await stage.server.start("switched", "again-1", {})).id);
    });

    scenario("the versions of a definition lead to their diagrams and sources", async (stage) => {
        await stage.server.deploy(oneStep("grown"));
        await stage.server.deploy(twoSteps("grown"));
        const page = await stage.person();
        await page.go("/definitions/grown?tab=versions");
        await page.waitFor('.table a[href="/definitions/grown?version=1"]');
        assert.equal(await page.count(".table tbody tr"), 2);
        await page.clickOn('.table a[href="/definitions/grown?version=1"]');
        await page.waitForPath("version=1");
        await page.click("Source", "tab");
        await page.seesNot("Sign", ".source");
    });

    scenario("nodes show workers with what they run, and jobs that are free are not said to be held", async (stage) => {
        await stage.server.define("packing", { runner: "worker" });
        const { id } = await stage.server.post("/workers", { name: "packer-7", definitions: ["packing"], lease: "10m" });
        const page = await stage.person();
        await page.go("/nodes");
        await page.sees("packer-7", '[aria-label="Workers"]');
        await page.sees("packing", '[aria-label="Workers"]');
        assert.doesNotMatch(await page.text('[aria-label="Nodes"]'), /packer-7/);
        await page.sees("Every workflow that wants to go on has a live node");
        // A lock may end between the two readings: both are made again, after a change that the page follows.
        for (let tries = 0; ; ++tries) {
            const { locks } = await stage.server.get("/nodes");
            const text = await page.text('[aria-label="Jobs that one node at a time does"]');
            if (locks.every((lock) => new RegExp(`${lock.name}\\s+${lock.held ? "held" : "free"}`).test(text))) break;
            assert.ok(tries < 50, text);
            await stage.server.start("order", `lock-${tries}`, { currentStep: "review" });
        }
        await stage.server.call("DELETE", `/api/v1/workers/${id}`);
    });
};
