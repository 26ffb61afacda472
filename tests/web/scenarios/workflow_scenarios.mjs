// Finding workflows, understanding one, and acting on it.
import { strict as assert } from "node:assert";
import { undecidedModel } from "../stage/examples.mjs";

const waiting = async (stage, key) => {
    const { id } = await stage.server.start("order", key, { currentStep: "review", total: 5 });
    await stage.server.wait(id, 0, { names: ["paid"], after: "30m" });
    return id;
};

// Each tree calls `wide` smaller ones, until the depth is used up; those wait for an event.
const treeModel = `<?xml version="1.0"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="test">
  <process id="tree" isExecutable="true">
    <startEvent id="start"/>
    <sequenceFlow id="to_gateway" sourceRef="start" targetRef="deep"/>
    <exclusiveGateway id="deep" default="leaf"/>
    <sequenceFlow id="down" sourceRef="deep" targetRef="call"><conditionExpression>=depth &gt; 0</conditionExpression></sequenceFlow>
    <sequenceFlow id="leaf" sourceRef="deep" targetRef="work"/>
    <callActivity id="call">
      <extensionElements>
        <zeebe:calledElement processId="tree" propagateAllChildVariables="false"/>
        <zeebe:ioMapping><zeebe:input source="=depth - 1" target="depth"/></zeebe:ioMapping>
      </extensionElements>
      <multiInstanceLoopCharacteristics>
        <extensionElements><zeebe:loopCharacteristics inputCollection="=for n in 1..wide return n" inputElement="n"/></extensionElements>
      </multiInstanceLoopCharacteristics>
    </callActivity>
    <serviceTask id="work"><extensionElements><zeebe:taskDefinition type="leaf-work"/></extensionElements></serviceTask>
    <sequenceFlow id="called" sourceRef="call" targetRef="done"/>
    <sequenceFlow id="worked" sourceRef="work" targetRef="done"/>
    <endEvent id="done"/>
  </process>
</definitions>`;

