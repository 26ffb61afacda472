// Four tasks as somebody does them who has just opened the page. Each click, chord and field is counted.
import { undecidedModel } from "./examples.mjs";

// What a hand does to a page.
export class Hand {
    clicks = 0;
    fields = 0;

    constructor(page) {
        this.page = page;
    }

    async click(where) {
        ++this.clicks;
        await this.page.clickOn(where);
    }

    async button(name, role) {
        ++this.clicks;
        await this.page.click(name, role);
    }

    async chord(modifier, key) {
        ++this.clicks;
        await this.page.chord(modifier, key);
    }

    async type(where, text) {
        ++this.fields;
        await this.page.fill(where, text);
    }
}

async function stuckProcess(server, key) {
    await server.deploy(undecidedModel);
    return (await server.start("undecided", key, { variables: { amount: "many" } })).id;
}

// begins: where the person is; go: what the person does, until the answer is on the screen.
export const walks = [
    {
        name: "find why a workflow is stuck",
        clicks: 1,
        fields: 0,
        prepare: async (server) => ({ id: await stuckProcess(server, "stuck-walk-1"), begins: "/" }),
        go: async (hand, { id }) => {
            await hand.click(`.card .line[href="/workflows/${id}"]`);
            await hand.page.sees("Cannot go on at large", ".now-text");
            await hand.page.sees("the condition 'amount > 100' is null", ".trouble");
        },
    },
    {
        name: "repair it",
        clicks: 3,
        fields: 1,
        prepare: async (server) => {
            const id = await stuckProcess(server, "stuck-walk-2");
            return { id, begins: `/workflows/${id}` };
        },
        go: async (hand) => {
            await hand.button("Edit state");
            await hand.type("dialog textarea", '{"currentStep": "large", "variables": {"amount": 120}}');
            await hand.click("dialog button[type=submit]");
            await hand.button("Retry");
            await hand.page.sees("job", ".now-text");
        },
    },
    {
        name: "answer a task",
        clicks: 7,
        fields: 2,
        prepare: async (server) => {
            const { id } = await server.start("approval", "walk-3", {});
            const task = await server.task(id, 0, "Approve the walk", { candidateGroups: ["walkers"], expectedOutputs: ["approved"] });
            await server.wait(id, 1, { names: [`task/${task.id}`] });
            return { task: task.id, begins: "/" };
        },
        go: async (hand, { task }) => {
            await hand.click('.nav a[href="/tasks"]');
            await hand.click(`.task[href="/tasks/${task}"]`);
            await hand.button("change");
            await hand.type("dialog input[data-first]", "ann");
            await hand.type("dialog .field:nth-of-type(2) input", "walkers");
            await hand.click("dialog button[type=submit]");
            await hand.button("Claim");
            await hand.button("Yes");
            await hand.button("Complete");
            await hand.page.sees("Completed", ".notes");
        },
    },
    {
        name: "compare two versions of a state",
        clicks: 2,
        fields: 1,
        prepare: async (server) => {
            const { id } = await server.start("order", "walk-4", { currentStep: "review", total: 1 });
            await server.patch(id, 1, { currentStep: "payment", total: 2 });
            return { id, begins: "/workflows" };
        },
        go: async (hand, { id }) => {
            await hand.type(".search input", "walk-4");
            await hand.click(`.row a[href="/workflows/${id}"]`);
            await hand.button("Versions", "tab");
            await hand.page.sees('"payment"', ".diff");
        },
    },
];
