import Anthropic from "@anthropic-ai/sdk";
import { expect, it, jest } from "@jest/globals";
import { definePlugin, type Invocation } from "@suite/core";
import { withPlugins } from "@suite/fetch";

const warn = jest.spyOn(console, "warn").mockImplementation(() => {});

it("warns once of the spans that Anthropic's SDK makes beside those of a tracing plugin, and how to choose", () => {
  const plugin = definePlugin({
    name: "tracing",
    model: async (_: Invocation<"model">, next: () => Promise<void>) => next(),
  });
  withPlugins(new Anthropic({ apiKey: "none", openTelemetry: false }), [plugin]);
  expect(warn).not.toHaveBeenCalled();
  for (const _ of [1, 2]) withPlugins(new Anthropic({ apiKey: "none" }), [plugin]);
  expect(warn).toHaveBeenCalledTimes(1);
  expect(warn.mock.calls[0]?.[0]).toContain("openTelemetry: false");
});
