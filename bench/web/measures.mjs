// The measurements: a load, a task, a commit on its way to the screen, frames while rows change, memory over time.
import { setTimeout as sleep } from "node:timers/promises";
import { Hand, walks } from "../../tests/web/stage/walks.mjs";

const sorted = (all) => [...all].sort((a, b) => a - b);
const quantile = (all, share) => sorted(all)[Math.min(all.length - 1, Math.floor(all.length * share))];
const median = (all) => quantile(all, 0.5);

async function inParallel(count, width, work) {
    let next = 0;
    await Promise.all(Array.from({ length: width }, async () => {
        while (next < count) await work(next++);
    }));
}

// Milliseconds since the navigation began: the first paint, and the first row that can be clicked.
async function load(stage, path, ready) {
    const person = await stage.person();
    const { page } = person;
    await page.goto(person.url + path, { waitUntil: "domcontentloaded" });
    await page.waitForSelector(ready);
    const interactive = await page.evaluate(() => performance.now());
    await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint").length > 0, { polling: 20 });
    const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0].startTime);
    await stage.leave(person);
    return { paint, interactive };
}

// Beside a page without a script, from the same server: what the browser needs by itself.
export async function loads(stage, times, tell) {
    const plain = [], page = [];
    for (let i = 0; i < times; ++i) {
        plain.push(await load(stage, "/docs", "h1"));
        page.push(await load(stage, "/workflows", ".rows-box .row"));
    }
    const paint = (all) => median(all.map((one) => one.paint));
    tell("load, nothing cached", "first paint, median", paint(page), "ms", 200);
    tell("load, nothing cached", "first paint of a page without script", paint(plain), "ms");
    tell("load, nothing cached", "first row, median", median(page.map((one) => one.interactive)), "ms");
}

// What the page adds to the time of a hand: the task is done without a pause between clicks.
export async function tasks(stage, tell) {
    for (const { name, clicks, fields, prepare, go } of walks) {
        const given = await prepare(stage.server);
        const person = await stage.person();
        await person.go(given.begins);
        const began = performance.now();
        await go(new Hand(person), given);
        tell(`task: ${name}`, `${clicks} clicks, ${fields} fields`, performance.now() - began, "ms");
        await stage.leave(person);
    }
}

