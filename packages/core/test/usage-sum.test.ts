import { describe, expect, it } from "@jest/globals";
import { sumUsage } from "@suite/core/framework";

describe("sumUsage", () => {
  it("adds the tokens of each kind", () => {
    const sum = sumUsage(
      { inputTokens: 1, outputTokens: 2, reasoningOutputTokens: 3 },
      { inputTokens: 10, outputTokens: 20 },
    );
    expect(sum).toEqual({ inputTokens: 11, outputTokens: 22, reasoningOutputTokens: 3 });
  });

  it.each([["7"], [Number.NaN], [Number.POSITIVE_INFINITY], [-5], [null], [undefined], [{}], [true]])(
    "counts %p of a provider as no tokens, on either side",
    (wrong) => {
      const usage = { inputTokens: wrong, outputTokens: 2, reasoningOutputTokens: wrong } as never;
      const sum = { inputTokens: 10, outputTokens: 22 };
      expect(sumUsage({ inputTokens: 10, outputTokens: 20 }, usage)).toEqual(sum);
      expect(sumUsage(usage, { inputTokens: 10, outputTokens: 20 })).toEqual(sum);
    },
  );

  it("inherits no count from a kind that is named as a function of JavaScript", () => {
    const sum = sumUsage({ inputTokens: 1, outputTokens: 1 }, {
      inputTokens: 1,
      outputTokens: 1,
      constructor: 4,
    } as never);
    expect(sum).toEqual({ inputTokens: 2, outputTokens: 2, constructor: 4 });
  });
});
