import { expect, it, jest } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import { definePlugin } from "@suite/core";
import * as ai from "ai";
import { scripted, textResult } from "../support.js";

it("warns once where the framework's own telemetry is on as well, as soon as one integration is registered", async () => {
  const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
  const told = () => warn.mock.calls.filter(([text]) => String(text).includes("the AI SDK's telemetry is on"));
  const { generateText } = withPlugins(ai, [definePlugin({ name: "watch", observe() {} })]);
  const ask = () => generateText({ model: scripted([textResult("Hello.")]).model, prompt: "Hi" });
  const shared = globalThis as { AI_SDK_TELEMETRY_INTEGRATIONS?: unknown };
  shared.AI_SDK_TELEMETRY_INTEGRATIONS = [];
  await ask();
  expect(told()).toHaveLength(0);
  shared.AI_SDK_TELEMETRY_INTEGRATIONS = [{}];
  await ask();
  await ask();
  delete shared.AI_SDK_TELEMETRY_INTEGRATIONS;
  expect(told()).toHaveLength(1);
});