// From the answer to an edit, which follows its commit, to the frame that shows it.
export async function commitToScreen(stage, tell, edits = 300) {
    const { id } = await stage.server.start("order", "watched-by-bench", { currentStep: "review", total: 1_000_000 });
    const person = await stage.person();
    await person.go(`/workflows/${id}?tab=state`);
    await person.sees("1000000", ".json");
    await person.page.evaluate(() => {
        window.shown = {};
        const look = () => {
            const text = document.querySelector(".json .j-number")?.textContent;
            if (text && !(text in window.shown)) requestAnimationFrame(() => (window.shown[text] ??= Date.now()));
        };
        new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    const committed = {};
    for (let i = 1; i <= edits; ++i) {
        await stage.server.patch(id, i, { currentStep: "review", total: 1_000_000 + i });
        committed[1_000_000 + i] = Date.now();
        await person.page.waitForFunction((n) => n in window.shown, { polling: 10 }, String(1_000_000 + i));
    }
    const shown = await person.page.evaluate(() => window.shown);
    const delays = Object.keys(committed).map((n) => Math.max(0, shown[n] - committed[n]));
    tell(`${edits} edits`, "commit to screen, median", median(delays), "ms");
    tell(`${edits} edits`, "commit to screen, p99", quantile(delays, 0.99), "ms", 1000);
    await stage.leave(person);
}

// Frames a second, and the longest time without one, for as long as `until` is not done.
async function framesDuring(page, until) {
    await page.evaluate(() => {
        const seen = (window.frameTimes = []);
        const step = (at) => {
            seen.push(at);
            if (window.frameTimes === seen) requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
    });
    await until();
    const times = await page.evaluate(() => {
        const found = window.frameTimes;
        window.frameTimes = null;
        return found;
    });
    const gaps = times.slice(1).map((at, i) => at - times[i]);
    return { rate: ((times.length - 1) * 1000) / (times.at(-1) - times[0]), worst: Math.max(...gaps) };
}

// The rows of a definition on one screen, all of them loaded.
async function openRows(stage, definition, rows) {
    await stage.server.define(definition);
    await inParallel(rows, 32, (i) => stage.server.start(definition, `${definition}-${i}`, {}));
    const person = await stage.person();
    await person.go(`/workflows?definition=${definition}`);
    const loaded = () => person.page.evaluate(() => Number(document.querySelector(".rows").getAttribute("aria-rowcount")) - 1);
    for (let tries = 0; (await loaded()) < rows && tries < rows; ++tries) {
        await person.page.evaluate(() => document.querySelector(".rows-box").scrollTo(0, 1e9));
        await sleep(20);
    }
    if ((await loaded()) < rows) throw new Error(`${await loaded()} of ${rows} rows were loaded`);
    return person;
}

// Beside the same screen with two hundred rows: what the number of rows costs. A word is searched in all of them.
export async function scrolling(stage, rows, tell) {
    const few = await openRows(stage, "few", 200);
    const many = await openRows(stage, "many", rows);
    const scroll = (page) => async () => {
        const height = await page.evaluate(() => document.querySelector(".rows-box").scrollHeight);
        for (let i = 0; i < 100; ++i) {
            await page.evaluate((to) => document.querySelector(".rows-box").scrollTo(0, to), ((i * 37) % 100) * (height / 100));
            await sleep(30);
        }
    };
    const [short, long] = [await framesDuring(few.page, scroll(few.page)), await framesDuring(many.page, scroll(many.page))];
    tell(`${rows} rows scroll`, "frames a second", long.rate, "1/s", 50);
    tell(`${rows} rows scroll`, "frames a second, 200 rows", short.rate, "1/s");
    tell(`${rows} rows scroll`, "longest time without a frame", long.worst, "ms");
    const begun = performance.now();
    await many.fill(".search input", "many-77");
    await many.page.waitForFunction(() => document.querySelector(".rows-box .row .c-name")?.innerText.startsWith("many-77"), { polling: 10 });
    tell(`${rows} rows scroll`, "a word typed to its rows", performance.now() - begun, "ms");
    await stage.leave(few);
    await stage.leave(many);
}

// All rows are loaded, and a bulk job changes every one of them while somebody looks and scrolls.
export async function frames(stage, rows, tell) {
    const { server } = stage;
    const person = await openRows(stage, "crowd", rows);
    const { page } = person;
    const scroll = async () => {
        for (let i = 0; i < 60; ++i) {
            await page.evaluate((to) => document.querySelector(".rows-box").scrollTo(0, to), (i % 20) * 1500);
            await sleep(50);
        }
    };
    const still = await framesDuring(page, scroll);
    const { id } = await server.post("/bulk-jobs", { query: { definition: "crowd", status: "open" }, action: { do: "pause" } });
    const busy = await framesDuring(page, async () => {
        for (let done = 0; done < rows; ) {
            await scroll();
            done = (await server.get(`/bulk-jobs/${id}`)).done;
        }
    });
    tell(`${rows} rows change`, "frames a second", busy.rate, "1/s", 50);
    tell(`${rows} rows change`, "frames a second, nothing changes", still.rate, "1/s");
    tell(`${rows} rows change`, "longest time without a frame", busy.worst, "ms");
    await stage.leave(person);
}

async function heap(session) {
    await session.send("HeapProfiler.collectGarbage");
    await session.send("HeapProfiler.collectGarbage");
    return (await session.send("Runtime.getHeapUsage")).usedSize;
}

// As many changes as an hour has with ten a second, as quickly as the store takes them, while the overview shows them.
export async function memory(stage, changes, tell) {
    const { server } = stage;
    const width = 16;
    const ids = [];
    for (let i = 0; i < width; ++i) ids.push({ id: (await server.start("order", `hour-${i}`, { currentStep: "review" })).id, version: 1 });
    const person = await stage.person();
    await person.go("/");
    await person.sees("Live", ".connection");
    const session = await person.page.createCDPSession();
    const part = changes / 10;
    const used = [];
    for (let i = 0; i <= 10; ++i) {
        await Promise.all(ids.map(async (one) => {
            for (let n = 0; n < part / width; ++n) await server.patch(one.id, one.version++, { currentStep: "review", n });
        }));
        await person.settled(); // what is being loaded is not kept
        used.push(await heap(session));
    }
    // The first part fills what the page keeps: two minutes of the chart, the newest changes.
    const [begin, end] = [used[1], Math.max(...used.slice(-3))];
    tell(`${changes} changes`, "heap after the first tenth", begin / 1e6, "MB");
    tell(`${changes} changes`, "heap at the end", end / 1e6, "MB");
    tell(`${changes} changes`, "growth", ((end - begin) / begin) * 100, "%", 10);
    await stage.leave(person);
}
