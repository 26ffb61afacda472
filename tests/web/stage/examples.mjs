// What the screens show: workflows of every status, tasks, events, a process, and a hostile state.
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const shippingModel = readFileSync(join(process.env.HOLDFAST_SOURCE, "examples", "shipping.bpmn"), "utf8");

// Its gateway needs a variable that decides: without one the process has an incident.
export const undecidedModel = `<?xml version="1.0"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:zeebe="http://camunda.org/schema/zeebe/1.0" targetNamespace="test">
  <process id="undecided" isExecutable="true">
    <startEvent id="start"/>
    <sequenceFlow id="to_gateway" sourceRef="start" targetRef="large"/>
    <exclusiveGateway id="large" default="small_way"/>
    <sequenceFlow id="large_way" sourceRef="large" targetRef="ship"><conditionExpression>=amount &gt; 100</conditionExpression></sequenceFlow>
    <sequenceFlow id="small_way" sourceRef="large" targetRef="done"/>
    <serviceTask id="ship"><extensionElements><zeebe:taskDefinition type="ship-parcel" retries="3"/></extensionElements></serviceTask>
    <sequenceFlow id="to_done" sourceRef="ship" targetRef="done"/>
    <endEvent id="done"/>
  </process>
</definitions>`;

const orderSchema = {
    type: "object",
    required: ["currentStep"],
    properties: {
        currentStep: { type: "string", title: "Current step", enum: ["review", "payment", "shipping"] },
        total: { type: "number", minimum: 0 },
        express: { type: "boolean" },
    },
};

export const hostileState = {
    script: "<script>window.hacked = 1</script><img src=x onerror='window.hacked = 1'>",
    terminal: "\u001b[31mred\u001b[0m \u0007",
    rightToLeft: "abc\u202Etxt.exe \u200F\u2067",
    exact: "BIG",
    "<b>name</b>": { __proto__: null, constructor: "x", nested: [[[[[["deep"]]]]]] },
    empty: {},
    nothing: null,
};

async function orders(server) {
    const found = {};
    for (let i = 0; i < 40; ++i) {
        const { id } = await server.start("order", `order-${1000 + i}`, { currentStep: ["review", "payment", "shipping"][i % 3], total: 20 + i });
        found[`order-${1000 + i}`] = id;
    }
    return found;
}

async function endings(server, ids) {
    const failed = ids["order-1001"];
    await server.step(failed, 0, "charge card", { refused: true });
    await server.post(`/workflows/${failed}/fail`, { run: 1, index: 1, code: "card_declined", error: { bank: "refused" } });
    await server.post(`/workflows/${ids["order-1002"]}/complete`, { run: 1, index: 0, result: { shipped: true } });
    await server.post(`/workflows/${ids["order-1003"]}/cancel`, { reason: "changed mind" });
    const dead = ids["order-1004"];
    await server.post(`/workflows/${dead}/events/late`, { value: { n: 1 }, onTargetEnded: "deadLetter" });
    await server.post(`/workflows/${dead}/cancel`, {});
}

// An order that was reserved, edited, and waits for its payment.
async function story(server, id) {
    await server.step(id, 0, "reserve stock", { warehouse: "W1" });
    const { version } = await server.get(`/workflows/${id}`);
    await server.patch(id, version, { currentStep: "payment", total: 25, note: "gift wrap" });
    await server.wait(id, 1, { names: ["paid", "payment-cancelled"], after: "30m" });
}

export async function fill(server) {
    await server.define("order", { schema: orderSchema, indexes: ["currentStep"] });
    await server.define("approval");
    await server.deploy(shippingModel);
    const ids = await orders(server);
    await endings(server, ids);
    await story(server, ids["order-1000"]);
    const expense = await server.start("approval", "expense-7", { amount: 120 });
    const task = await server.task(expense.id, 0, "Approve 120 euro", { candidateGroups: ["boss"], expectedOutputs: ["approved"], payload: { amount: 120 }, dueAt: "2026-01-01T10:00:00Z", priority: 50 });
    await server.wait(expense.id, 1, { names: [`task/${task.id}`] });
    const hostile = await server.call("POST", "/api/v1/workflows", { definition: "approval", businessKey: "<i>hostile</i>", state: hostileState });
    const parcel = await server.start("shipping", "parcel-1", { weight: 2 });
    await server.call("PUT", "/api/v1/schedules/weekly-report", { cron: "0 8 * * MON", timeZone: "Europe/Berlin", start: { definition: "approval", businessKey: "report-${due}" } });
    await server.call("PUT", "/api/v1/schedules/heartbeat", { every: "6h", send: { event: "heartbeat", value: { due: "${due}" } }, overlap: "allow" });
    return { ids, story: ids["order-1000"], failed: ids["order-1001"], expense: expense.id, task: task.id, hostile: hostile.id, parcel: parcel.id };
}
