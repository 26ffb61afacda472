// Limits of a definition: who waits for a turn says behind whom, and gets it.
import { strict as assert } from "node:assert";

export default (scenario) => {
    scenario("a workflow over the limits of its definition says behind how many it waits, and begins when its turn comes", async (stage) => {
        const { server } = stage;
        await server.define("limited", { limits: { concurrency: 1, key: "businessKey" } });
        const ids = [];
        for (let i = 0; i < 3; ++i) ids.push((await server.start("limited", "one-key")).id);
        const page = await stage.person();
        await page.go("/workflows?definition=limited");
        await page.sees("Waits for its turn", ".rows-box");
        await page.go(`/workflows/${ids[2]}`);
        await page.sees("Waits for its turn behind 1 other, while 1 run: at most 1 at a time, for each businessKey", ".now-text");
        assert.deepEqual(await page.axe(), []);
        await server.post(`/workflows/${ids[0]}/cancel`);
        await page.sees("Waits for its turn, while 1 run", ".now-text");
        await server.post(`/workflows/${ids[1]}/cancel`);
        await page.sees("A runner outside takes the next step", ".now-text");
        await page.go("/definitions/limited?tab=facts");
        await page.sees("Limits: at most 1 at a time, for each businessKey", "main");
        await page.click("Start");
        await page.sees("Priority, 0 to 9", "dialog");
    });
};
