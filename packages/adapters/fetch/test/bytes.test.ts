import { createHook } from "node:async_hooks";
import { describe, expect, it } from "@jest/globals";
import { type Delta, definePlugin, type Emit } from "@suite/core";
import { fetchWithPlugins } from "@suite/fetch";
import { answering, changing, post, sse, watching } from "./fake.js";
import { encode, streams } from "./streams.js";

const asked = { model: "m", stream: true, messages: [], input: [] };

/** The chunks that a body gives, one for each read. */
async function chunksOf(response: Response): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return chunks;
}
const given = async (url: string, ...bytes: readonly Uint8Array[]): Promise<Uint8Array[]> =>
  chunksOf(await post(fetchWithPlugins([watching], answering(sse(...bytes))), url, asked));
const textOf = (chunks: readonly Uint8Array[]): string => Buffer.concat(chunks).toString();

const louder = changing((delta) =>
  delta.type === "part" && delta.part.type === "text"
    ? { ...delta, part: { ...delta.part, content: delta.part.content.toUpperCase() } }
    : delta,
);

/** Holds each piece back until the next one comes. */
const late = definePlugin({
  name: "late",
  async model(invocation, callNext) {
    await callNext();
    let held: Delta | undefined;
    const give = (emit: Emit<Delta>): void => {
      if (held !== undefined) emit(held);
    };
    invocation.pipe({
      chunk(delta, emit) {
        give(emit);
        held = delta;
      },
      flush: give,
    });
  },
});

describe.each(streams)("the bytes of %s that nobody changed", (api, url, text) => {
  const packets = text.split(/(?<=\n\n)/).map(encode);

  it("are handed on, a network chunk at a time", async () => {
    const chunks = await given(url, ...packets);
    expect(textOf(chunks)).toBe(text);
    // The last events wait for what is held back: they come together.
    expect(chunks.filter((chunk) => packets.includes(chunk)).length).toBeGreaterThan(packets.length / 2);
  });

  it("are handed on once where a chunk ends within an event, or within a character", async () => {
    const bytes = encode(text);
    for (const size of [1, 2, 3, 7, 31, 64, 255]) {
      const cut = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.slice(index * size, (index + 1) * size),
      );
      expect(textOf(await given(url, ...cut))).toBe(text);
    }
  });

  it("are those of each event without text, also if a layer holds each piece back until the next one comes", async () => {
    const response = await post(fetchWithPlugins([late], answering(sse(...packets))), url, asked);
    const events = textOf(await chunksOf(response)).split(/(?<=\n\n)/);
    const silent = text.split(/(?<=\n\n)/).filter((event) => !/Grüß|ada@|ail|mple|please/.test(event));
    const numberless = (event: string): string => event.replace(/"sequence_number":\d+/, "");
    expect(events.map(numberless)).toEqual(expect.arrayContaining(silent.map(numberless)));
  });

  it("are not those of an event that a layer changed", async () => {
    const response = await post(fetchWithPlugins([louder], answering(sse(...packets))), url, asked);
    const said = textOf(await chunksOf(response));
    expect(said).toContain("PLEASE.");
    if (api !== "responses") expect(said).not.toContain("please.");
  });
});

it("makes a few promises for each chunk of a stream that goes through a layer", async () => {
  let promises = 0;
  const hook = createHook({
    init(_, type) {
      if (type === "PROMISE") promises++;
    },
  });
  const [, url, text] = streams[1];
  const events = text.split(/(?<=\n\n)/);
  const middle = events.findIndex((event) => event.includes("content_block_delta"));
  const counted = async (length: number, wrapped: boolean): Promise<number> => {
    const pieces = Array<string>(length).fill(events[middle] ?? "");
    const answer = sse(...events.slice(0, middle), ...pieces, ...events.slice(middle));
    const response = wrapped ? await post(fetchWithPlugins([watching], answering(answer)), url, asked) : answer;
    promises = 0;
    hook.enable();
    await chunksOf(response);
    hook.disable();
    return promises;
  };
  const perChunk = async (wrapped: boolean): Promise<number> =>
    ((await counted(200, wrapped)) - (await counted(100, wrapped))) / 100;
  expect((await perChunk(true)) - (await perChunk(false))).toBeLessThanOrEqual(6);
});

it("passes headers to fetch unchanged if they contain no length", async () => {
  const given: unknown[] = [];
  const fetch = fetchWithPlugins([watching], async (_, init) => {
    given.push(init?.headers);
    return sse(streams[1][2]);
  });
  const body = JSON.stringify(asked);
  const [plain, long] = [new Headers({ "x-a": "1" }), new Headers({ "x-a": "1", "content-length": `${body.length}` })];
  for (const headers of [plain, long]) {
    await (await fetch(streams[1][1], { method: "POST", headers, body })).text();
  }
  expect(given[0]).toBe(plain);
  expect([...(given[1] as Headers)]).toEqual([["x-a", "1"]]);
  expect(long.get("content-length")).toBe(`${body.length}`);
});
