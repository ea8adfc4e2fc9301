import { expect, it } from "@jest/globals";
import { address, expectOneToken, expectSpans, named, namesToken, tokensIn } from "./conversation.js";
import { describePage, node } from "./page.js";

describePage("hono", (page) => {
  it("streams values to the user and tokens to the provider, and forgets the user", async () => {
    const { model, spans, serve } = page;
    model.script(namesToken);
    const server = await serve(node, ["--import", "./telemetry.mjs", "server.mjs"]);
    const messages = [{ role: "user", content: `I am ${address}.` }];
    const turn = async () => {
      const init = { method: "POST", headers: { "x-user": "ada" }, body: JSON.stringify({ messages }) };
      const content = await (await fetch(`${server.url}/chats/chat-1`, init)).text();
      messages.push({ role: "assistant", content }, { role: "user", content: "Say it again." });
      return content;
    };
    expect([await turn(), await turn()]).toEqual([named, named]);
    expectOneToken(model, 2);
    const forgotten = await fetch(`${server.url}/users/ada`, { method: "DELETE" });
    expect(await forgotten.json()).toMatchObject({ complete: true, plugins: [{ plugin: "pii", count: 1 }] });
    expect(await turn()).toBe(named);
    expect(tokensIn(model.requests)).toHaveLength(2);
    await server.stop();
    await expectSpans(spans, "ada", "chat-1");
  });
});
