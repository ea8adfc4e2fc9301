import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { build } from "esbuild";
import { startRedis, withRedis } from "../redis.js";
import { address, expectOneToken, expectSpans, named, namesToken, tokensIn } from "./conversation.js";
import { describePage, node, vaultKey } from "./page.js";

/** Calls a function of the bundle with an event, in a new process, as in a new instance. */
const invoke = `
  const [name, event] = process.argv.slice(2);
  require("./dist/handler.js")[name](JSON.parse(event)).then((result) => {
    console.log(JSON.stringify(result));
    process.exit();
  });`;

withRedis("with a real Redis,", () => {
  describePage("aws-lambda", (page) => {
    it("answers each event in a new process, with the same tokens in a session, and forgets the user", async () => {
      const redis = await startRedis();
      const outfile = join(page.folder, "dist/handler.js");
      await build({ entryPoints: [join(page.folder, "handler.mjs")], bundle: true, platform: "node", outfile });
      writeFileSync(join(page.folder, "package.json"), "{}");
      writeFileSync(join(page.folder, "invoke.cjs"), invoke);
      page.model.script(namesToken);
      const variables = { REDIS_URL: redis.url, VAULT_KEY: vaultKey };
      const requestContext = { authorizer: { jwt: { claims: { sub: "ada" } } } };
      const messages: object[] = [];
      const call = async (name: string, body?: object) => {
        const event = JSON.stringify({ version: "2.0", requestContext, body: JSON.stringify(body) });
        const { code, output } = await page.run(node, ["invoke.cjs", name, event], variables);
        expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('{"statusCode":200') });
        return JSON.parse(output) as { readonly body: string };
      };
      const turn = async (content: string) => {
        messages.push({ role: "user", content });
        const answer = JSON.parse((await call("chat", { chat: "chat-1", messages })).body) as {
          readonly content: string;
        };
        messages.push(answer);
        return answer.content;
      };
      expect([await turn(`I am ${address}.`), await turn("Say it again.")]).toEqual([named, named]);
      expectOneToken(page.model, 2);
      await call("forget");
      expect(await turn("And again.")).toBe(named);
      expect(tokensIn(page.model.requests)).toHaveLength(2);
      await expectSpans(page.spans, "ada", "chat-1");
      await redis.stop();
    }, 90_000);
  });
});
