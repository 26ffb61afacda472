// The inbox, and what operators repair.
import { strict as assert } from "node:assert";

const expense = async (stage, key, more = {}) => {
    const { id } = await stage.server.start("approval", key, { amount: 1 });
    const task = await stage.server.task(id, 0, `Approve ${key}`, { candidateGroups: ["boss"], expectedOutputs: ["approved", "comment"], ...more });
    await stage.server.wait(id, 1, { names: [`task/${task.id}`] });
    return { id, task: task.id };
};

const become = async (page, name, groups) => {
    await page.click("change");
    await page.fill("dialog input[data-first]", name);
    await page.fill("dialog .field:nth-of-type(2) input", groups);
    await page.clickOn("dialog button[type=submit]");
    await page.sees(name, ".person");
};

export default (scenario) => {
    scenario("a task is claimed, answered with a form, and its workflow goes on", async (stage) => {
        const { id, task } = await expense(stage, "claimed-and-done");
        const page = await stage.person();
        await page.go(`/tasks/${task}`);
        await become(page, "ann", "boss");
        await page.click("Claim");
        await page.sees("Your answer", ".task-detail");
        assert.ok(await page.page.$eval(".answer .primary", (button) => button.disabled));
        await page.click("Yes");
        await page.fill(".answer .field input", "fine");
        await page.click("Complete");
        await page.sees("Completed", ".notes");
        const { outputs } = await stage.server.get(`/tasks/${task}`);
        assert.deepEqual(outputs, { approved: true, comment: "fine" });
        await page.go(`/workflows/${id}`);
        await page.sees("Task ended", "main");
    });

    scenario("a task that one person claims is gone from the other's list", async (stage) => {
        const { task } = await expense(stage, "contended");
        const [ann, ben] = [await stage.person(), await stage.person()];
        await ann.go(`/tasks/${task}`);
        await become(ann, "ann", "boss");
        await ben.go(`/tasks/${task}`);
        await become(ben, "ben", "boss");
        await ann.click("Claim");
        await ann.sees("Your answer");
        await ben.sees("Held by ann", ".task-detail");
        assert.equal(await ben.exists(".task-detail .task-actions .primary"), false);
        await ben.go("/tasks?view=mine");
        await ben.seesNot("Approve contended", ".task-list");
    });

    scenario("somebody who is no candidate is told so", async (stage) => {
        const { task } = await expense(stage, "not-for-carl");
        const page = await stage.person();
        await page.go(`/tasks/${task}`);
        await become(page, "carl", "");
        await page.click("Claim");
        await page.waitFor(".task-detail .problem");
    });

    scenario("a task is released, delegated and failed", async (stage) => {
        const { task } = await expense(stage, "moved-around");
        const page = await stage.person();
        await page.go(`/tasks/${task}`);
        await become(page, "ann", "boss");
        await page.click("Claim");
        await page.click("Release");
        await page.sees("Claim it to answer it", ".task-detail");
        await page.click("Claim");
        await page.click("Delegate");
        await page.fill("dialog input", "ben");
        await page.clickOn("dialog button[type=submit]");
        await page.sees("reassigned", ".task-events");
        await become(page, "ben", "");
        await page.click("Claim");
        await page.click("Fail");
        await page.fill("dialog input", "cannot decide");
        await page.clickOn("dialog button[type=submit]");
        await page.sees("failed", ".task-events");
    });

    scenario("the inbox shows mine, my groups and overdue", async (stage) => {
        await expense(stage, "for-gina", { candidateGroups: ["gardeners"] });
        const page = await stage.person();
        await page.go("/tasks?view=groups");
        await become(page, "gina", "gardeners");
        await page.sees("Approve for-gina", ".task-list");
        await page.seesNot("Approve 120 euro", ".task-list");
        await page.click("Overdue");
        await page.sees("Approve 120 euro", ".task-list");
        await page.seesNot("for-gina", ".task-list");
        await page.sees("late", ".task-list");
    });

    scenario("my tasks ask who I am before they say that there are none", async (stage) => {
        const page = await stage.person();
        await page.go("/tasks?view=mine");
        await page.sees("Set your name first", ".tasks-split");
        await page.click("You act as");
        await page.fill("dialog input[data-first]", "nobody-yet");
        await page.clickOn("dialog button[type=submit]");
        await page.sees("No tasks here", ".tasks-split");
        await page.click("Unclaimed");
        await page.waitForPath("view=unclaimed");
        await page.seesNot("No tasks here", ".tasks-split");
    });

    scenario("a new task appears in an open inbox", async (stage) => {
        const page = await stage.person();
        await page.go("/tasks");
        await page.sees("Approve 120 euro", ".task-list");
        await expense(stage, "just-in");
        await page.sees("Approve just-in", ".task-list");
    });

    scenario("an event that is not due yet shows its key and is cancelled", async (stage) => {
        const { server } = stage;
        await server.post("/events", { name: "reminder", correlationKey: "ann", value: 1, after: "1h" });
        const page = await stage.person();
        await page.go("/events?tab=pending");
        await page.sees("reminder for ann not due yet", ".table");
        await page.click("Cancel");
        await page.clickOn("dialog button[type=submit]");
        await page.sees("Cancelled", ".notes");
        await page.seesNot("reminder", "main");
    });

    scenario("on a small screen a task leads back to the list, and the shown tab is in sight", async (stage) => {
        const page = await stage.person({ width: 320, height: 640 });
        await page.go("/tasks");
        await page.clickOn(`.task[href="/tasks/${stage.data.task}"]`);
        await page.sees("Approve 120 euro", ".task-detail h2");
        assert.equal(await page.page.$eval(".task-list", (one) => one.offsetHeight), 0);
        await page.click("All of them", "link");
        await page.sees("Approve 120 euro", ".task-list");
        await page.go(`/workflows/${stage.data.story}?tab=raw`);
        await page.waitFor("#tab-raw");
        const right = await page.page.$eval("#tab-raw", (one) => one.getBoundingClientRect().right);
        assert.ok(right <= 320, `the tab ends at ${right}`);
    });

    scenario("tasks are walked with j and k", async (stage) => {
        const page = await stage.person();
        await page.go("/tasks");
        await page.waitFor(".task-list .task");
        await page.press("j");
        await page.waitForPath("/tasks/");
        await page.waitFor(".task-detail h2");
    });

    scenario("a dead event is looked at, sent again, and gone", async (stage) => {
        const { id } = await stage.server.start("order", "ends-early", { currentStep: "review" });
        await stage.server.post(`/workflows/${id}/events/too-late`, { value: { n: 7 }, onTargetEnded: "deadLetter" });
        await stage.server.post(`/workflows/${id}/cancel`, {});
        const page = await stage.person();
        await page.go("/events");
        await page.sees("too-late", ".table");
        const row = "//tr[.//b[text()='too-late']]";
        const click = async (name) => (await page.page.waitForSelector(`::-p-xpath(${row}//button[.//span[text()='${name}']])`)).click();
        await click("Replay");
        await page.seesNot("too-late", ".table");
        await page.go("/events?tab=pending");
        await page.sees("too-late", ".table");
    });

    scenario("dead events are removed together, after a question", async (stage) => {
        const server = await stage.newServer();
        await server.define("order");
        for (const key of ["a", "b"]) {
            const { id } = await server.start("order", key);
            await server.post(`/workflows/${id}/events/late-${key}`, { onTargetEnded: "deadLetter" });
            await server.post(`/workflows/${id}/cancel`, {});
        }
        const page = await stage.person({ server });
        await page.go("/events");
        await page.sees("late-b", ".table");
        await page.clickOn(".table thead input");
        await page.sees("2 selected", ".selection");
        await page.clickOn(".selection .danger");
        await page.sees("gone for good", "dialog");
        await page.clickOn("dialog button[type=submit]");
        await page.sees("No dead events");
    });

    scenario("a broadcast event is sent from the events screen and queued", async (stage) => {
        const page = await stage.person();
        await page.go("/events?tab=pending");
        await page.click("Send event");
        await page.fill("dialog input", "refund");
        await page.fill("dialog textarea", "[1, 2]");
        await page.clickOn("dialog button[type=submit]");
        await page.sees("Queued until", ".notes");
        await page.sees("refund", ".table");
    });

    scenario("definitions are listed with their kind, and show source, schema and versions", async (stage) => {
        const page = await stage.person();
        await page.go("/definitions");
        await page.sees("a BPMN process", ".table");
        await page.go("/definitions/shipping?tab=source");
        await page.sees("parallelGateway", ".source");
        await stage.server.define("versioned", { indexes: ["a"] });
        await stage.server.define("versioned", { indexes: ["a", "b.c"], retention: { keepFor: "90d" } });
        await page.go("/definitions/versioned?tab=facts");
        await page.sees("b.c");
        await page.sees("kept for 90d");
        await page.pick(".wf-title select", "1");
        await page.seesNot("b.c");
        await page.go("/definitions/order?tab=schema");
        await page.sees("currentStep", ".json");
    });

    scenario("a model is deployed from a file, and a bad one is refused with its lines", async (stage) => {
        const { writeFileSync } = await import("node:fs");
        const { shippingModel } = await import("../stage/examples.mjs");
        const good = stage.server.folder + "/good.bpmn";
        const bad = stage.server.folder + "/bad.bpmn";
        writeFileSync(good, shippingModel.replaceAll("shipping", "uploaded"));
        writeFileSync(bad, shippingModel.replace('targetRef="done"', 'targetRef="nowhere"'));
        const page = await stage.person();
        await page.go("/definitions");
        await page.click("Deploy model");
        const input = await page.page.waitForSelector("dialog input[type=file]");
        await input.uploadFile(bad);
        await page.sees("The model is refused", "dialog");
        await page.sees("line", ".model-problems");
        await input.uploadFile(good);
        await page.sees("uploaded", "h1");
        await page.waitFor(".djs-shape");
    });

    scenario("nodes show this server alive", async (stage) => {
        const page = await stage.person();
        await page.go("/nodes");
        await page.sees("alive", ".table");
    });

    scenario("retention counts in a dry run and deletes after a question", async (stage) => {
        const server = await stage.newServer(["--keep-ended", "1s", "--keep-records", "1h"]);
        await server.define("order");
        const { id } = await server.start("order", "short-lived");
        await server.post(`/workflows/${id}/complete`, { run: 1, index: 0, result: null });
        const page = await stage.person({ server });
        await page.go("/settings");
        await page.click("Count what would be deleted");
        await page.sees("Would delete", ".settings");
        // The node runs retention by itself too, and refuses a second run meanwhile: then it is asked again.
        const text = () => page.text(".settings");
        for (let tries = 0; !/Deleted/.test(await text()); ++tries) {
            assert.ok(tries < 20, await text());
            await page.click("Delete now");
            await page.sees("Deletes a bounded part", "dialog");
            await page.clickOn("dialog button[type=submit]");
            await page.page.waitForFunction(() => !document.querySelector("dialog") && !document.querySelector(".settings .button:disabled"));
        }
    });
};
