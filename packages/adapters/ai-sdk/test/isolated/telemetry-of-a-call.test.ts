import { expect, it, jest } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import * as ai from "ai";
import { all, recorder, scripted, textChunks, textResult } from "../support.js";

it("warns once if the framework's telemetry is also enabled, and states the options", async () => {
  const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
  const { generateText, streamText } = withPlugins(ai, [recorder().plugin]);
  const { model } = scripted([textResult("Yes."), textResult("Yes."), textChunks("Yes.")]);
  await generateText({ model, prompt: "" });
  expect(warn).not.toHaveBeenCalled();
  const settings = { model, prompt: "", experimental_telemetry: { isEnabled: true } };
  await generateText(settings);
  await all(streamText(settings).textStream);
  expect(warn).toHaveBeenCalledTimes(1);
  expect(warn).toHaveBeenCalledWith(expect.stringContaining("experimental_telemetry"));
  warn.mockRestore();
});
