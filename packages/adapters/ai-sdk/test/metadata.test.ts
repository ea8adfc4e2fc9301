import { describe, expect, it } from "@jest/globals";
import { pluginMiddleware, withPlugins } from "@suite/ai-sdk";
import { pii } from "@suite/pii";
import * as ai from "ai";
import { all, type Chunk, ending, scripted, textChunks, textResult } from "./support.js";

const email = "canary.jane@leak.example";
const metadata = { vendor: { itemId: "msg_1", annotations: [{ title: email }], signature: `sig ${email}` } };
const guard = () => pii({ email: "redact" }, { apply: { output: true, toolArguments: true, toolResults: true } });

const call: readonly Chunk[] = [
  { type: "tool-input-start", id: "c", toolName: "look", providerMetadata: metadata },
  { type: "tool-input-delta", id: "c", delta: "{}" },
  { type: "tool-input-end", id: "c", providerMetadata: metadata },
  { type: "tool-call", toolCallId: "c", toolName: "look", input: "{}", providerMetadata: metadata },
];
const [start, begin, delta, end, finish] = textChunks("Hello.") as [Chunk, Chunk, Chunk, Chunk, Chunk];
const places: Readonly<Record<string, readonly Chunk[]>> = {
  "where a text begins": [start, { ...begin, providerMetadata: metadata } as Chunk, delta, end, finish],
  "where a text ends": [start, begin, delta, { ...end, providerMetadata: metadata } as Chunk, finish],
  "round a tool call": [start, ...call, { ...finish, ...ending("tool-calls") } as Chunk],
  "where the answer ends": [start, begin, delta, end, { ...finish, providerMetadata: metadata } as Chunk],
};

/** The metadata of the answer's text after a guard on output, of chunks that carry some on their last piece. */
async function metadataOf(pieces: readonly string[], providerMetadata: object): Promise<unknown> {
  const [start, begin, ...rest] = textChunks(...pieces);
  const at = pieces.length - 1;
  const chunks = [start, begin, ...rest.map((chunk, index) => (index === at ? { ...chunk, providerMetadata } : chunk))];
  const { streamText } = withPlugins(ai, [guard()]);
  const result = streamText({ model: scripted([chunks as readonly Chunk[]]).model, prompt: "Hi" });
  const [text] = await result.content;
  return text?.type === "text" ? text.providerMetadata : undefined;
}

describe("metadata of a provider", () => {
  it("on a text's pieces is told with a text that a guard has only cut in another way, and not with a changed one", async () => {
    const signed = { google: { thoughtSignature: "abc" } };
    expect(await metadataOf(["Hel", "lo, wor", "ld!"], signed)).toEqual(signed);
    expect(await metadataOf(["Hello."], signed)).toEqual(signed);
    expect(await metadataOf(["Ask ", email, " now"], signed)).toBeUndefined();
    expect(JSON.stringify(await metadataOf(["Hel", "lo"], metadata))).not.toContain(`"title":"${email}`);
  });

  it.each(Object.entries(places))("%s is told after the redactor, but for what signs", async (_, chunks) => {
    const { streamText } = withPlugins(ai, [guard()]);
    const told: unknown[] = [];
    const result = streamText({
      model: scripted([chunks]).model,
      prompt: "Hi",
      tools: { look: ai.tool({ inputSchema: ai.jsonSchema<object>({}) }) },
      onFinish: (event) =>
        void told.push(
          event.steps.map(({ content }) => content),
          event.providerMetadata,
        ),
    });
    const seen = JSON.stringify([await all(result.fullStream), await result.steps, told]);
    expect(seen).not.toContain(`"title":"${email}`);
    expect(seen).toContain('"title":"[REDACTED_EMAIL]"');
    expect(seen).toContain(`sig ${email}`);
  });

  it("of a whole answer is told after the redactor, whether its text changes or not", async () => {
    const { generateText } = withPlugins(ai, [guard()]);
    for (const text of ["Hello.", email]) {
      const { model } = scripted([{ ...textResult(text), providerMetadata: metadata }]);
      const result = await generateText({ model, prompt: "Hi" });
      expect(result.providerMetadata).toEqual({
        vendor: { ...metadata.vendor, annotations: [{ title: "[REDACTED_EMAIL]" }] },
      });
    }
  });

  it("says nothing more of a changed answer, however deep it repeats it", async () => {
    const { generateText } = withPlugins(ai, [guard()]);
    const supports = [{ segment: { text: "ane@leak", startIndex: 9 } }];
    const vendor = { groundingMetadata: { supports }, urlContextMetadata: { status: "ok" }, logprobs: ["ane@leak"] };
    const { model } = scripted([{ ...textResult(email), providerMetadata: { vendor } }]);
    const result = await generateText({ model, prompt: "Hi" });
    const rest = { groundingMetadata: { supports: [{ segment: { startIndex: 9 } }] } };
    expect(result.providerMetadata).toEqual({ vendor: { ...rest, urlContextMetadata: { status: "ok" } } });
  });

  it("stays, as the whole answer does, where nothing is found in it", async () => {
    const said = { providerMetadata: { vendor: { itemId: "msg_1" } }, response: { body: "raw" } };
    const answer = { ...textResult("Hello."), ...said };
    const middleware = pluginMiddleware([pii({ email: "redact" }, { apply: { output: true } })]);
    const model = ai.wrapLanguageModel({ model: scripted([answer]).model, middleware });
    expect(await model.doGenerate({ prompt: [] })).toEqual(answer);
  });

  it("of a text that was only held back stays with it", async () => {
    const own = { vendor: { itemId: "msg_1" } };
    const content = [{ type: "text" as const, text: "Hello.", providerMetadata: own }];
    const { model } = scripted([{ ...textResult(""), content }]);
    const result = await withPlugins(ai, [guard()]).generateText({ model, prompt: "Hi" });
    expect(result.content).toEqual(content);
  });
});

it("a provider's warnings are told after the redactor", async () => {
  const warnings = [{ type: "other" as const, message: `${email} was left out` }];
  const { generateText, streamText } = withPlugins(ai, [guard()]);
  const whole = await generateText({ model: scripted([{ ...textResult("Hi."), warnings }]).model, prompt: "Hi" });
  const chunks = [{ type: "stream-start" as const, warnings }, begin, delta, end, finish];
  const streamed = streamText({ model: scripted([chunks]).model, prompt: "Hi" });
  for (const told of [whole.warnings, await streamed.warnings]) {
    expect(told).toEqual([{ type: "other", message: "[REDACTED_EMAIL] was left out" }]);
  }
});
