import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "@jest/globals";
import type { RecordedRequest } from "@suite/testkit";
import { blocks } from "../../scripts/readme.mjs";
import { type Postgres, startPostgres, withPostgres } from "../postgres.js";
import { address, named, namesToken, tokensIn } from "./conversation.js";
import { describePage, node, vaultKey } from "./page.js";

interface Answer {
  readonly text: string;
  readonly waiting: readonly [
    { readonly id: string; readonly value: { readonly actionRequests: readonly [{ id: string }] } },
  ];
}

/** A model that asks for a refund once, and then names the token of the user. */
function refunds(request: RecordedRequest) {
  const sent = JSON.stringify(request.body);
  const asks = sent.includes("Refund 20") && !sent.includes("refunded");
  return asks ? { toolCalls: [{ id: "c1", name: "refund", arguments: { eur: 20 } }] } : namesToken(request);
}

withPostgres("with a real PostgreSQL,", () => {
  let postgres: Postgres;
  beforeAll(() => {
    postgres = startPostgres();
  });
  afterAll(() => postgres.stop());

  describePage("langchain", (page) => {
    it("continues a refund in another process after a person approved it, and forgets the user", async () => {
      writeFileSync(join(page.folder, "tools.mjs"), blocks(page.text, "js").at(-1) ?? "");
      page.model.script(refunds);
      const variables = {
        DATABASE_URL: `postgres://${postgres.user}@/postgres?host=${encodeURIComponent(postgres.host)}`,
        VAULT_KEY: vaultKey,
        APPROVAL_KEY: vaultKey,
      };
      let server = await page.serve(node, ["desk.mjs"], variables);
      const ask = (path: string, method: string, body?: object) =>
        fetch(server.url + path, { method, headers: { "x-user": "ada" }, ...(body && { body: JSON.stringify(body) }) });
      const turn = async (content: string) =>
        (await (await ask("/threads/chat-1", "POST", { messages: [{ role: "user", content }] })).json()) as Answer;

      expect(await turn(`I am ${address}.`)).toEqual({ text: named });
      const { waiting } = await turn("Refund 20 EUR.");
      const [{ id: interrupt, value }] = waiting;
      const [{ id }] = value.actionRequests;
      expect(await (await ask(`/inbox/${id}`, "GET")).json()).toMatchObject({
        toolName: "refund",
        userId: "ada",
        arguments: { eur: 20 },
      });

      await server.stop();
      server = await page.serve(node, ["desk.mjs"], variables);
      const decide = () => ask(`/inbox/${id}/chat-1/${interrupt}`, "POST", { decision: "approve", by: "ann" });
      expect(await (await decide()).json()).toEqual({ text: named });
      expect((await decide()).status).toBe(500);
      expect(JSON.stringify(page.model.requests)).not.toContain(address);
      expect(JSON.stringify(page.model.requests.at(-1))).toContain("refunded 20 EUR");
      expect(tokensIn(page.model.requests)).toHaveLength(1);
      expect(await (await ask("/users/ada", "DELETE")).json()).toMatchObject({ complete: true });
      await server.stop();
    }, 90_000);
  });
});
