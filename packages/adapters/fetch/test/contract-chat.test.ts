import { afterAll, afterEach, beforeAll, describe, it } from "@jest/globals";
import { withPlugins } from "@suite/fetch";
import { describeAdapter, useModelServer } from "@suite/testkit";
import OpenAI from "openai";
import { VERSION } from "openai/version";
import { type Ask, type AskEmbeddings, majorOf, subjectOf } from "./subject.js";

const server = useModelServer({ beforeAll, afterEach, afterAll });

const optionsFor = (url: string) => ({ apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0, logLevel: "off" }) as const;

const embed: AskEmbeddings = async ({ plugins, texts }, url) => {
  const client = withPlugins(new OpenAI(optionsFor(url)), plugins);
  const { data } = await client.embeddings.create({ model: "m", input: [...texts] });
  return data.map(({ embedding }) => embedding);
};

const ask: Ask = async (attempt, url, onPiece, onPart) => {
  const client = withPlugins(new OpenAI(optionsFor(url)), attempt.plugins, { run: attempt.run });
  const { systemPrompt, outputSchema, signal } = attempt;
  const params = {
    model: "m",
    messages: [
      ...(systemPrompt === undefined ? [] : [{ role: "system", content: systemPrompt } as const]),
      { role: "user", content: attempt.input } as const,
    ],
    ...(outputSchema && {
      response_format: { type: "json_schema", json_schema: { name: "out", schema: { ...outputSchema } } } as const,
    }),
  };
  if (!attempt.stream) {
    const done = await client.chat.completions.create(params, { signal });
    return done.choices[0]?.message.content ?? "";
  }
  let text = "";
  const stream = await client.chat.completions.create(
    { ...params, stream: true, stream_options: { include_usage: true } },
    { signal },
  );
  for await (const chunk of stream) {
    const delta: { content?: string | null; reasoning_content?: string } = chunk.choices[0]?.delta ?? {};
    // A client joins what a field says.
    if (delta.reasoning_content) onPart({ id: "reasoning", type: "reasoning", text: delta.reasoning_content });
    if (delta.content) onPart({ id: "content", type: "text", text: delta.content });
    const piece = delta.content ?? "";
    text += piece;
    if (piece !== "" && !onPiece(piece)) break;
  }
  return text;
};

describeAdapter(`chat completions of openai ${majorOf(VERSION)}`, subjectOf(server, ask, { embed }), { describe, it });
