// Webhooks from the page: made, pinged, refused by their receiver, posted again, removed.
import { strict as assert } from "node:assert";
import { createHmac } from "node:crypto";
import { createServer } from "node:http";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

// Remembers what came, and answers with `status`.
class Receiver {
    posts = [];
    status = 200;

    static async open() {
        const receiver = new Receiver();
        receiver.server = createServer(async (request, response) => {
            let body = "";
            for await (const part of request) body += part;
            receiver.posts.push({ signature: request.headers["holdfast-signature"], body, records: JSON.parse(body).records ?? [] });
            response.writeHead(receiver.status).end();
        });
        await new Promise((ready) => receiver.server.listen(0, "127.0.0.1", ready));
        receiver.url = `http://127.0.0.1:${receiver.server.address().port}/hook`;
        return receiver;
    }

    close = () => new Promise((closed) => (this.server.closeAllConnections(), this.server.close(closed)));
}

async function postingServer(stage) {
    const secret = join(stage.server.folder, "webhook_secret");
    writeFileSync(secret, "0123456789abcdef0123456789\n", { mode: 0o600 });
    const server = await stage.newServer(["--webhook-secret-file", secret, "--webhook-host", "127.0.0.1", "--webhook-allow-private"]);
    await server.define("order");
    return server;
}

async function create(page, url) {
    await page.go("/webhooks");
    await page.clickOn(".head-actions .button.primary");
    await page.fill("dialog input[type=url]", url);
    await page.clickOn("dialog button[type=submit]");
}

const until = async (condition) => {
    for (let waited = 0; !condition(); waited += 20) {
        assert.ok(waited < 15_000, "it did not come");
        await new Promise((wake) => setTimeout(wake, 20));
    }
};

export default (scenario) => {
    scenario("a webhook is made, its key is shown once and checks what is posted, and it is removed", async (stage) => {
        const receiver = await Receiver.open();
        try {
            const server = await postingServer(stage);
            const page = await stage.person({ server });
            await create(page, receiver.url);
            await page.sees("It is shown only now", "dialog");
            assert.deepEqual(await page.axe(), []);
            const key = await page.text("dialog code");
            await page.click("I have kept it");
            await page.sees(receiver.url, ".table");
            await page.click("Ping");
            await page.sees("The receiver took it", ".notes");
            await server.start("order", "posted");
            await until(() => receiver.posts.some(({ records }) => records.some((one) => one.businessKey === "posted")));
            for (const { signature, body } of receiver.posts) {
                const [, time, signed] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature);
                assert.equal(createHmac("sha256", key).update(`${time}.${body}`).digest("hex"), signed);
            }
            await page.click("Remove");
            await page.clickOn("dialog button[type=submit]");
            await page.sees("No webhooks", "main");
        } finally {
            await receiver.close();
        }
    });

    scenario("what a receiver refuses is shown with its reason and posted again", async (stage) => {
        const receiver = await Receiver.open();
        try {
            const server = await postingServer(stage);
            await server.post("/webhooks", { url: receiver.url, kinds: ["workflow"] });
            const page = await stage.person({ server });
            await page.go("/webhooks");
            receiver.status = 410;
            await server.start("order", "refused");
            await page.click("Post again");
            receiver.status = 200;
            await page.sees("They are posted again", ".notes");
            await until(() => receiver.posts.at(-1).records.some((one) => one.businessKey === "refused"));
            await page.page.waitForFunction(() => !document.querySelector(".table").innerText.includes("Post again"), { polling: 50 });
        } finally {
            await receiver.close();
        }
    });

    scenario("a webhook that the server does not allow is refused with what to do", async (stage) => {
        const page = await stage.person({ server: await stage.newServer() });
        await create(page, "http://127.0.0.1:1/hook");
        await page.sees("--webhook", "dialog .problem");
    });
};
