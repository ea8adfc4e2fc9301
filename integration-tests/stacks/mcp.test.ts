import { expect, it } from "@jest/globals";
import { address, expectSpans } from "./conversation.js";
import { describePage, node, vaultKey } from "./page.js";

describePage("mcp", (page) => {
  it("gives the client tokens and the tool values, and forgets the user in a later process", async () => {
    const variables = { VAULT_KEY: vaultKey };
    const [first, second] = [
      await page.run(node, ["client.mjs"], variables),
      await page.run(node, ["client.mjs"], variables),
    ];
    expect(first).toEqual({
      code: 0,
      output: expect.stringMatching(/^Shipped to <EMAIL_1_[a-z]{8}>\.\n$/),
      errors: expect.stringContaining(`mail to ${address}`),
    });
    expect(second.output).toBe(first.output);
    await expectSpans(page.spans, "ada", "chat-1");
    expect((await page.run(node, ["forget.mjs"], variables)).output).toBe("true\n");
    expect((await page.run(node, ["client.mjs"], variables)).output).not.toBe(first.output);
  });
});
