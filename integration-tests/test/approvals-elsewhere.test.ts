import { describe, expect, it } from "@jest/globals";
import { humanInTheLoop } from "@suite/approval";
import { fetchWithPlugins, withPlugins } from "@suite/fetch";
import OpenAI from "openai";
import { pair } from "../../packages/adapters/mcp/test/pair.js";

// What cannot hold a call must not let it pass: a guard that is attached where no call can wait is refused, and nothing runs.
describe("a guard where no call can wait is refused when it is attached", () => {
  const refused = expect.objectContaining({
    code: "ERR_HOOK_NOT_SERVED",
    message: expect.stringMatching(/approval/),
  });
  const guard = humanInTheLoop({ pay: true });

  it("to a client of a model, or to fetch", () => {
    expect(() => withPlugins(new OpenAI({ apiKey: "none" }), [guard] as never)).toThrow(refused);
    expect(() => fetchWithPlugins([guard] as never)).toThrow(refused);
  });

  it.each(["client", "server"] as const)("to MCP's %s", async (side) => {
    const made = pair(() => {}, side === "client" ? { atClient: [guard] } : { atServer: [guard] });
    await expect(made).rejects.toEqual(refused);
  });
});
