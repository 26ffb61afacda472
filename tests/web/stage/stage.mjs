// Where a scenario plays: a server with its own data, and pages of a browser that nobody else uses.
import { Page } from "./browser.mjs";
import { Server } from "./server.mjs";
import { fill } from "./examples.mjs";

export class Stage {
    // The scenarios of a store share one server, and each makes the workflows that it changes.
    static async open(store, place) {
        const stage = new Stage();
        stage.store = store;
        stage.browser = place.browser ?? place;
        stage.postgres = place.postgres;
        stage.server = await stage.newServer();
        stage.data = await fill(stage.server);
        stage.pages = [];
        stage.servers = [];
        return stage;
    }

    async newServer(more) {
        const url = this.store === "postgres" ? this.postgres.database(`web_${Date.now()}_${Math.floor(Math.random() * 1e6)}`) : "sqlite";
        const server = await Server.start(url, more);
        this.servers?.push(server);
        return server;
    }

    // A page of a person of its own, who has signed in: nothing is shared with the others.
    async person(options = {}) {
        const page = await this.stranger(options);
        await page.page.setCookie(await (options.server ?? this.server).session());
        return page;
    }

    // The same of somebody who has not signed in.
    async stranger(options = {}) {
        const context = await this.browser.createBrowserContext();
        const page = await Page.open(context, (options.server ?? this.server).url, options);
        this.pages.push({ page, context });
        return page;
    }

    // Before the end of its scenario.
    async leave(person) {
        const index = this.pages.findIndex(({ page }) => page === person);
        const [{ page, context }] = this.pages.splice(index, 1);
        page.check();
        await context.close();
    }

    async play(run) {
        try {
            await run(this);
            for (const { page } of this.pages) page.check();
        } finally {
            for (const { context } of this.pages.splice(0)) await context.close().catch(() => undefined);
            for (const server of this.servers.splice(0)) await server.close();
        }
    }

    async close() {
        await this.server.close();
    }
}
