// How a browser signs in, stays signed in, and is signed out.
import { strict as assert } from "node:assert";
import { tokenFile } from "../stage/server.mjs";

const token = "0123456789abcdef0123";

const closedServer = async (stage) => {
    const server = await stage.newServer(["--token-file", tokenFile(stage.server.folder, token)]);
    server.token = token;
    return server;
};

const enter = async (page, key) => {
    await page.fill("input[type=password]", key);
    await page.click("Sign in");
};

const linkOf = async (server) => (await server.post("/sign-in-links")).path;

export default (scenario) => {
    scenario("who has not signed in sees how to, and the link of the server opens the page once", async (stage) => {
        const server = await stage.newServer();
        const page = await stage.stranger({ server });
        await page.go("/workflows");
        await page.sees("open the link that the server printed", ".lock");
        assert.deepEqual(await page.axe(), []);
        const link = await linkOf(server);
        await page.page.goto(server.url + link);
        await page.sees("No workflows yet");
        assert.equal(await page.page.evaluate(() => location.hash), "");
        assert.deepEqual(await page.page.evaluate(() => document.cookie), "");
        await page.reload();
        await page.sees("No workflows yet");
        const other = await stage.stranger({ server });
        await other.page.goto(server.url + link);
        await other.sees("The link was used before", ".lock");
    });

    scenario("a link that is opened in an open page signs it in, and a used one leaves it as it is", async (stage) => {
        const server = await stage.newServer();
        const page = await stage.stranger({ server });
        await page.go("/");
        await page.waitFor(".lock");
        const link = await linkOf(server);
        await page.page.evaluate((to) => (location.hash = to), link.slice(1));
        await page.sees("No workflows yet");
        await page.page.evaluate((to) => (location.hash = to), link.slice(1));
        await page.page.waitForFunction(() => location.hash === "");
        await page.settled();
        await page.sees("No workflows yet");
    });

    scenario("a link that somebody sends does not make another person of one who is signed in", async (stage) => {
        const server = await closedServer(stage);
        const ann = await server.post("/keys", { name: "ann", roles: ["viewer"] });
        const page = await stage.stranger({ server });
        await page.go("/settings");
        await enter(page, ann.key);
        await page.sees("ann", "main dd");
        await page.page.evaluate((to) => (location.hash = to), (await linkOf(server)).slice(1));
        await page.page.waitForFunction(() => location.hash === "");
        await page.settled();
        await page.sees("ann", "main dd");
        await page.reload();
        await page.sees("ann", "main dd");
    });

    scenario("a closed server refuses a wrong key, and opens with the token and with a key", async (stage) => {
        const server = await closedServer(stage);
        const page = await stage.stranger({ server });
        await page.go("/");
        await page.sees("Sign in", "h1");
        await enter(page, "wrong-wrong-wrong");
        await page.sees("The server refused this key");
        await enter(page, token);
        await page.sees("No workflows yet");
        await page.reload();
        await page.sees("No workflows yet");
        assert.ok(!(await page.page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage }))).includes(token));
        const { key } = await server.post("/keys", { name: "ann", roles: ["operator"] });
        const ann = await stage.stranger({ server });
        await ann.go("/settings");
        await enter(ann, key);
        await ann.sees("ann", "main dd");
        await ann.sees("operator", "main dd");
    });

    scenario("signing out ends the session for every page of the browser, and signing in again opens them all", async (stage) => {
        const server = await stage.newServer();
        const page = await stage.person({ server });
        await page.go("/settings");
        const cookies = await page.page.cookies();
        await page.click("Sign out");
        await page.sees("Sign in", "h1");
        assert.deepEqual(await page.page.cookies(), []);
        await page.page.setCookie(...cookies);
        await page.reload();
        await page.sees("Sign in", "h1");
    });

    scenario("a session that ends while the page is open locks it, and the page goes on where it was", async (stage) => {
        const server = await closedServer(stage);
        const page = await stage.stranger({ server });
        await page.go("/workflows?status=failed");
        await enter(page, token);
        await page.sees("Live", ".connection");
        const [session] = (await server.get("/keys?kind=session")).items;
        await server.call("DELETE", `/api/v1/keys/${session.id}`);
        await server.define("order");
        await server.start("order", "what would be told");
        await page.sees("Sign in", "h1");
        await enter(page, token);
        await page.sees("Live", ".connection");
        assert.equal(await page.path(), "/workflows?status=failed");
    });
};
