import { beforeAll, describe, expect, it } from "@jest/globals";
import type { ModelAnswer } from "@suite/testkit";
import { outline, plain, type Span, spansOf } from "../collector/spans.js";
import { itValidates, validate } from "../collector/validator.js";
import { inJaeger } from "./shop.js";

const call = (name: string, args: object = {}) => ({ id: `call-${name}`, name, arguments: args });
const toolCalls = [call("look_up", { item: "lamp" }), call("reserve"), call("courier", { prompt: "When?" })];
const answers: readonly ModelAnswer[] = [
  { text: "I look.", toolCalls },
  { text: "Tomorrow." },
  { text: "It comes tomorrow.", usage: { inputTokens: 40, outputTokens: 5 }, chunks: "characters" },
];

inJaeger("Jaeger has of a run", (shop) => {
  describe.each([
    ["whole", false],
    ["streamed", true],
  ])("that is %s", (_, stream) => {
    let traces: readonly string[];
    let spans: readonly Span[];
    beforeAll(async () => {
      traces = await shop().traces((take) => take({ answers, stream }));
      spans = spansOf(traces);
    });
    const those = (name: string) => spans.filter((span) => span.name === name);
    const attributesOf = (name: string) => those(name).map(({ attributes }) => plain(attributes));

    it("the service and its operations", async () => {
      const { jaeger } = shop();
      expect(await jaeger.services()).toEqual(["shop"]);
      expect(new Set(await jaeger.operations("shop"))).toEqual(new Set(spans.map(({ name }) => name)));
    });

    it("the whole tree in one trace, the user's own spans and the sub-agent's in their places", () => {
      expect(traces).toHaveLength(1);
      expect(outline(spans)).toEqual([
        "invoke_agent clerk",
        "  chat fake-model",
        "  chat fake-model",
        "  execute_tool courier",
        "    invoke_agent courier",
        "      chat fake-model",
        "  execute_tool look_up",
        "    read stock",
        "  execute_tool reserve failed",
      ]);
    });

    it("shows who requested what, and the results", () => {
      expect(attributesOf("invoke_agent clerk")).toEqual([
        expect.objectContaining({
          "gen_ai.operation.name": "invoke_agent",
          "gen_ai.agent.name": "clerk",
          "gen_ai.conversation.id": expect.any(String),
          "gen_ai.input.messages": expect.stringContaining("Is it there?"),
          "gen_ai.output.messages": expect.stringContaining("It comes tomorrow."),
        }),
      ]);
    });

    it("the model, its tokens and how it finished", () => {
      expect(attributesOf("chat fake-model")).toContainEqual(
        expect.objectContaining({
          "gen_ai.provider.name": "openai",
          "gen_ai.request.model": "fake-model",
          "gen_ai.usage.input_tokens": 40,
          "gen_ai.usage.output_tokens": 5,
          "gen_ai.response.finish_reasons": ["stop"],
          "server.address": "127.0.0.1",
        }),
      );
    });

    it("each tool call with its arguments and result", () => {
      expect(attributesOf("execute_tool look_up")).toEqual([
        expect.objectContaining({
          "gen_ai.tool.name": "look_up",
          "gen_ai.tool.call.id": "call-look_up",
          "gen_ai.tool.call.arguments": '{"item":"lamp"}',
          "gen_ai.tool.call.result": '{"stock":3}',
        }),
      ]);
    });

    it("what a tool failed with, and where", () => {
      const [failed] = those("execute_tool reserve");
      expect(failed?.status).toEqual({ code: 2, message: "none left" });
      expect(plain(failed?.attributes)).toMatchObject({ "error.type": "RangeError" });
      const event = failed?.events?.find(({ name }) => name === "exception");
      expect(plain(event?.attributes)).toMatchObject({
        "exception.type": "RangeError",
        "exception.message": "none left",
        "exception.stacktrace": expect.stringContaining("agents.mjs"),
      });
    });

    itValidates("nothing that violates the GenAI conventions", () => {
      expect(validate(traces)).toBe(spans.length - those("read stock").length);
    });
  });
});