export default (scenario) => {
    scenario("the overview counts, and each figure leads to its list", async (stage) => {
        const page = await stage.person();
        await page.go("/");
        await page.sees("Failed, last 24 h", ".figures");
        await page.clickOn(".figure[href^='/workflows?status=failed']");
        await page.sees("order-1001", ".rows");
        await page.seesNot("order-1002", ".rows");
    });

    // What people and programs may name as they like.
    async function hostileServer(stage) {
        const server = await stage.newServer();
        const evil = "<img src=x onerror='window.hacked=1'>\u202Egnp.exe \u200F<script>window.hacked=1</script>" + "W".repeat(120);
        await server.define("order");
        const { id } = await server.start("order", evil, { [evil]: evil });
        const task = await server.task(id, 0, evil, { candidateGroups: [evil], candidateUsers: [evil], expectedOutputs: [evil], payload: { [evil]: evil }, queue: evil });
        await server.wait(id, 1, { names: ["n".repeat(200), `task/${task.id}`] });
        await server.post(`/workflows/${id}/checkpoints`, { name: "c".repeat(60) });
        await server.put(`/schedules/${"s".repeat(120)}`, { every: "6h", start: { definition: "order", businessKey: evil } });
        const name = evil.replace(/</g, "&lt;").replace(/'/g, "&apos;");
        await server.deploy(undecidedModel.replace('id="large"', `id="large" name="${name}"`));
        const stuck = await server.start("undecided", evil, { variables: { amount: "many" } });
        await server.post("/bulk-jobs", { query: { definition: "order", status: "open" }, action: { do: "pause" }, reason: evil });
        return { server, paths: ["/", "/workflows", `/workflows/${id}`, ...["state", "versions", "history", "tasks", "raw"].map((tab) => `/workflows/${id}?tab=${tab}`), "/tasks", `/tasks/${task.id}`, "/jobs", "/schedules", "/bulk-jobs", "/definitions/undecided", `/workflows/${stuck.id}`] };
    }

    scenario("names of any kind break no screen, run nothing and hide nothing", async (stage) => {
        const { server, paths } = await hostileServer(stage);
        for (const width of [320, 1280]) {
            const page = await stage.person({ server, width, height: 800 });
            for (const path of paths) {
                await page.go(path);
                await page.settled();
                const [hacked, wider, hidden] = await page.page.evaluate(() => {
                    const { scrollWidth, clientWidth } = document.querySelector(".main");
                    return [window.hacked, scrollWidth - clientWidth, /[\u202e\u200f]/.test(document.body.innerText)];
                });
                assert.deepEqual({ path, hacked: hacked ?? null, fits: wider <= 1, hidden }, { path, hacked: null, fits: true, hidden: false });
            }
        }
    });

    scenario("a start without a definition says how to make one", async (stage) => {
        const page = await stage.person({ server: await stage.newServer() });
        await page.go("/");
        await page.click("Start workflow");
        await page.sees("holdfast define order", "dialog");
        assert.deepEqual(await page.axe(), []);
    });

    scenario("an empty server teaches the next command", async (stage) => {
        const server = await stage.newServer();
        const page = await stage.person({ server });
        await page.go("/");
        await page.sees("holdfast define order");
        await page.go("/definitions");
        await page.sees("holdfast deploy order.bpmn");
        await page.go("/tasks");
        await page.sees("No tasks here");
        await page.go("/dead-letters");
        await page.sees("No dead letters");
    });

    scenario("the list filters as one types: words, status, definition, paths of the state", async (stage) => {
        const page = await stage.person();
        await page.go("/workflows");
        await page.fill("[data-search]", "order-10");
        await page.sees("order-1039", ".rows");
        await page.fill("[data-search]", "order-1001");
        await page.seesNot("order-1039", ".rows");
        await page.sees("order-1001", ".rows");
        await page.fill("[data-search]", "status:failed");
        await page.sees("order-1001", ".rows");
        await page.seesNot("order-1002", ".rows");
        await page.fill("[data-search]", "definition:approval");
        await page.sees("expense-7", ".rows");
        await page.seesNot("order-1001", ".rows");
        await page.fill("[data-search]", "currentStep=shipping");
        await page.sees("order-1005", ".rows");
        await page.seesNot("order-1006", ".rows");
    });

    scenario("an answer to an earlier search that comes late does not get into the list", async (stage) => {
        const page = await stage.person();
        await page.go("/settings");
        const late = [];
        await page.page.setRequestInterception(true);
        page.page.on("request", (request) => (/\/api\/v1\/workflows\?limit=200$/.test(request.url()) ? late.push(request) : request.continue()));
        await page.go("/workflows");
        await page.fill(".search input", "before:2020-01-31");
        await page.sees("No workflow matches", "main");
        assert.ok(late.length > 0);
        for (const request of late) await request.continue();
        await page.settled();
        await page.sees("No workflow matches", "main");
    });

    scenario("times narrow the list: since and before", async (stage) => {
        const page = await stage.person();
        await page.go("/workflows");
        await page.fill(".search input", "since:1h order-1005");
        await page.sees("order-1005", ".rows");
        await page.fill(".search input", "before:2020-01-31");
        await page.sees("No workflow matches", "main");
        await page.fill(".search input", "since:2w before:2999-12-31 order-1005");
        await page.sees("order-1005", ".rows");
        await page.fill(".search input", "since:nonsense order-1005");
        await page.sees("order-1005", ".rows");
    });

    scenario("a business key that is not loaded is found by its index", async (stage) => {
        const page = await stage.person();
        await page.go("/workflows?status=failed");
        await page.sees("order-1001", ".rows");
        await page.go("/workflows?q=order-1017");
        await page.sees("order-1017", ".rows");
    });

    scenario("a search that finds nothing says so, Escape clears it", async (stage) => {
        const page = await stage.person();
        await page.go("/workflows?q=no-such-order");
        await page.sees("No workflow matches");
        await page.page.focus("[data-search]");
        await page.press("Escape");
        await page.waitFor(".rows-box .row:nth-child(8)");
        assert.equal(await page.path(), "/workflows");
    });

    scenario("a view is saved, opened and removed", async (stage) => {
        const page = await stage.person();
        await page.go("/workflows?status=failed");
        await page.click("Save this view");
        await page.fill("dialog input", "Broken");
        await page.clickOn("dialog button[type=submit]");
        await page.sees("Broken", ".views");
        await page.go("/workflows");
        await page.clickOn(".view a");
        await page.waitForPath("status=failed");
        await page.click("Remove view: Broken");
        await page.seesNot("Broken", ".views");
    });

    scenario("what a workflow waits for is a sentence", async (stage) => {
        const page = await stage.person();
        await page.go(`/workflows/${stage.data.story}`);
        await page.sees("Waits for the event paid or payment-cancelled, until", ".now-text");
        await page.go(`/workflows/${stage.data.expense}`);
        await page.sees("Waits for boss to complete “Approve 120 euro”", ".now-text");
        await page.go(`/workflows/${stage.data.failed}`);
        await page.sees("Failed with card_declined after", ".now-text");
        await page.sees("refused", ".trouble");
    });

    scenario("a process that waits is not said to run, neither in the list nor on its page", async (stage) => {
        const page = await stage.person();
        await page.go("/workflows?definition=shipping");
        await page.sees("Waits for somebody to complete “Pack the parcel”", `.row[data-key="${stage.data.parcel}"] .c-what`);
        await page.go(`/workflows/${stage.data.parcel}`);
        await page.sees("Waits for somebody to complete “Pack the parcel”", ".now-text");
    });

    scenario("the timeline shows steps and waits, and a bar its details", async (stage) => {
        const page = await stage.person();
        await page.go(`/workflows/${stage.data.story}`);
        await page.sees("reserve stock", ".gantt");
        await page.sees("paid or payment-cancelled", ".gantt");
        await page.clickOn(".bar.b-step");
        await page.sees("warehouse", ".gantt-detail");
    });

    scenario("the history is complete and opens a row", async (stage) => {
        const page = await stage.person();
        await page.go(`/workflows/${stage.data.story}?tab=history`);
        await page.sees("Step: reserve stock", ".history");
        const { version } = await stage.server.get(`/workflows/${stage.data.story}`);
        assert.equal(await page.count(".h-row"), version);
        await page.clickOn(".h-row:last-child > button");
        await page.sees("Hash", ".h-more");
    });

    scenario("any two versions are compared, and the address keeps them", async (stage) => {
        const page = await stage.person();
        await page.go(`/workflows/${stage.data.story}?tab=versions`);
        await page.sees("gift wrap", ".diff");
        await page.sees("absent", ".diff");
        const id = await waiting(stage, "compare");
        for (let version = 2; version < 5; ++version) await stage.server.patch(id, version, { currentStep: "review", total: version * 100 });
        await page.go(`/workflows/${id}?tab=versions&from=1&to=5`);
        await page.sees("400", ".diff .added");
        await page.sees("5", ".diff .removed");
        await page.pick(".compare label:first-child select", "3");
        await page.sees("200", ".diff .removed");
        await page.waitForPath("from=3");
    });

    scenario("a state that never changed has nothing to compare, and says so", async (stage) => {
        const { id } = await stage.server.start("order", "one-version", { currentStep: "review" });
        const page = await stage.person();
        await page.go(`/workflows/${id}?tab=versions`);
        await page.sees("has not changed since the start", "#tab-panel");
    });

    scenario("an event with a correlation key is waited for, shown everywhere, found by its key, and sent", async (stage) => {
        const { server } = stage;
        const { id } = await server.start("order", "keyed", { currentStep: "payment" });
        await server.wait(id, 0, { names: [{ name: "paid", correlationKey: "invoice-77" }, "given-up"] });
        const page = await stage.person();
        await page.go("/workflows?q=invoice-77");
        await page.sees("paid for invoice-77 or given-up", ".rows-box .row");
        await page.go("/");
        await page.sees("paid for invoice-77", "main");
        await page.go(`/workflows/${id}`);
        await page.sees("paid for invoice-77", ".now-text");
        await page.sees("paid for invoice-77 or given-up", ".gantt");
        await page.click("Send event");
        await page.sees("paid for invoice-77", "dialog .chip[aria-pressed=true]");
        await page.clickOn("dialog button[type=submit]");
        await page.sees("Delivered", ".notes");
    });

    scenario("a workflow whose program no node has says so", async (stage) => {
        const { server } = stage;
        await server.put("/definitions/for-workers", { runner: "worker" });
        const { id } = await server.start("for-workers", "nobody");
        const page = await stage.person();
        await page.go(`/workflows/${id}`);
        await page.sees("No live node has its program “for-workers”", ".now-text");
    });

    scenario("an event is sent, and the page shows its delivery", async (stage) => {
        const id = await waiting(stage, "to-be-paid");
        const page = await stage.person();
        await page.go(`/workflows/${id}`);
        await page.click("Send event");
        assert.equal(await page.page.$eval("dialog input", (input) => input.value), "paid");
        await page.fill("dialog textarea", '{"amount": 5}');
        await page.clickOn("dialog button[type=submit]");
        await page.sees("Delivered", ".notes");
        await page.sees("Running", ".wf-title");
        await page.sees("Wait ended: paid");
    });

    scenario("bad JSON in an event is refused with its reason", async (stage) => {
        const id = await waiting(stage, "bad-json");
        const page = await stage.person();
        await page.go(`/workflows/${id}`);
        await page.click("Send event");
        await page.fill("dialog textarea", "{nonsense");
        await page.clickOn("dialog button[type=submit]");
        await page.waitFor("dialog .problem");
    });

    scenario("a workflow is paused and resumed", async (stage) => {
        const id = await waiting(stage, "pausable");
        const page = await stage.person();
        await page.go(`/workflows/${id}`);
        await page.click("Pause");
        await page.sees("Events queue up and timers wait", ".now-text");
        await page.click("Resume");
        await page.sees("Waits for the event paid", ".now-text");
    });

    scenario("a workflow is cancelled with a reason", async (stage) => {
        const id = await waiting(stage, "cancellable");
        const page = await stage.person();
        await page.go(`/workflows/${id}`);
        await page.click("More actions");
        await page.click("Cancel", "menuitem");
        await page.fill("dialog input", "no longer needed");
        await page.clickOn("dialog button[type=submit]");
        await page.sees("Cancelled after", ".now-text");
        await page.sees("no longer needed");
        assert.equal(await page.exists("[data-key-e]"), false);
    });

    scenario("a workflow is deleted, and its history stays", async (stage) => {
        const id = await waiting(stage, "deletable");
        const page = await stage.person();
        await page.go(`/workflows/${id}`);
        await page.click("More actions");
        await page.click("Delete", "menuitem");
        await page.clickOn("dialog button[type=submit]");
        await page.sees("Workflows", "h1");
        await page.go(`/workflows/${id}`);
        await page.sees("There is no such workflow");
        await page.sees("Deleted", ".history");
    });

    scenario("a state is edited, and the change is shown before it is saved", async (stage) => {
        const id = await waiting(stage, "editable");
        const page = await stage.person();
        await page.go(`/workflows/${id}`);
        await page.click("Edit state");
        await page.fill("dialog textarea", '{"currentStep": "payment", "total": 6}');
        await page.sees("currentStep", ".edit-changes");
        await page.clickOn("dialog button[type=submit]");
        await page.sees("Saved as version 3", ".notes");
        await page.sees('"payment"', ".json");
    });

    scenario("a state that its schema refuses says where", async (stage) => {
        const id = await waiting(stage, "strict");
        const page = await stage.person();
        await page.go(`/workflows/${id}`);
        await page.click("Edit state");
        await page.fill("dialog textarea", '{"currentStep": "review", "total": -1}');
        await page.clickOn("dialog button[type=submit]");
        await page.sees("/total", "dialog .problem");
    });

    scenario("a checkpoint is taken, restored and forked", async (stage) => {
        const id = await waiting(stage, "checked");
        const page = await stage.person();
        await page.go(`/workflows/${id}?tab=state`);
        await page.click("More actions");
        await page.click("Take checkpoint", "menuitem");
        await page.fill("dialog input", "before");
        await page.clickOn("dialog button[type=submit]");
        await page.sees("before", "[aria-label=Checkpoints]");
        await stage.server.patch(id, 2, { currentStep: "shipping", total: 9 });
        await page.sees('"shipping"', ".json");
        await page.click("Restore");
        await page.clickOn("dialog button[type=submit]");
        await page.sees('"review"', ".json");
        await page.clickOn("[aria-label=Checkpoints] li button:last-child");
        await page.seesNot(id, ".wf-id");
        await page.sees("checked", "h1");
    });

    scenario("a workflow is started from a form that its schema makes", async (stage) => {
        const page = await stage.person();
        await page.go("/definitions/order");
        await page.click("Start");
        await page.waitFor("dialog .form select");
        await page.pick("dialog .form select", '"payment"');
        await page.fill("dialog .form input[inputmode=decimal]", "12.5");
        await page.fill("dialog input[data-first]", "from-form");
        await page.clickOn("dialog button[type=submit]");
        await page.sees("from-form", "h1");
        await page.sees("12.5", ".json");
    });

    scenario("several workflows are paused together, after a dry run", async (stage) => {
        const first = await waiting(stage, "bulk-1");
        await waiting(stage, "bulk-2");
        const { version } = await stage.server.get(`/workflows/${first}`);
        await stage.server.post(`/workflows/${first}/pause`, {}, { "If-Match": `"${version}"` });
        const page = await stage.person();
        await page.go("/workflows?q=bulk-");
        await page.sees("bulk-2", ".rows");
        for (const box of await page.page.$$(".rows-box .row input")) await box.click();
        await page.click("Pause");
        await page.sees("is already paused", "dialog");
        await page.click("Pause 1");
        await page.sees("1 done", "dialog");
        await page.clickOn("dialog .dialog-foot button");
        await page.sees("Paused", ".rows");
    });

    scenario("a hostile state is text and nothing else", async (stage) => {
        const page = await stage.person();
        await page.go(`/workflows/${stage.data.hostile}?tab=state`);
        await page.sees("<script>window.hacked = 1</script>", ".json");
        await page.sees("\\u001b[31mred", ".json");
        await page.sees("\\u202e", ".json");
        await page.sees("<i>hostile</i>", "h1");
        await page.sees("<b>name</b>", ".json");
        assert.equal(await page.page.evaluate(() => window.hacked), undefined);
        assert.equal(await page.count("main script, main img, h1 i"), 0);
    });

    scenario("numbers of 64 bits stay exact when they are shown and edited", async (stage) => {
        const body = '{"definition": "approval", "businessKey": "exact", "state": {"big": 9007199254740993, "n": 1}}';
        const response = await fetch(stage.server.url + "/api/v1/workflows", { method: "POST", headers: { "Content-Type": "application/json" }, body });
        const { id } = await response.json();
        const page = await stage.person();
        await page.go(`/workflows/${id}`);
        await page.sees("9007199254740993", ".json");
        await page.click("Edit state");
        const text = await page.page.$eval("dialog textarea", (area) => area.value);
        await page.fill("dialog textarea", text.replace('"n": 1', '"n": 2'));
        await page.clickOn("dialog button[type=submit]");
        await page.sees("Saved as version 2", ".notes");
        const read = await (await fetch(stage.server.url + `/api/v1/workflows/${id}`)).text();
        assert.match(read, /"big":9007199254740993/);
    });

    scenario("a state of a megabyte and a deep one open at once", async (stage) => {
        const deep = JSON.parse('{"a":'.repeat(60) + "1" + "}".repeat(60));
        const large = await stage.server.start("approval", "large", { text: "x".repeat(1_000_000), list: Array.from({ length: 5000 }, (_, i) => i) });
        const nested = await stage.server.start("approval", "deep", deep);
        const page = await stage.person();
        await page.go(`/workflows/${large.id}?tab=state`);
        await page.sees("show all 1,000,000 characters", ".json");
        assert.ok((await page.count(".json li")) < 500);
        await page.go(`/workflows/${nested.id}?tab=state`);
        await page.sees("a", ".json");
    });

    scenario("a workflow that does not exist says so", async (stage) => {
        const page = await stage.person();
        await page.go("/workflows/01890a5d-ac96-774b-bcce-b302099a8057");
        await page.sees("There is no such workflow");
    });

    scenario("children and parents are a family", async (stage) => {
        const child = await waiting(stage, "child");
        const parent = await stage.server.start("approval", "parent");
        await stage.server.wait(parent.id, 0, { workflows: [child] });
        const page = await stage.person();
        await page.go(`/workflows/${parent.id}?tab=children`);
        await page.sees("child", ".family");
        await page.clickOn(`.family a[href="/workflows/${child}"]`);
        await page.sees("child", "h1");
    });

    scenario("a tree of children opens level by level, and as a whole; the parents stand above", async (stage) => {
        const { server } = stage;
        await server.deploy(treeModel);
        const { id } = await server.start("tree", "root", { variables: { depth: 3, wide: 3 } });
        const page = await stage.person();
        await page.go(`/workflows/${id}?tab=children`);
        await page.waitFor(".family ul .member");
        assert.equal(await page.count(".family .member"), 4);
        await page.clickOn(".family ul .branch button");
        await page.page.waitForFunction(() => document.querySelectorAll(".family .member").length === 7, { polling: 50 });
        await page.click("Open the whole tree");
        await page.page.waitForFunction(() => document.querySelectorAll(".family .member").length === 1 + 3 + 9 + 27, { polling: 50 });
        assert.deepEqual(await page.axe(), []);
        await page.clickOn(".family ul ul ul .member a");
        await page.sees("Parent", ".facts");
        await page.click("Family", "tab");
        await page.waitFor(".family .above:nth-of-type(3)");
        await page.clickOn(".family .above a");
        await page.sees("root", "h1");
    });

    scenario("a parent of many children shows them in pages, and goes on showing what they do", async (stage) => {
        const { server } = stage;
        await server.deploy(treeModel);
        const { id } = await server.start("tree", "wide", { variables: { depth: 1, wide: 260 } });
        const page = await stage.person();
        await page.go(`/workflows/${id}?tab=children`);
        await page.click("50 are shown: show more");
        await page.click("100 are shown: show more");
        await page.sees("150 are shown: show more", ".family");
        assert.equal(await page.count(".family .member"), 151);
        const { items } = await server.get(`/workflows?parent=${id}&order=oldest&limit=1`);
        await server.post(`/workflows/${items[0].id}/pause`, {}, { "If-Match": "*" });
        await page.sees("Paused", ".family ul li:first-child");
        assert.equal(await page.count(".family .member"), 151);
    });

    scenario("the button opens a tree no further than its bound", async (stage) => {
        const { server } = stage;
        await server.deploy(treeModel);
        const { id } = await server.start("tree", "bushy", { variables: { depth: 2, wide: 16 } });
        const page = await stage.person();
        await page.go(`/workflows/${id}?tab=children`);
        await page.page.waitForFunction(() => document.querySelectorAll(".family .member").length === 17, { polling: 50 });
        await page.click("Open the whole tree");
        await page.page.waitForFunction(() => document.querySelectorAll(".family .member").length > 150, { polling: 50 });
        await page.settled();
        const shown = await page.count(".family .member");
        assert.ok(shown > 150 && shown <= 1 + 16 + 200, String(shown));
    });

    scenario("the exact UTC is on every time, and the JSON is whole", async (stage) => {
        const page = await stage.person();
        await page.go(`/workflows/${stage.data.story}?tab=raw`);
        await page.sees("stateChecksum", ".raw");
        const title = await page.page.$eval(".facts time", (time) => time.title);
        assert.match(title, /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6} UTC/);
    });
};
