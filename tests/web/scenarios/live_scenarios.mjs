// What is on the screen moves with the store, and conflicts are resolved by people.
import { strict as assert } from "node:assert";

export default (scenario) => {
    scenario("a change by somebody else appears on an open page", async (stage) => {
        const { id } = await stage.server.start("order", "watched", { currentStep: "review" });
        const page = await stage.person();
        await page.go(`/workflows/${id}`);
        await page.sees("A runner outside takes the next step", ".now-text");
        await stage.server.wait(id, 0, { names: ["paid"], after: "30m" });
        await page.sees("Waits for the event paid", ".now-text");
        await stage.server.patch(id, 2, { currentStep: "shipping" });
        await page.sees('"shipping"', ".json");
    });

    scenario("what changes while a page opens is shown", async (stage) => {
        const page = await stage.person();
        // The stream opens after the list was read and something changed.
        await page.page.evaluateOnNewDocument(() => {
            const fetched = window.fetch;
            const opened = new Promise((open) => (window.openStream = open));
            window.fetch = async (target, ...more) => {
                if (String(target).endsWith("/stream")) await opened;
                return fetched(target, ...more);
            };
        });
        await page.go("/workflows");
        await page.waitFor(".rows-box .row");
        await stage.server.start("order", "in-between", { currentStep: "review" });
        await page.page.evaluate(() => window.openStream());
        await page.sees("in-between", ".rows");
    });

    scenario("a new workflow appears in the list, and its status moves there", async (stage) => {
        const page = await stage.person();
        await page.go("/workflows");
        await page.waitFor(".rows-box .row");
        const { id } = await stage.server.start("order", "newcomer", { currentStep: "review" });
        await page.sees("newcomer", ".rows");
        await stage.server.post(`/workflows/${id}/complete`, { run: 1, index: 0, result: null });
        await page.sees("Succeeded", `.row[data-key="${id}"]`);
    });

    scenario("two browsers edit one workflow: the second sees both sides and merges", async (stage) => {
        const { id } = await stage.server.start("order", "contested", { currentStep: "review", total: 1 });
        const [ann, ben] = [await stage.person(), await stage.person()];
        for (const page of [ann, ben]) {
            await page.go(`/workflows/${id}`);
            await page.click("Edit state");
            await page.waitFor("dialog textarea");
        }
        await ann.fill("dialog textarea", '{"currentStep": "review", "total": 2}');
        await ann.clickOn("dialog button[type=submit]");
        await ann.sees("Saved as version 2", ".notes");
        await ben.sees("This workflow changed while you edit", "dialog");
        await ben.fill("dialog textarea", '{"currentStep": "payment", "total": 1}');
        await ben.clickOn("dialog button[type=submit]");
        await ben.sees("Two changes met", "dialog");
        await ben.sees("do not overlap", "dialog");
        await ben.click("Save as version 3");
        await ben.sees("Saved as version 3", ".notes");
        assert.deepEqual((await stage.server.get(`/workflows/${id}`)).state, { currentStep: "payment", total: 2 });
        await ben.go("/conflicts");
        await ben.sees("expected 1, was 2");
    });

    scenario("two edits of the same place: the person chooses a side", async (stage) => {
        const { id } = await stage.server.start("order", "overlapping", { currentStep: "review", total: 1 });
        const page = await stage.person();
        await page.go(`/workflows/${id}`);
        await page.click("Edit state");
        await page.fill("dialog textarea", '{"currentStep": "payment", "total": 3}');
        await stage.server.patch(id, 1, { currentStep: "shipping", total: 1 });
        await page.clickOn("dialog button[type=submit]");
        await page.sees("1 place was changed by both", "dialog");
        assert.ok(await page.page.$eval(".dialog-foot .primary", (button) => button.disabled));
        assert.deepEqual(await page.axe(), []);
        await page.clickOn(".overlap .mine input");
        await page.click("Save as version 3");
        await page.sees("Saved as version 3", ".notes");
        assert.deepEqual((await stage.server.get(`/workflows/${id}`)).state, { currentStep: "payment", total: 3 });
    });

    scenario("their side can be taken, and a third change meets the second choice", async (stage) => {
        const { id } = await stage.server.start("order", "twice", { currentStep: "review", total: 1 });
        const page = await stage.person();
        await page.go(`/workflows/${id}`);
        await page.click("Edit state");
        await page.fill("dialog textarea", '{"currentStep": "payment", "total": 3}');
        await stage.server.patch(id, 1, { currentStep: "shipping", total: 1 });
        await page.clickOn("dialog button[type=submit]");
        await page.sees("changed by both", "dialog");
        await page.clickOn(".overlap .theirs input");
        await stage.server.patch(id, 2, { currentStep: "shipping", total: 1, note: "third" });
        await page.click("Save as version 3");
        await page.sees("Save as version 4", "dialog");
        await page.click("Save as version 4");
        await page.sees("Saved as version 4", ".notes");
        assert.deepEqual((await stage.server.get(`/workflows/${id}`)).state, { currentStep: "shipping", total: 3, note: "third" });
    });

    scenario("a discarded edit changes nothing", async (stage) => {
        const { id } = await stage.server.start("order", "discarded", { currentStep: "review", total: 1 });
        const page = await stage.person();
        await page.go(`/workflows/${id}`);
        await page.click("Edit state");
        await page.fill("dialog textarea", '{"currentStep": "payment", "total": 3}');
        await stage.server.patch(id, 1, { currentStep: "shipping", total: 1 });
        await page.clickOn("dialog button[type=submit]");
        await page.click("Discard my changes");
        await page.sees('"shipping"', ".json");
        assert.equal((await stage.server.get(`/workflows/${id}`)).version, 2);
    });

    scenario("a server that is killed is noticed, and one that comes back is shown again", async (stage) => {
        const server = await stage.newServer();
        await server.define("order");
        const { id } = await server.start("order", "survivor", { step: 1 });
        const page = await stage.person({ server });
        await page.go(`/workflows/${id}`);
        await page.sees("Live", ".connection");
        await server.kill();
        await page.sees("Disconnected", ".connection");
        await page.sees("may be out of date", ".banner");
        await server.launch();
        await page.sees("Live", ".connection");
        await server.patch(id, 1, { step: 2 });
        await page.sees("2", ".json .j-number");
        await page.seesNot("may be out of date");
    });

    scenario("a token moves on the diagram", async (stage) => {
        const { id } = await stage.server.start("shipping", "parcel-moving", {});
        const page = await stage.person();
        await page.go(`/workflows/${id}`);
        await page.waitFor(".diagram[data-tokens~=pack] .here[data-element-id=pack]");
        const fill = (element) => page.page.$eval(`[data-element-id=${element}] .djs-visual > :first-child`, (shape) => getComputedStyle(shape).fill);
        assert.notEqual(await fill("pack"), await fill("pickup"));
        const { items } = await stage.server.get(`/tasks?workflow=${id}`);
        const by = { user: "ann", groups: [] };
        await stage.server.post(`/tasks/${items[0].id}/claim`, by, { "If-Match": "*" });
        await stage.server.post(`/tasks/${items[0].id}/complete`, { ...by, outputs: {} }, { "If-Match": "*" });
        await page.waitFor(".diagram[data-tokens~=join] .here[data-element-id=join]");
        assert.equal(await page.exists(".here[data-element-id=pack]"), false);
        assert.ok(await page.exists(".visited[data-element-id=pack]"));
    });

    scenario("the overview draws how late timers were, and how much changes", async (stage) => {
        const page = await stage.person();
        await page.go("/");
        await page.waitFor('.chart[aria-label="Lateness of timers: –"]');
        // The first reading of the server's figures is what later ones are compared with.
        const readings = () => page.page.evaluate(() => performance.getEntriesByType("resource").filter((one) => one.name.endsWith("/metrics")).length);
        await page.page.waitForFunction(() => performance.getEntriesByType("resource").some((one) => one.name.endsWith("/metrics")));
        const { id } = await stage.server.start("order", "late", { currentStep: "review" });
        await stage.server.wait(id, 0, { after: "200ms" });
        await page.waitFor('.chart[aria-label^="Lateness of timers: "]:not([aria-label$="–"])');
        await page.waitFor('.chart[aria-label^="Changes per second: "]:not([aria-label$="–"])');
        assert.ok((await readings()) >= 2);
    });

    scenario("the diagram steps back through the history", async (stage) => {
        const { id } = await stage.server.start("shipping", "parcel-replayed", {});
        const { items } = await stage.server.get(`/tasks?workflow=${id}`);
        const by = { user: "ann", groups: [] };
        await stage.server.post(`/tasks/${items[0].id}/claim`, by, { "If-Match": "*" });
        await stage.server.post(`/tasks/${items[0].id}/complete`, { ...by, outputs: {} }, { "If-Match": "*" });
        const page = await stage.person();
        await page.go(`/workflows/${id}`);
        await page.waitFor(".diagram[data-tokens~=join]");
        await page.clickOn(".replay button:first-child");
        await page.waitFor(".diagram[data-tokens~=pack]");
    });

    scenario("a definition shows where the tokens of its workflows are", async (stage) => {
        const page = await stage.person();
        await page.go("/definitions/shipping");
        await page.waitFor(".diagram[data-tokens~=pack] .token");
        await page.sees("Where the tokens of", ".hint");
        await page.click("Visits");
        await page.waitFor(".heat-5[data-element-id=pack]");
        assert.equal(await page.exists(".diagram .token"), false);
        await page.sees("Pack the parcel", '.table[aria-label="Elements"]');
        assert.deepEqual(await page.axe(), []);
        await page.click("Tokens now");
        await page.waitFor(".diagram[data-tokens~=pack] .token");
        assert.equal(await page.exists(".heat-5"), false);
    });
};
