// The table of docs/guides/dashboard.md: how many clicks and fields a task needs.
import { strict as assert } from "node:assert";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Hand, walks } from "../stage/walks.mjs";

const guide = readFileSync(join(process.env.HOLDFAST_SOURCE, "docs", "guides", "dashboard.md"), "utf8");

export default (scenario) => {
    for (const { name, clicks, fields, prepare, go } of walks)
        scenario(`${name}, with as many clicks as the guide says`, async (stage) => {
            const given = await prepare(stage.server);
            const page = await stage.person();
            await page.go(given.begins);
            const hand = new Hand(page);
            await go(hand, given);
            assert.deepEqual([hand.clicks, hand.fields], [clicks, fields]);
            assert.ok(guide.includes(`| ${name} | ${clicks} | ${fields} |`));
        });
};
