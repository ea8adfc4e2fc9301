import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "@jest/globals";
import { withPlugins } from "@suite/fetch";
import OpenAI, { AzureOpenAI } from "openai";
import { answering, jsonResponse, watching } from "./fake.js";

// `withOptions` of a client writes its defaults into the options of the copy, and a client asks what its user has chosen.
const azure = { apiKey: "none", apiVersion: "v1", endpoint: "https://own.openai.azure.com" };
const clients = [
  ["openai", new OpenAI({ apiKey: "none" })],
  ["openai, with settings", new OpenAI({ apiKey: "none", timeout: 9, maxRetries: 7, baseURL: "https://x.example" })],
  ["azure", new AzureOpenAI(azure)],
  ["anthropic", new Anthropic({ apiKey: "none", openTelemetry: false })],
  ["anthropic, with settings", new Anthropic({ apiKey: "none", openTelemetry: false, timeout: 9, logLevel: "off" })],
] as const;

const optionsOf = (client: object): unknown => ({ ...(client as { _options: object })._options, fetch: undefined });
const settingsOf = (client: object): unknown =>
  Object.fromEntries(
    Object.entries(client).filter(([, value]) => typeof value !== "object" && typeof value !== "function"),
  );

describe("a wrapped client", () => {
  it.each(clients)("was made with the same options: %s", (_, client) => {
    const wrapped = withPlugins(client, [watching]);
    expect(optionsOf(wrapped)).toEqual(optionsOf(client));
    expect(settingsOf(wrapped)).toEqual(settingsOf(client));
  });

  it("still refuses long answers that do not stream, and still takes them where a timeout was chosen", async () => {
    const long = { model: "m", max_tokens: 64_000, messages: [{ role: "user" as const, content: "Hello." }] };
    const client = (timeout?: number) => {
      const fetch = answering(jsonResponse({ id: "m", type: "message", role: "assistant", content: [] }));
      return new Anthropic({ apiKey: "none", openTelemetry: false, fetch, ...(timeout && { timeout }) });
    };
    expect(() => withPlugins(client(), [watching]).messages.create(long)).toThrow("Streaming is required");
    expect(await withPlugins(client(9000), [watching]).messages.create(long)).toMatchObject({ id: "m" });
  });
});
