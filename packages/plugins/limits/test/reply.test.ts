import { describe, expect, it } from "@jest/globals";
import { type Delta, text, textOf, toolCall, type Usage } from "@suite/core";
import { usageKey } from "@suite/core/adapter";
import { type ReplyBudgetOptions, replyBudget } from "@suite/limits";
import { Rig, reply } from "./support.js";

const tools = [{ name: "look" }];

/** A run that has used so much, as its adapter counts it. */
function rigOf(options: ReplyBudgetOptions, usage: Usage): Rig {
  const rig = new Rig([replyBudget(options)]);
  rig.run.set(usageKey, () => usage);
  return rig;
}
const used = (inputTokens: number, outputTokens: number): Usage => ({ inputTokens, outputTokens });

describe("replyBudget", () => {
  it("leaves a call alone below the budget, and ends the reply at it", async () => {
    const below = rigOf({ tokenBudget: 30 }, used(20, 9));
    await below.model(reply("said"), { tools });
    expect([below.asked[0]?.messages.length, below.asked[0]?.toolChoice, below.told]).toEqual([1, undefined, []]);
    const at = rigOf({ tokenBudget: 30, hintMessage: "End." }, used(20, 10));
    await at.model(reply("said"), { tools });
    expect(textOf(at.asked[0]?.messages.at(-1) ?? [])).toBe("End.");
    expect(at.asked[0]?.toolChoice).toBe("none");
    expect(at.told).toMatchObject([{ limit: "reply_tokens", maximum: 30, enforced: true, details: { cost: 30 } }]);
  });

  it("weighs input and output, and sets no choice of tools if there are none", async () => {
    const rig = rigOf({ tokenBudget: 100, inputTokenWeight: 0.5, outputTokenWeight: 4 }, used(20, 22.5));
    await rig.model(reply("said"));
    expect(rig.told).toMatchObject([{ details: { cost: 100 } }]);
    expect(rig.asked[0]).not.toHaveProperty("toolChoice");
  });

  it("leaves alone what a plugin asks, and all in monitor mode, which it tells", async () => {
    const asked = rigOf({ tokenBudget: 1 }, used(5, 5));
    await asked.model(reply("said"), { purpose: "moderate", tools });
    expect([asked.asked[0]?.messages.length, asked.told]).toEqual([1, []]);
    const watched = rigOf({ tokenBudget: 1, mode: "monitor" }, used(5, 5));
    await watched.model(reply("said"), { tools });
    expect([watched.asked[0]?.messages.length, watched.told]).toMatchObject([1, [{ enforced: false }]]);
  });

  it("takes the tool calls out of an answer beyond the budget, which is then a final one", async () => {
    const call = toolCall("1", "look", {});
    const deltas: Delta[] = [
      { type: "part", at: "0", part: call },
      { type: "finish", finishReason: "tool_call" },
    ];
    const silent = await rigOf({ tokenBudget: 1 }, used(5, 5)).model(deltas, { tools });
    expect(silent.message.parts).toEqual([text("The token budget of this reply is used up.")]);
    expect(silent.finishReason).toBe("stop");
    const spoken = await rigOf({ tokenBudget: 1 }, used(5, 5)).model(
      [{ type: "part", at: "t", part: text("So far.") }, ...deltas],
      { tools },
    );
    expect(spoken.message.parts).toEqual([text("So far.")]);
    const without = await rigOf({ tokenBudget: 1 }, used(5, 5)).model([{ type: "part", at: "0", part: call }], {
      tools,
    });
    expect(textOf(without.message)).toBe("The token budget of this reply is used up.");
  });
});
