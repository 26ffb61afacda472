// Incidents, jobs of workers, and the same change for many workflows.
import { strict as assert } from "node:assert";
import { undecidedModel as undecided } from "../stage/examples.mjs";

const state = (variables) => ({ variables });

export default (scenario) => {
    scenario("an incident is shown with its cause, repaired by an edit and a retry", async (stage) => {
        await stage.server.deploy(undecided);
        const { id } = await stage.server.start("undecided", "stuck-1", state({ amount: "many" }));
        const page = await stage.person();
        await page.go("/jobs");
        await page.sees("stuck-1", ".table");
        const { version, state: now } = await stage.server.get(`/workflows/${id}`);
        await stage.server.patch(id, version, { ...now, variables: { amount: 120 } });
        await page.page.evaluate(() => [...document.querySelectorAll(".table tr")].find((row) => row.innerText.includes("stuck-1")).querySelector("button").click());
        await page.seesNot("stuck-1", "#tab-panel");
        await page.click("Jobs", "tab");
        await page.sees("ship-parcel", ".table");
        await page.sees("waits for a worker", ".table");
        assert.deepEqual(await page.axe(), []);
    });

    scenario("an incident of a process is tried again on the page of the workflow", async (stage) => {
        await stage.server.deploy(undecided);
        const { id } = await stage.server.start("undecided", "stuck-2", state({ amount: "many" }));
        const page = await stage.person();
        await page.go(`/workflows/${id}`);
        await page.sees("Incident", ".wf-title");
        const { version, state: now } = await stage.server.get(`/workflows/${id}`);
        await stage.server.patch(id, version, { ...now, variables: { amount: 120 } });
        await page.click("Retry");
        await page.sees("Tried again", ".notes");
        await page.seesNot("Incident", ".wf-title");
        assert.equal((await stage.server.get(`/workflows/${id}`)).incident, false);
    });

    scenario("jobs are filtered by their type, and lead to their workflow", async (stage) => {
        await stage.server.deploy(undecided);
        const { id } = await stage.server.start("undecided", "large-1", state({ amount: 500 }));
        const page = await stage.person();
        await page.go("/jobs?tab=jobs");
        await page.clickOn('.table a[href="/jobs?type=ship-parcel"]');
        await page.sees("Of type ship-parcel", ".head");
        await page.waitFor(`.table a[href="/workflows/${id}"]`);
        await page.clickOn(`.table a[href="/workflows/${id}"]`);
        await page.sees("large-1", "h1");
    });

    scenario("all workflows that match are paused as a bulk job, with a reason", async (stage) => {
        await stage.server.define("crowd", { indexes: ["region"] });
        const ids = [];
        for (let i = 0; i < 30; ++i) ids.push((await stage.server.start("crowd", `crowd-${i}`, { region: i % 2 ? "north" : "south" })).id);
        const page = await stage.person();
        await page.go("/workflows?definition=crowd&q=region%3Anorth");
        await page.click("Act on all that match");
        await page.sees("15 workflows match", "dialog");
        assert.deepEqual(await page.axe(), []);
        await page.fill("dialog input", "audit of the north");
        await page.click("Pause 15");
        await page.sees("15 of 15 done", ".bulk-job.here");
        await page.sees("audit of the north", ".bulk-job.here");
        await page.sees("Done", ".bulk-job.here");
        const paused = await Promise.all(ids.map(async (id) => (await stage.server.get(`/workflows/${id}`)).paused));
        assert.deepEqual(paused, ids.map((_, i) => i % 2 === 1));
    });

    scenario("what a bulk job is refused is shown with an example", async (stage) => {
        await stage.server.define("short", {});
        for (let i = 0; i < 3; ++i) {
            const { id } = await stage.server.start("short", `short-${i}`);
            if (i === 0) await stage.server.post(`/workflows/${id}/cancel`, {});
        }
        const page = await stage.person();
        await page.go("/workflows?definition=short");
        await page.click("Act on all that match");
        await page.sees("3 workflows match", "dialog");
        await page.pick("dialog select", "cancel");
        await page.click("Cancel 3");
        await page.sees("2 of 3 done, 1 refused", ".bulk-job.here");
        await page.sees("ended", ".bulk-job.here");
    });

    scenario("a search by words has no action on all: the server does not know words", async (stage) => {
        const page = await stage.person();
        await page.go("/workflows?definition=order&q=order-10");
        await page.waitFor(".rows-box .row");
        await page.seesNot("Act on all that match", ".head");
    });
};
