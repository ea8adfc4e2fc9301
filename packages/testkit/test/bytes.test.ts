import { describe, expect, it, jest } from "@jest/globals";
import fc from "fast-check";
import { runs, timeFor } from "../../../scripts/runs.mjs";
import { useServer } from "./clients.js";

// Forty answers of thousands of writes, each a turn of the event loop on both sides, are long work and no wait.
jest.setTimeout(timeFor(120_000));

const use = useServer();
const text = "Zoë 👩‍🚀: „ñ“";
const toolCalls = [{ id: "call_1", name: "find", arguments: { name: "Zoë 🚀" } }];
const answer = { text, toolCalls, chunks: "characters" } as const;

const ask = (path: string, stream: boolean): Promise<Response> =>
  fetch(`${use.server.url}${path}`, { method: "POST", body: JSON.stringify({ model: "m", stream }) });

async function bytes(response: Response): Promise<{ readonly whole: string; readonly lengths: readonly number[] }> {
  const lengths: number[] = [];
  const all: Uint8Array[] = [];
  for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>) {
    lengths.push(piece.length);
    all.push(piece);
  }
  return { whole: Buffer.concat(all).toString("utf8"), lengths };
}

describe.each(["/v1/chat/completions", "/v1/responses", "/v1/messages"])("the bytes of %s", (path) => {
  it("arrive one at a time when they are split so, and add up to the same", async () => {
    use.server.script({ text: "é", chunks: "characters" }, { text: "é", chunks: "characters", fault: { split: 1 } });
    const normal = await bytes(await ask(path, true));
    const split = await bytes(await ask(path, true));
    const numbers = /_?\d+/g;
    expect(split.whole.replace(numbers, "")).toBe(normal.whole.replace(numbers, ""));
    expect(new Set(split.lengths)).toEqual(new Set([1]));
  });

  it("are cut at just the offset that is asked for, inside a character too", async () => {
    use.server.script({ text: "é", fault: { split: [1, 30] } });
    expect((await bytes(await ask(path, false))).lengths.slice(0, 2)).toEqual([1, 29]);
  });
});

describe("a place in the body", () => {
  const path = "/v1/chat/completions";
  const received = async (response: Response): Promise<string> => {
    let text = "";
    try {
      for await (const piece of response.body as unknown as AsyncIterable<Uint8Array>)
        text += Buffer.from(piece).toString();
    } catch {
      // It is cut.
    }
    return text;
  };

  it("may be in the middle of a JSON body, or of an event", async () => {
    use.server.script(
      { text: "one" },
      { text: "one", fault: { cut: 0.5 } },
      { chunks: ["one", "two"], fault: { cut: 1.5 } },
    );
    const { length } = await received(await ask(path, false));
    expect((await received(await ask(path, false))).length).toBe(Math.floor(length / 2));
    const [comment, first, second, ...more] = (await received(await ask(path, true))).split("\n\n");
    expect(comment).toBe(": keep-alive");
    expect(first).toContain('"role":"assistant"');
    expect(second).toMatch(/^data: \{"id".*[^}]$/);
    expect(more).toEqual([]);
  });

  it("has the line ends that are asked for, and no others", async () => {
    use.server.script({ text: "one", fault: { newline: "\r\n" } });
    expect((await received(await ask("/v1/messages", true))).replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  });
});

describe("the real clients", () => {
  it("read the same whatever positions the bytes are cut at", async () => {
    const reads = {
      chat: async () => {
        const final = await use.openai().chat.completions.stream({ model: "m", messages: [] }).finalChatCompletion();
        const message = final.choices[0]?.message;
        return [
          message?.content,
          message?.tool_calls?.map((call) => call.type === "function" && call.function.arguments),
        ];
      },
      responses: async () => {
        const final = await use.openai().responses.stream({ model: "m", input: "" }).finalResponse();
        return [
          final.output_text,
          final.output.flatMap((item) => (item.type === "function_call" ? [item.arguments] : [])),
        ];
      },
      messages: async () => {
        const final = await use.anthropic().messages.stream({ model: "m", max_tokens: 9, messages: [] }).finalMessage();
        const inputs = final.content.flatMap((block) =>
          block.type === "tool_use" ? [JSON.stringify(block.input)] : [],
        );
        return [final.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(""), inputs];
      },
    };
    const newline = fc.constantFrom("\n" as const, "\r\n" as const);
    const split = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.array(fc.nat(4000), { maxLength: 30 }));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...(Object.keys(reads) as (keyof typeof reads)[])),
        split,
        newline,
        async (read, at, line) => {
          use.server.script({ ...answer, fault: { split: at, newline: line } });
          expect(await reads[read]()).toEqual([text, ['{"name":"Zoë 🚀"}']]);
        },
      ),
      { numRuns: runs(40) },
    );
  });
});
