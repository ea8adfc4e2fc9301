import { describe, expect, it } from "@jest/globals";
import type { Fault } from "@suite/testkit";
import { collect, rejection, timedOut, useServer } from "./clients.js";

const use = useServer();
const chat = { model: "m", messages: [{ role: "user" as const, content: "Hello" }] };
const message = { ...chat, max_tokens: 10 };

/** Each protocol as `(stream) => texts`, so that every fault is seen by every client. */
const protocols = {
  "chat completions": {
    plain: async () => (await use.openai().chat.completions.create(chat)).choices[0]?.message.content,
    streamed: async (seen: string[] = []) => {
      for await (const chunk of await use.openai().chat.completions.create({ ...chat, stream: true })) {
        const text = chunk.choices[0]?.delta.content;
        if (text) seen.push(text);
      }
      return seen;
    },
  },
  responses: {
    plain: async () => (await use.openai().responses.create({ model: "m", input: "Hello" })).output_text,
    streamed: async (seen: string[] = []) => {
      for await (const event of await use.openai().responses.create({ model: "m", input: "Hello", stream: true })) {
        if (event.type === "response.output_text.delta" && event.delta) seen.push(event.delta);
        if (event.type === "error") throw new Error(event.message);
      }
      return seen;
    },
  },
  messages: {
    plain: async () => (await use.anthropic().messages.create(message)).content[0],
    streamed: async (seen: string[] = []) => {
      for await (const event of await use.anthropic().messages.create({ ...message, stream: true })) {
        if (event.type !== "content_block_delta" || event.delta.type !== "text_delta") continue;
        if (event.delta.text) seen.push(event.delta.text);
      }
      return seen;
    },
  },
};
describe.each(Object.keys(protocols) as (keyof typeof protocols)[])("faults in %s", (name) => {
  const { plain, streamed } = protocols[name];
  const script = (fault: Fault) => use.server.script({ chunks: ["one", "two", "three"], fault });

  it.each([429, 500, 503])("status %i reaches the client as its own error class, with retry-after", async (status) => {
    script({ status, retryAfter: 3, message: "Busy." });
    const error = await rejection(plain());
    expect(error).toMatchObject({ status, message: expect.stringContaining("Busy.") });
    expect((error.headers as unknown as Headers).get("retry-after")).toBe("3");
  });

  it("a cut after n events gives what was sent before it, and then an error", async () => {
    script({ cut: { textPieces: 2 } });
    const seen: string[] = [];
    await rejection(streamed(seen));
    expect(seen).toEqual(["one", "two"]);
    await expect(use.server.requests[0]?.ended).resolves.toBe("cut");
  });

  it("a cut of a stream whose bytes are split sends the bytes before it, and then an error", async () => {
    script({ cut: { textPieces: 1 }, split: 7 });
    const seen: string[] = [];
    await rejection(streamed(seen));
    expect(seen).toEqual(["one"]);
  });

  it("a cut before the headers is a connection error", async () => {
    script({ cut: "before-headers" });
    expect((await rejection(plain())).constructor.name).toBe("APIConnectionError");
  });

  it("a cut in the middle of a JSON body is an error", async () => {
    script({ cut: 0.5 });
    await rejection(plain());
  });

  it("a body of malformed JSON is an error", async () => {
    script({ malformed: 0 });
    await rejection(plain());
  });

  it("an event of malformed JSON is an error, after what came before it", async () => {
    script({ malformed: { textPieces: 1 } });
    const seen: string[] = [];
    await rejection(streamed(seen));
    expect(seen).toEqual(["one"]);
  });

  it("an error event in mid-stream is the provider's error", async () => {
    script({ error: { textPieces: 1 }, message: "Overloaded." });
    const seen: string[] = [];
    const error = await rejection(streamed(seen));
    expect(error.message).toContain("Overloaded.");
    expect(seen).toEqual(["one"]);
  });

  it("slow chunks arrive one after the other", async () => {
    script({ delay: 5 });
    const start = performance.now();
    expect(await streamed()).toEqual(["one", "two", "three"]);
    expect(performance.now() - start).toBeGreaterThan(5 * 4);
  });

  it.each(["\r\n", "\r"] as const)("lines may end with %j", async (newline) => {
    script({ newline });
    expect(await streamed()).toEqual(["one", "two", "three"]);
  });
});

describe("an answer that hangs", () => {
  it("sends what comes before, then nothing, until the client closes the connection", async () => {
    use.server.script({ chunks: ["one", "two"], fault: { hang: { textPieces: 1 } } });
    const stream = await use.openai().chat.completions.create({ ...chat, stream: true });
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content === "one") break;
    await expect(use.server.requests[0]?.ended).resolves.toBe("closed");
  });

  it("before its headers makes the client's timeout run out", async () => {
    use.server.script({ text: "never", fault: { hang: "before-headers" } });
    const error = await timedOut(use.server, () => use.openai().chat.completions.create(chat, { timeout: 30 }));
    expect(error.constructor.name).toMatch(/^APIConnection/);
    await expect(use.server.requests[0]?.ended).resolves.toBe("closed");
  });
});

describe("a client that retries", () => {
  it("gets the next answer of the script", async () => {
    use.server.script({ fault: { status: 503, retryAfter: 0 } }, { text: "Now." });
    const completion = await use.openai(1).chat.completions.create(chat);
    expect(completion.choices[0]?.message.content).toBe("Now.");
    expect(use.server.requests).toHaveLength(2);
  });

  it("sees a stream that was cut only as far as it came", async () => {
    use.server.script({ text: "whole", fault: { cut: 0 } });
    await rejection(collect(await use.openai().chat.completions.create({ ...chat, stream: true })));
  });
});
