import { describe, expect, it } from "@jest/globals";
import type { Delta, Emit, Plugin } from "@suite/core";
import { withPlugins } from "@suite/fetch";
import type { ModelAnswer } from "@suite/testkit";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { useServer } from "./support.js";

const on = useServer();
const chat = { model: "m", messages: [{ role: "user" as const, content: "Hello." }] };

/** Changes nothing, but keeps back what it likes, and gives it out later, in other pieces. */
function holding(choices: readonly number[]): Plugin {
  let next = 0;
  const choose = (): number => choices[next++ % choices.length] ?? 0;
  return {
    name: "holding",
    async model(invocation, callNext) {
      await callNext();
      const held = new Map<string, { kind: "text" | "reasoning" | "json"; text: string }>();
      const finish: Delta[] = [];
      const give = (at: string, emit: Emit<Delta>): void => {
        const { kind, text } = held.get(at) ?? { kind: "text", text: "" };
        held.delete(at);
        if (text === "") return;
        if (kind === "json") emit({ type: "arguments", at, json: text });
        else emit({ type: "part", at, part: { type: kind, content: text } });
      };
      const seen = new Set<string>();
      invocation.pipe({
        chunk(delta, emit) {
          if (delta.type === "finish") finish.push(delta);
          else if (delta.type === "event") emit(delta);
          else {
            const part = delta.type === "part" ? delta.part : undefined;
            const kind = part === undefined ? "json" : part.type;
            const text =
              delta.type === "arguments"
                ? delta.json
                : part !== undefined && "content" in part
                  ? part.content
                  : undefined;
            const pieces = kind === "json" || kind === "text" || kind === "reasoning";
            if (
              !pieces ||
              text === undefined ||
              (part?.type === "reasoning" && part.signature !== undefined) ||
              !seen.has(delta.at)
            ) {
              if (kind !== "tool_call") seen.add(delta.at);
              give(delta.at, emit);
              emit(delta);
              return;
            }
            held.set(delta.at, { kind, text: (held.get(delta.at)?.text ?? "") + text });
            if (choose() % 3 === 0) give(delta.at, emit);
          }
        },
        flush(emit) {
          for (const at of [...held.keys()]) give(at, emit);
          for (const delta of finish) emit(delta);
        },
      });
    },
  };
}

const word = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 });
const answers: fc.Arbitrary<ModelAnswer> = fc.record({
  reasoning: fc.record({ content: word, signature: fc.constant("signed") }),
  text: word,
  toolCalls: fc.array(fc.record({ name: fc.constant("look"), arguments: fc.dictionary(word, word, { maxKeys: 3 }) }), {
    maxLength: 2,
  }),
  chunks: fc.integer({ min: 1, max: 9 }),
});

/** An answer without its ids and its time; of reasoning, openai's client keeps the last piece alone. */
const counted = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(/(chatcmpl-|resp_|msg_|rs_|fc_|call_)[\d_]+/g, "$1n")
      .replaceAll(/"reasoning_content":"(?:[^"\\]|\\.)*",?/g, "")
      .replaceAll(/"created(_at)?":\d+/g, '"created":0'),
  );

describe("whatever a layer keeps back, and however it gives it out, the client puts together the same", () => {
  it.each(["chat completions", "responses", "messages"])(
    "of %s",
    async (kind) => {
      const ask = (plugins: readonly Plugin[]): Promise<unknown> => {
        if (kind === "messages") {
          return withPlugins(on.anthropic(), plugins)
            .messages.stream({ ...chat, max_tokens: 9 })
            .finalMessage();
        }
        const client = withPlugins(on.openai(), plugins);
        if (kind === "responses") return client.responses.stream({ model: "m", input: "Hello." }).finalResponse();
        return client.chat.completions.stream(chat).finalChatCompletion();
      };
      await fc.assert(
        fc.asyncProperty(answers, fc.array(fc.nat(9), { minLength: 1, maxLength: 20 }), async (answer, choices) => {
          on.server.script(answer, answer);
          expect(counted(await ask([holding(choices)]))).toEqual(counted(await ask([])));
        }),
        { numRuns: runs(15) },
      );
    },
    60_000,
  );
});
