// Who may look, for whom the page is made: tokens, policy, axe, small and large screens.
import { strict as assert } from "node:assert";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { screens } from "../stage/screens.mjs";

export default (scenario) => {
    for (const theme of ["light", "dark"])
        scenario(
            `axe finds nothing on any screen in the ${theme} theme`,
            async (stage) => {
                const page = await stage.person({ theme });
                const found = [];
                for (const [name, path] of Object.entries(screens(stage.data))) {
                    await page.go(path);
                    if (name === "process" || name === "definition") await page.waitFor(".djs-shape");
                    await new Promise((wake) => setTimeout(wake, 150));
                    for (const violation of await page.axe()) found.push(`${name}: ${violation}`);
                }
                assert.deepEqual(found, []);
            },
            ["sqlite"]
        );

    scenario("axe finds nothing in dialogs and the palette", async (stage) => {
        const page = await stage.person();
        await page.go(`/workflows/${stage.data.story}`);
        await page.click("Edit state");
        await page.waitFor("dialog textarea");
        assert.deepEqual(await page.axe(), []);
        await page.press("Escape");
        await page.chord("Control", "k");
        await page.waitFor(".palette li");
        assert.deepEqual(await page.axe(), []);
    }, ["sqlite"]);

    scenario("the page asks nobody but its server, and carries its policy", async (stage) => {
        const page = await stage.person();
        const response = await page.page.goto(stage.server.url + "/");
        const policy = response.headers()["content-security-policy"];
        assert.match(policy, /default-src 'none'/);
        assert.doesNotMatch(policy, /unsafe/);
        await page.go(`/workflows/${stage.data.parcel}`);
        await page.waitFor(".djs-shape");
        assert.deepEqual(page.foreign, []);
    });

    for (const [width, height] of [[320, 640], [768, 1024], [3840, 2160]])
        scenario(`nothing overflows sideways at ${width} pixels`, async (stage) => {
            const page = await stage.person({ width, height });
            for (const path of Object.values(screens(stage.data))) {
                await page.go(path);
                await new Promise((wake) => setTimeout(wake, 60));
                const wider = await page.page.evaluate(() => document.querySelector(".main").scrollWidth - document.querySelector(".main").clientWidth);
                assert.ok(wider <= 1, `${path} is ${wider} pixels too wide`);
            }
        }, ["sqlite"]);

    scenario("a very large screen shows larger text", async (stage) => {
        const height = async (width) => {
            const page = await stage.person({ width, height: 1600 });
            await page.go("/");
            return page.page.$eval("main h1", (one) => one.getBoundingClientRect().height);
        };
        assert.ok((await height(3840)) >= 1.5 * (await height(1280)));
    }, ["sqlite"]);

    scenario("on a small screen the menu opens, leads on and closes", async (stage) => {
        const page = await stage.person({ width: 360, height: 700 });
        await page.go("/");
        await page.click("Menu");
        await page.waitFor(".nav.open");
        await page.clickOn(".nav a[href='/workflows']");
        await page.sees("Workflows", "h1");
        assert.equal(await page.exists(".nav.open"), false);
    });

    scenario("every text of the page is in the catalogue", async () => {
        const sources = join(process.env.HOLDFAST_SOURCE, "web", "src");
        const symbols = new Set(["null", "Esc", "K"]);
        const found = [];
        for (const file of readdirSync(sources, { recursive: true }).filter((name) => name.endsWith(".tsx")))
            for (const [, text] of readFileSync(join(sources, file), "utf8").matchAll(/[^=]>\s*([A-Za-z][A-Za-z ,.]*)\s*</g))
                if (!symbols.has(text.trim())) found.push(`${file}: ${text.trim()}`);
        assert.deepEqual(found, []);
    }, ["sqlite"]);

    scenario("an address that is no page says so and leads back", async (stage) => {
        const page = await stage.person();
        await page.go("/");
        await page.go("/nowhere");
        await page.sees("There is no such page");
    });

    scenario("an address that is cut off, and views that somebody broke, do not break the page", async (stage) => {
        const page = await stage.person();
        await page.go("/");
        await page.go("/definitions/%E0%A4");
        await page.sees("There is no such page");
        await page.page.evaluate(() => localStorage.setItem("views", '[{"name": 5}, null, {"name": "mine", "query": "?status=failed"}]'));
        await page.page.goto(stage.server.url + "/workflows?tab=nonsense");
        await page.sees("mine", ".views");
        assert.equal(await page.count(".view"), 1);
        for (const path of ["/workflows/nonsense", `/workflows/${stage.data.story}?tab=nonsense&from=x&to=-1`, "/tasks?view=nonsense", "/definitions/shipping?version=nonsense", "/jobs?tab=nonsense", "/schedules?x=1"]) {
            await page.page.goto(stage.server.url + path);
            await page.waitFor("main h1, main .problem, main .empty");
        }
    });

    scenario("pages that were left hold no connection: the eighth load is as live as the first", async (stage) => {
        const page = await stage.person();
        for (const path of ["/", "/workflows", "/tasks", "/definitions/shipping", "/jobs", "/schedules", "/nodes", `/workflows/${stage.data.story}`]) {
            await page.page.goto(stage.server.url + path);
            await page.sees("Live", ".connection");
            await page.waitFor("main h1");
        }
    });

    scenario("the theme is chosen, applied and kept", async (stage) => {
        const page = await stage.person();
        await page.go("/settings");
        await page.click("Dark");
        const dark = () => page.page.evaluate(() => document.documentElement.dataset.theme);
        assert.equal(await dark(), "dark");
        await page.reload();
        assert.equal(await dark(), "dark");
    });
};
