import Anthropic from "@anthropic-ai/sdk";
import { VERSION } from "@anthropic-ai/sdk/version";
import { afterAll, afterEach, beforeAll, describe, it } from "@jest/globals";
import { withPlugins } from "@suite/fetch";
import { describeAdapter, type SeenPiece, useModelServer } from "@suite/testkit";
import { type Ask, majorOf, subjectOf } from "./subject.js";

const server = useModelServer({ beforeAll, afterEach, afterAll });

/** Asks with the SDK's own tool runner as the loop, also where there are no tools. */
const ask: Ask = async (attempt, url, onPiece, onPart) => {
  const options = { apiKey: "none", baseURL: url, maxRetries: 0, logLevel: "off", openTelemetry: false } as const;
  const client = withPlugins(new Anthropic(options), attempt.plugins, { run: attempt.run });
  const { systemPrompt, outputSchema, signal } = attempt;
  const params = {
    model: "m",
    max_tokens: 100,
    messages: [{ role: "user", content: attempt.input } as const],
    ...(systemPrompt !== undefined && { system: systemPrompt }),
    ...(outputSchema && { output_config: { format: { type: "json_schema", schema: { ...outputSchema } } as const } }),
    tools: attempt.tools.map(({ name, description, parameters, execute }) => ({
      type: "custom" as const,
      name,
      description,
      input_schema: { ...parameters, type: "object" as const },
      parse: (input: unknown) => input,
      run: async (input: unknown) => {
        const output = await orAborted(execute?.(input), signal);
        return typeof output === "string" ? output : JSON.stringify(output);
      },
    })),
  };
  let text = "";
  let round = 0;
  if (!attempt.stream) {
    for await (const message of client.beta.messages.toolRunner(params, { signal })) {
      text = textOf(message.content);
    }
    return text;
  }
  for await (const stream of client.beta.messages.toolRunner({ ...params, stream: true }, { signal })) {
    round++;
    for await (const event of stream) {
      const piece = pieceOf(event, round);
      if (piece !== undefined) onPart(piece);
      if (event.type !== "content_block_delta" || event.delta.type !== "text_delta") continue;
      if (!onPiece(event.delta.text)) return text;
    }
    text += textOf((await stream.finalMessage()).content);
  }
  return text;
};

/** The runner waits for a tool that does not listen to the signal. */
function orAborted(work: unknown, signal: AbortSignal | undefined): Promise<unknown> {
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
  return Promise.race([work, aborted]);
}

/** The piece of a block that an event is. */
function pieceOf(event: Anthropic.Beta.BetaRawMessageStreamEvent, round: number): SeenPiece | undefined {
  if (event.type !== "content_block_start" && event.type !== "content_block_delta") return undefined;
  const id = `${round}.${event.index}`;
  const said = event.type === "content_block_start" ? event.content_block : event.delta;
  switch (said.type) {
    case "text":
    case "text_delta":
      return { id, type: "text", text: said.text };
    case "thinking":
    case "thinking_delta":
      return { id, type: "reasoning", text: said.thinking };
    case "tool_use":
      return { id, type: "tool_call", text: "" };
    case "input_json_delta":
      return { id, type: "tool_call", text: said.partial_json };
    default:
      return undefined;
  }
}

const textOf = (content: readonly { readonly type: string; readonly text?: string }[]): string =>
  content.map((block) => (block.type === "text" ? block.text : "")).join("");

describeAdapter(`messages of @anthropic-ai/sdk ${majorOf(VERSION)}`, subjectOf(server, ask, { tools: true }), {
  describe,
  it,
});
