import { afterAll, afterEach, beforeAll, describe, it } from "@jest/globals";
import { withPlugins } from "@suite/fetch";
import { describeAdapter, useModelServer } from "@suite/testkit";
import OpenAI from "openai";
import { VERSION } from "openai/version";
import { type Ask, majorOf, subjectOf } from "./subject.js";

const server = useModelServer({ beforeAll, afterEach, afterAll });

const ask: Ask = async (attempt, url, onPiece, onPart) => {
  const options = { apiKey: "none", baseURL: `${url}/v1`, maxRetries: 0, logLevel: "off" } as const;
  const client = withPlugins(new OpenAI(options), attempt.plugins, { run: attempt.run });
  const { systemPrompt, outputSchema, signal } = attempt;
  const params = {
    model: "m",
    input: attempt.input,
    ...(systemPrompt !== undefined && { instructions: systemPrompt }),
    ...(outputSchema && {
      text: { format: { type: "json_schema", name: "out", schema: { ...outputSchema } } as const },
    }),
  };
  if (!attempt.stream) return (await client.responses.create(params, { signal })).output_text;
  let text = "";
  for await (const event of await client.responses.create({ ...params, stream: true }, { signal })) {
    if (event.type === "response.output_text.delta") {
      onPart({ id: `${event.output_index}.${event.content_index}`, type: "text", text: event.delta });
    } else if (event.type === "response.reasoning_summary_text.delta") {
      onPart({ id: `${event.output_index}.${event.summary_index}`, type: "reasoning", text: event.delta });
    }
    if (event.type === "response.completed") text = textOf(event.response);
    if (event.type !== "response.output_text.delta") continue;
    text += event.delta;
    if (!onPiece(event.delta)) break;
  }
  return text;
};

/** The text of the whole response at the end, which says it all again. */
const textOf = ({ output }: OpenAI.Responses.Response): string =>
  output
    .flatMap((item) => (item.type === "message" ? item.content : []))
    .map((content) => (content.type === "output_text" ? content.text : ""))
    .join("");

describeAdapter(`responses of openai ${majorOf(VERSION)}`, subjectOf(server, ask), { describe, it });
