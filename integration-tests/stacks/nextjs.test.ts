import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { startRedis, withRedis } from "../redis.js";
import { address, expectOneToken, expectSpans, named, namesToken, tokensIn } from "./conversation.js";
import { describePage, node, vaultKey } from "./page.js";

const next = join(import.meta.dirname, "node_modules/next/dist/bin/next");

withRedis("with a real Redis,", () => {
  describePage("nextjs", (page) => {
    it("builds, streams values to the chat and tokens to the provider, and forgets the user", async () => {
      const redis = await startRedis();
      const variables = {
        REDIS_URL: redis.url,
        VAULT_KEY: vaultKey,
        NEXT_TELEMETRY_DISABLED: "1",
        NEXT_IGNORE_INCORRECT_LOCKFILE: "1",
        OTEL_EXPORTER_OTLP_ENDPOINT: `${page.spans.url}/api/public/otel`,
      };
      const { code, output, errors } = await page.run(node, [next, "build"], variables);
      expect({ code, output: output + errors }).toEqual({ code: 0, output: expect.anything() });
      page.model.script(namesToken);
      const server = await page.serve(node, [next, "start", "-H", "127.0.0.1"], variables);
      const ask = (method: string, body?: object) =>
        fetch(`${server.url}/api/chat`, {
          method,
          headers: { "x-user": "ada", "content-type": "application/json" },
          ...(body && { body: JSON.stringify(body) }),
        });
      const messages: object[] = [];
      const say = (role: string, text: string) =>
        void messages.push({ id: `${messages.length}`, role, parts: [{ type: "text", text }] });
      const turn = async (question: string) => {
        say("user", question);
        const events = await (await ask("POST", { id: "chat-1", messages })).text();
        const text = [...events.matchAll(/"type":"text-delta".*?"delta":"(.*?)"/g)].map(([, delta]) => delta).join("");
        say("assistant", text);
        return text;
      };
      expect([await turn(`I am ${address}.`), await turn("Say it again.")]).toEqual([named, named]);
      expectOneToken(page.model, 2);
      expect(await (await ask("DELETE")).json()).toMatchObject({ complete: true });
      expect(await turn("And again.")).toBe(named);
      expect(tokensIn(page.model.requests)).toHaveLength(2);
      await expectSpans(page.spans, "ada", "chat-1");
      await server.stop();
      await redis.stop();
    }, 600_000);
  });
});
