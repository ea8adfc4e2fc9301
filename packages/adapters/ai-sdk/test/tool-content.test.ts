import { describe, expect, it } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import { definePlugin, type Plugin } from "@suite/core";
import { toolContent } from "@suite/core/messages";
import { redacting } from "@suite/testkit";
import * as ai from "ai";
import type { Model } from "../src/framework.js";
import { withToolContent } from "../src/messages/tool-content.js";
import { ending, scripted, textResult } from "./support.js";

const secret = "ada@mail.example";
const image = { type: "blob", modality: "image", mimeType: "image/png", content: "iVBORw0KGgo=" } as const;
const content = toolContent([
  "Seen:",
  image,
  { type: "blob", modality: "document", mimeType: "application/pdf", content: "JVBERi0=" },
  { type: "uri", modality: "image", uri: "https://example.org/a.png" },
  { type: "file", modality: "document", fileId: "file_1" },
]);

const output = (specificationVersion: "v3" | "v4", value: unknown): unknown => {
  const result = { type: "tool-result", toolCallId: "c1", toolName: "look", output: { type: "json", value } };
  const params = { prompt: [{ role: "tool", content: [result] }] } as unknown as Parameters<typeof withToolContent>[0];
  const left = withToolContent(params, { specificationVersion, provider: "openai.responses" } as unknown as Model);
  if (left === params) return undefined;
  const [part] = left.prompt[0]?.content ?? [];
  return (part as unknown as { readonly output: unknown }).output;
};

describe("the content of a tool's result, as a model is given it", () => {
  it("has the forms of the specification 3", () => {
    expect(output("v3", content)).toEqual({
      type: "content",
      value: [
        { type: "text", text: "Seen:" },
        { type: "image-data", data: "iVBORw0KGgo=", mediaType: "image/png" },
        { type: "file-data", data: "JVBERi0=", mediaType: "application/pdf" },
        { type: "image-url", url: "https://example.org/a.png" },
        { type: "file-id", fileId: "file_1" },
      ],
    });
  });

  it("has the forms of the specification 4", () => {
    expect(output("v4", content)).toEqual({
      type: "content",
      value: [
        { type: "text", text: "Seen:" },
        { type: "file", mediaType: "image/png", data: { type: "data", data: "iVBORw0KGgo=" } },
        { type: "file", mediaType: "application/pdf", data: { type: "data", data: "JVBERi0=" } },
        { type: "file", mediaType: "image/*", data: { type: "url", url: new URL("https://example.org/a.png") } },
        {
          type: "file",
          mediaType: "application/octet-stream",
          data: { type: "reference", reference: { openai: "file_1" } },
        },
      ],
    });
  });

  it("is nothing but that: any other value stays the very same call options", () => {
    for (const value of [[image], { content: [image] }, "text", null]) expect(output("v3", value)).toBeUndefined();
  });
});

/** The result of a tool as the model is given it. */
async function told(plugins: readonly Plugin[], tools: ai.ToolSet): Promise<unknown> {
  const calling = { type: "tool-call", toolCallId: "c1", toolName: "look", input: "{}" } as const;
  const { model, asked } = scripted([
    { content: [calling], ...ending("tool-calls"), warnings: [] },
    textResult("Seen."),
  ]);
  const settings = { model, tools, prompt: "Look.", stopWhen: ai.stepCountIs(3), maxRetries: 0 };
  await withPlugins(ai, plugins).generateText(settings);
  const [part] = asked[1]?.prompt.flatMap(({ role, content }) => (role === "tool" ? content : [])) ?? [];
  return part?.type === "tool-result" ? part.output : undefined;
}

it("a tool that a plugin offers shows the model an image", async () => {
  const eyes = definePlugin({ name: "eyes", tools: () => [{ name: "look", execute: () => toolContent([image]) }] });
  expect(JSON.stringify(await told([eyes], {}))).toContain('"data":"iVBORw0KGgo="');
});

it("a guard checks the text of the framework's content, and its image passes unchanged", async () => {
  const inputSchema = ai.jsonSchema<object>({ type: "object" });
  const value = [
    { type: "text" as const, text: `Of ${secret}!` },
    { type: "image-data" as const, data: image.content, mediaType: "image/png" },
  ];
  const look = ai.tool({ inputSchema, execute: () => "seen", toModelOutput: () => ({ type: "content", value }) });
  const { value: left } = (await told([redacting()], { look })) as { readonly value: readonly object[] };
  expect(left[0]).toMatchObject({ type: "text", text: "Of [EMAIL]!" });
  expect(JSON.stringify(left[1])).toContain(image.content);
});
