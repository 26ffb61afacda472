// Everything with the keyboard.
import { strict as assert } from "node:assert";

export default (scenario) => {
    scenario("the palette finds a workflow by its business key and opens it", async (stage) => {
        const page = await stage.person();
        await page.go("/");
        await page.chord("Control", "k");
        await page.page.keyboard.type("order-1000");
        await page.sees("order-1000", ".palette li[aria-selected=true]");
        await page.press("Enter");
        await page.sees("order-1000", "h1");
    });

    scenario("the palette opens a definition and closes with Escape", async (stage) => {
        const page = await stage.person();
        await page.go("/");
        await page.chord("Control", "k");
        await page.waitFor(".palette");
        await page.press("Escape");
        await page.page.waitForFunction(() => !document.querySelector(".palette"));
        await page.chord("Control", "k");
        await page.page.keyboard.type("shipping");
        await page.sees("shipping", ".palette li[aria-selected=true]");
        await page.press("Enter");
        await page.sees("shipping", "h1");
    });

    scenario("g and a letter go to every screen", async (stage) => {
        const page = await stage.person();
        await page.go("/");
        await page.sees("Audit", ".nav-links");
        for (const [key, title] of [["w", "Workflows"], ["t", "Tasks"], ["d", "Definitions"], ["e", "Events"], ["l", "Dead letters"], ["i", "Incidents and jobs"], ["h", "Schedules"], ["b", "Bulk jobs"], ["k", "Webhooks"], ["c", "Conflicts"], ["n", "Nodes"], ["a", "Audit"], ["s", "Settings"], ["o", "Overview"]]) {
            await page.press("g", key);
            await page.sees(title, "h1");
        }
    });

    scenario("rows are walked with j and k, opened with Enter", async (stage) => {
        const page = await stage.person();
        await page.go("/workflows");
        await page.waitFor(".rows-box .row");
        await page.press("j", "j", "k");
        // The keys are taken at once, and shown a little later.
        let name = "";
        for (let shown; shown !== name || !name; await new Promise((wake) => setTimeout(wake, 300)))
            [shown, name] = [name, await page.text(".row.active .c-name a")];
        await page.press("Enter");
        await page.sees(name, "h1");
    });

    scenario("keys of the page work while the list has the focus", async (stage) => {
        const page = await stage.person();
        await page.go("/workflows");
        await page.waitFor(".rows-box .row");
        await page.page.focus(".rows-box");
        await page.press("j");
        await page.waitFor(".row.active");
        await page.chord("Control", "k");
        await page.waitFor(".palette");
        await page.press("Escape");
        await page.page.waitForFunction(() => !document.querySelector(".palette"), { polling: 50 });
        await page.page.focus(".rows-box");
        await page.press("g", "n");
        await page.sees("Nodes", "h1");
    });

    scenario("the question mark lists the keys, slash goes to the search", async (stage) => {
        const page = await stage.person();
        await page.go("/workflows");
        await page.page.keyboard.type("?");
        await page.sees("Keyboard", "dialog");
        await page.press("Escape");
        await page.page.waitForFunction(() => !document.querySelector("dialog"), { polling: 50 });
        await page.press("/");
        await page.page.waitForFunction(() => document.activeElement.matches("[data-search]"), { polling: 50 });
    });

    scenario("brackets change the tab, e edits", async (stage) => {
        const page = await stage.person();
        await page.go(`/workflows/${stage.data.story}`);
        await page.waitFor("[role=tab]");
        await page.press("]");
        await page.waitForPath("tab=state");
        await page.press("[");
        await page.waitForPath("tab=timeline");
        await page.press("e");
        await page.sees("Edit state", "dialog h2");
    });

    scenario("the first tab stop skips to the content", async (stage) => {
        const page = await stage.person();
        await page.go("/");
        await page.press("Tab");
        assert.equal(await page.page.evaluate(() => document.activeElement.textContent), "Skip to content");
        await page.press("Enter");
        assert.equal(await page.page.evaluate(() => document.activeElement.id), "content");
    });
};
