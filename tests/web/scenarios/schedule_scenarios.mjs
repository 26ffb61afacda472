// Schedules: made from a form, fired by hand, paused, changed and removed.
import { strict as assert } from "node:assert";

const inRow = (page, name, button) =>
    page.page.evaluate(
        (wanted, label) => {
            const found = [...document.querySelectorAll(".table tr")].find((one) => one.innerText.includes(wanted));
            [...found.querySelectorAll("button")].find((one) => one.innerText === label || one.getAttribute("aria-label") === label).click();
        },
        name,
        button
    );

const made = (stage, name, more = {}) =>
    stage.server.call("PUT", `/api/v1/schedules/${name}`, { cron: "0 2 * * *", timeZone: "Europe/Berlin", start: { definition: "approval", businessKey: `${name}-\${due}` }, ...more });

export default (scenario) => {
    scenario("a schedule is made from a form, and shows when it fires next", async (stage) => {
        const page = await stage.person();
        await page.go("/schedules");
        await page.sees("Schedules", "h1");
        await page.click("Create schedule");
        await page.fill("dialog input[data-first]", "nightly");
        await page.fill("dialog input.code", "30 3 * * *");
        await page.waitFor("dialog option[value=approval]");
        await page.pick("dialog select", "approval");
        assert.deepEqual(await page.axe(), []);
        await page.clickOn("dialog button[type=submit]");
        await page.sees("nightly", ".table");
        await page.sees("30 3 * * *", ".table");
        await page.sees("starts approval", ".table");
        await inRow(page, "nightly", "Expand");
        await page.sees("Fires next", ".schedule-detail");
        assert.equal(await page.count('[aria-label="Fires next"] li'), 5);
        assert.deepEqual(await page.axe(), []);
        const { spec } = await stage.server.get("/schedules/nightly");
        assert.equal(spec.cron, "30 3 * * *");
    });

    scenario("a cron text that is none is refused in the form, with its reason", async (stage) => {
        const page = await stage.person();
        await page.go("/schedules");
        await page.click("Create schedule");
        await page.fill("dialog input[data-first]", "refused");
        await page.fill("dialog input.code", "61 * * * *");
        await page.waitFor("dialog option[value=approval]");
        await page.clickOn("dialog button[type=submit]");
        await page.waitFor("dialog .problem");
        await stage.server.call("GET", "/api/v1/schedules/refused", undefined, {}, [404]);
    });

    scenario("a schedule is fired by hand, and leads to what it started", async (stage) => {
        await made(stage, "by-hand");
        const page = await stage.person();
        await page.go("/schedules");
        await page.sees("by-hand", ".table");
        await inRow(page, "by-hand", "Fire now");
        await page.sees("Fired", ".notes");
        await inRow(page, "by-hand", "Expand");
        await page.sees("by hand", '[aria-label="Fired last"]');
        await page.clickOn('[aria-label="Fired last"] a');
        await page.sees("by-hand-", "h1");
    });

    scenario("a schedule is paused, resumed and removed after a question", async (stage) => {
        await made(stage, "short-lived");
        const page = await stage.person();
        await page.go("/schedules");
        await page.sees("short-lived", ".table");
        const status = async () => (await stage.server.get("/schedules/short-lived")).status;
        await inRow(page, "short-lived", "Pause");
        await page.sees("Paused", ".table");
        assert.equal(await status(), "paused");
        await inRow(page, "short-lived", "Resume");
        await page.sees("Resumed", ".notes");
        assert.equal(await status(), "active");
        await inRow(page, "short-lived", "Remove");
        await page.clickOn("dialog button[type=submit]");
        await page.seesNot("short-lived", ".table");
        await stage.server.call("GET", "/api/v1/schedules/short-lived", undefined, {}, [404]);
    });

    scenario("a change keeps what the form does not show", async (stage) => {
        await made(stage, "kept", { until: "2999-01-01T00:00:00Z" });
        const page = await stage.person();
        await page.go("/schedules");
        await page.sees("kept", ".table");
        await inRow(page, "kept", "Expand");
        await page.click("Change");
        await page.click("In an interval");
        await page.fill("dialog .field:nth-of-type(1) input", "20m");
        await page.clickOn("dialog button[type=submit]");
        await page.sees("Changed; it counts from now on", ".notes");
        const { spec } = await stage.server.get("/schedules/kept");
        assert.match(spec.until, /^2999/);
        assert.equal(spec.cron ?? null, null);
        assert.equal(spec.start.definition, "approval");
    });

    scenario("a schedule that fires on its own is seen to", async (stage) => {
        await stage.server.call("PUT", "/api/v1/schedules/soon", { every: "1s", start: { definition: "approval", businessKey: "soon-${due}" } });
        const page = await stage.person();
        await page.go("/workflows?definition=approval");
        await page.sees("soon-", ".rows");
        await stage.server.call("DELETE", "/api/v1/schedules/soon");
    });
};
