// Pages of a real Chromium, with the words that scenarios are written in.
import { createRequire } from "node:module";
import { join } from "node:path";
import { strict as assert } from "node:assert";

const require = createRequire(join(process.env.HOLDFAST_BUILD, "web_tests", "package.json"));
export const puppeteer = require("puppeteer-core");
export const axeSource = require("axe-core").source;

export function openBrowser() {
    return puppeteer.launch({
        executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
        // Tests run as root in containers, where Chromium's own sandbox does not work; they open only their own server.
        args: ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb", "--disable-dev-shm-usage"],
        headless: true,
    });
}

const patience = 15_000;

export class Page {
    constructor(page, url) {
        this.page = page;
        this.url = url;
        this.errors = [];
        this.violations = [];
        this.foreign = [];
    }

    static async open(context, url, { width = 1280, height = 800, theme = "light" } = {}) {
        const made = new Page(await context.newPage(), url);
        const { page } = made;
        page.setDefaultTimeout(patience);
        await page.setViewport({ width, height });
        await page.emulateMediaFeatures([
            { name: "prefers-color-scheme", value: theme },
            { name: "prefers-reduced-motion", value: "reduce" },
        ]);
        page.on("pageerror", (error) => made.errors.push(error.message));
        page.on("console", (message) => /Content Security Policy/i.test(message.text()) && made.violations.push(message.text()));
        page.on("request", (request) => {
            if (!request.url().startsWith(url) && !request.url().startsWith("data:")) made.foreign.push(request.url());
        });
        return made;
    }

    // Changes the screen as a link does, without loading the page again.
    async go(path) {
        if (this.page.url() === "about:blank") await this.page.goto(this.url + path, { waitUntil: "domcontentloaded" });
        else
            await this.page.evaluate((to) => {
                history.pushState(null, "", to);
                dispatchEvent(new PopStateEvent("popstate"));
            }, path);
        await this.page.waitForSelector("main h1, .lock, main .empty, main .problem");
        return this;
    }

    async reload() {
        await this.page.reload({ waitUntil: "domcontentloaded" });
        await this.page.waitForSelector("main h1, .lock, main .empty");
    }

    // Waits until the text of the element contains it.
    async sees(text, within = "body") {
        await this.page
            .waitForFunction((wanted, where) => [...document.querySelectorAll(where)].some((one) => one.innerText.includes(wanted)), { timeout: patience, polling: 50 }, text, within)
            .catch(async () => assert.fail(`"${text}" is not in ${within}: ${(await this.text(within)).slice(0, 600)}`));
    }

    async seesNot(text, within = "body") {
        await this.page
            .waitForFunction((wanted, where) => ![...document.querySelectorAll(where)].some((one) => one.innerText.includes(wanted)), { timeout: patience, polling: 50 }, text, within)
            .catch(() => assert.fail(`"${text}" is still in ${within}`));
    }

    // Waits until the screen has what it asked for; the stream of changes stays open.
    settled = () => this.page.waitForNetworkIdle({ idleTime: 100, concurrency: 1, timeout: patience });

    text = (where) => this.page.evaluate((one) => [...document.querySelectorAll(one)].map((found) => found.innerText).join("\n"), where);
    count = (where) => this.page.evaluate((one) => document.querySelectorAll(one).length, where);
    exists = async (where) => (await this.count(where)) > 0;
    path = () => this.page.evaluate(() => location.pathname + location.search);
    waitFor = (where) => this.page.waitForSelector(where);
    waitForPath = (part) => this.page.waitForFunction((wanted) => (location.pathname + location.search).includes(wanted), { polling: 50 }, part);

    // Clicks the element with this accessible name and role.
    async click(name, role = "button") {
        const found = await this.page.waitForSelector(`::-p-aria([name="${name}"][role="${role}"])`);
        await found.evaluate((element) => element.scrollIntoView({ block: "center" }));
        await found.click();
    }

    async clickOn(where) {
        const found = await this.page.waitForSelector(where);
        await found.evaluate((element) => element.click());
    }

    async fill(where, text) {
        const found = await this.page.waitForSelector(where);
        await found.evaluate((element, value) => {
            const set = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), "value").set;
            set.call(element, value);
            element.dispatchEvent(new Event("input", { bubbles: true }));
            element.dispatchEvent(new Event("change", { bubbles: true }));
        }, text);
    }

    async pick(where, value) {
        await this.page.waitForSelector(where);
        await this.page.select(where, value);
    }

    press = (...keys) => keys.reduce((before, key) => before.then(() => this.page.keyboard.press(key)), Promise.resolve());

    async chord(modifier, key) {
        await this.page.keyboard.down(modifier);
        await this.page.keyboard.press(key);
        await this.page.keyboard.up(modifier);
    }

    async axe() {
        if (!(await this.page.evaluate(() => "axe" in window))) await this.page.evaluate(axeSource);
        const found = await this.page.evaluate(() =>
            window.axe.run(document, { resultTypes: ["violations"], runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] })
        );
        return found.violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ") + " " + (node.any[0]?.message ?? "")).slice(0, 3).join(" | ")}`);
    }

    // What every scenario must leave behind: no error, no violation of the policy, no request to elsewhere.
    check() {
        assert.deepEqual(this.errors, []);
        assert.deepEqual(this.violations, []);
        assert.deepEqual(this.foreign, []);
    }
}
