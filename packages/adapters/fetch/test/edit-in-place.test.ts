import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { type Delta, definePlugin, type Emit, type Plugin } from "@suite/core";
import { fetchWithPlugins } from "@suite/fetch";
import { pii } from "@suite/pii";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { answering, post, sse } from "./fake.js";
import { type Format, formats, type Json } from "./places.js";
import { encode } from "./streams.js";

type Hold = "late" | "until its end" | "until the end";

/** Holds text back and releases it after `replace`. Other values are replaced at once. */
function holding(hold: Hold, replace: (text: string) => string): Plugin {
  return definePlugin({
    name: "holding",
    async model(invocation, callNext) {
      await callNext();
      const held = new Map<string, { text: string; last: (text: string) => Delta }>();
      const late: Delta[] = [];
      const release = (at: string, emit: Emit<Delta>): void => {
        const { text, last } = held.get(at) ?? {};
        held.delete(at);
        if (text !== undefined && last !== undefined) emit(last(replace(text)));
      };
      invocation.pipe({
        chunk(delta, emit) {
          const text = textOf(delta);
          if (text !== undefined && "at" in delta) {
            const before = held.get(delta.at)?.text ?? "";
            if (hold === "late") release(delta.at, emit);
            held.set(delta.at, {
              text: hold === "late" ? text : before + text,
              last: (other) => withText(delta, other),
            });
          } else if (hold === "until the end" && (delta.type === "finish" || delta.type === "part_end"))
            late.push(delta);
          else {
            if (delta.type === "part_end") release(delta.at, emit);
            if (delta.type === "finish") for (const at of [...held.keys()]) release(at, emit);
            emit(replacedValue(delta, replace));
          }
        },
        flush(emit) {
          for (const at of [...held.keys()]) release(at, emit);
          for (const delta of late) emit(delta);
        },
      });
    },
  });
}

function textOf(delta: Delta): string | undefined {
  if (delta.type === "arguments") return delta.json;
  if (delta.type !== "part") return undefined;
  const { part } = delta;
  if (part.type === "reasoning" && part.signature !== undefined) return undefined;
  return part.type === "text" || part.type === "reasoning" ? part.content : undefined;
}

const withText = (delta: Delta, text: string): Delta => {
  if (delta.type === "arguments") return { ...delta, json: text };
  return delta.type === "part" ? ({ ...delta, part: { ...delta.part, content: text } } as Delta) : delta;
};

/** Returns the same delta if nothing is replaced in its values. */
function replacedValue(delta: Delta, replace: (text: string) => string): Delta {
  const json = JSON.stringify(delta);
  const other = replace(json);
  return other === json ? delta : JSON.parse(other);
}

/** The bytes of a stream, with a comment before each event. Every second event has a name, if it has a type. */
const bytesOf = (events: readonly Json[]): string =>
  events
    .map((event, index) => {
      const name = event.type !== undefined && index % 2 === 0 ? `event: ${event.type}\n` : "";
      return `: keep-alive\n\n${name}data: ${JSON.stringify(event)}\n\n`;
    })
    .join("");

const eventsOf = (text: string): readonly Json[] =>
  text.split("\n").flatMap((line) => (line.startsWith("data: {") ? [JSON.parse(line.slice(6))] : []));

/** The events with empty slots and without their numbers, the joined text of each place, and the copies. */
function read(format: Format, events: readonly Json[]) {
  const texts: [place: string, text: string][] = [];
  const copies: [place: string, text: string][] = [];
  const skeletons = events.map((event) => {
    const { sequence_number: _, ...body } = structuredClone(event);
    const slots = format.slots(body);
    for (const { place, target, key, copy } of slots) {
      const text = String(target[key]);
      target[key] = "";
      if (copy) copies.push([place, text]);
      else if (text !== "") texts.push([place, text]);
    }
    return { json: JSON.stringify(body), isExtra: slots.length === 1 && slots[0]?.copy === false };
  });
  return { texts, copies, skeletons };
}

/** The joined texts. In Gemini, a part of another kind ends the text before it. */
function joined(format: Format, texts: readonly (readonly [string, string])[]): unknown {
  const all: [string, string][] = [];
  for (const [place, text] of texts) {
    const last = format === formats.gemini ? all.at(-1) : all.find(([other]) => other === place);
    if (last?.[0] === place) last[1] += text;
    else all.push([place, text]);
  }
  return all.toSorted(([a], [b]) => (format === formats.gemini ? 0 : a.localeCompare(b)));
}

/** Expects that a stream has the events of another one, apart from inserted ones that carry the text of one place. */
function expectSame(format: Format, stream: readonly Json[], bare: readonly Json[], replace: (text: string) => string) {
  const before = read(format, bare);
  const after = read(format, stream);
  const left = before.skeletons.map(({ json }) => json);
  const other = after.skeletons.filter(({ json, isExtra }) => {
    if (json === left[0]) left.shift();
    else return !isExtra || json.includes("x_");
    return false;
  });
  expect({ missing: left, other }).toEqual({ missing: [], other: [] });
  const texts = (joined(format, before.texts) as [string, string][]).map(([place, text]) => [place, replace(text)]);
  expect(joined(format, after.texts)).toEqual(texts);
  expect(after.copies).toEqual(before.copies.map(([place, text]) => [place, replace(text)]));
  const numbers = stream.flatMap(({ sequence_number }) => (sequence_number === undefined ? [] : [sequence_number]));
  expect(numbers).toEqual(numbers.map((_, index) => index));
}

async function through(format: Format, plugin: Plugin, bytes: string, cuts: readonly number[] = []): Promise<string> {
  const all = encode(bytes);
  const bounds = [0, ...cuts.map((cut) => cut % all.length).sort((a, b) => a - b), all.length];
  const pieces = bounds.slice(1).map((end, index) => all.slice(bounds[index], end));
  const fetch = fetchWithPlugins([plugin], answering(sse(...pieces)));
  return (
    await post(fetch, format.url, { model: "m", stream: true, messages: [], input: [], contents: [], prompt: "" })
  ).text();
}

const piece = fc
  .array(fc.constantFrom("sec", "ret", "secret", " ", "👋", "é", '"', "\\", "\n", "{", "a", "b"), { maxLength: 4 })
  .map((units) => units.join(""));
const unknown = fc.constantFrom<unknown>(null, "", 0, "own", [1, "own"], { deep: { own: "own" } });

/** Adds unknown fields to the objects of an event, at any depth. The input of a call is left alone. */
function decorate(value: unknown, next: () => unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const [key, each] of Object.entries(value)) if (key !== "input") decorate(each, next);
  const own = next();
  if (!Array.isArray(value) && own !== undefined) (value as Json).x_own = structuredClone(own);
}

/** Merges lists. The order inside each list stays. */
function merged(lists: readonly (readonly Json[])[], choose: () => number): readonly Json[] {
  const left = lists.map((list) => [...list]);
  const all: Json[] = [];
  while (left.some((list) => list.length > 0)) {
    const open = left.filter((list) => list.length > 0);
    const event = open[choose() % open.length]?.shift();
    if (event !== undefined) all.push(event);
  }
  return all;
}

/** Returns the values one after the other, again and again. */
function cycle<Value>(values: readonly Value[]): () => Value {
  let next = 0;
  return () => values[next++ % values.length] as Value;
}

const streamOf = (format: Format): fc.Arbitrary<readonly Json[]> =>
  fc
    .record({
      places: fc.array(
        fc.tuple(fc.constantFrom(...Object.keys(format.places)), fc.array(piece, { minLength: 1, maxLength: 5 })),
        { minLength: 1, maxLength: 4 },
      ),
      order: fc.array(fc.nat(3), { minLength: 1, maxLength: 20 }),
      fields: fc.array(fc.option(unknown, { nil: undefined }), { minLength: 1, maxLength: 20 }),
    })
    .map(({ places, order, fields }) => {
      const lists = places.map(([name, pieces], index) => ({
        alternates: format.alternating.includes(name),
        events: format.places[name]?.(pieces, index) ?? [],
      }));
      const listsOf = (alternate: boolean): readonly (readonly Json[])[] =>
        lists.filter(({ alternates }) => alternates === alternate).map(({ events }) => events);
      const events = format.stream([...listsOf(false).flat(), ...merged(listsOf(true), cycle(order))]);
      decorate(events, cycle(fields));
      return events;
    });

const keep = (text: string): string => text;
const hide = (text: string): string => text.replaceAll("secret", "[X]");

describe("a stream is edited in place", () => {
  const holds = fc.constantFrom<Hold>("late", "until its end", "until the end");
  const cuts = fc.array(fc.nat(100_000), { maxLength: 8 });

  it.each(Object.entries(formats))("a stage that holds text keeps the events and texts of %s", async (_, format) => {
    await fc.assert(
      fc.asyncProperty(streamOf(format), holds, cuts, async (bare, hold, at) => {
        const text = await through(format, holding(hold, keep), bytesOf(bare), at);
        expectSame(format, eventsOf(text), bare, keep);
        expect(text.split(": keep-alive")).toHaveLength(bare.length + 1);
      }),
      { numRuns: runs(200) },
    );
  });

  it.each(Object.entries(formats))("a guard replaces a word in the texts and copies of %s only", async (_, format) => {
    await fc.assert(
      fc.asyncProperty(streamOf(format), holds, cuts, async (bare, hold, at) => {
        const waits = hold === "late" ? "until its end" : hold;
        const text = await through(format, holding(waits, hide), bytesOf(bare), at);
        expectSame(format, eventsOf(text), bare, hide);
      }),
      { numRuns: runs(200) },
    );
  });
});

/** Sends one event at a time. Returns the number of events that the client has before the next one is sent. */
async function arrivals(format: Format, plugin: Plugin, bare: readonly Json[]): Promise<readonly number[]> {
  let packets: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      packets = controller;
    },
  });
  const fetch = fetchWithPlugins(
    [plugin],
    answering(new Response(body, { headers: { "content-type": "text/event-stream" } })),
  );
  const response = await post(fetch, format.url, { model: "m", stream: true, messages: [], input: [], contents: [] });
  let text = "";
  const reading = (async () => {
    for await (const bytes of response.body ?? []) text += new TextDecoder().decode(bytes);
  })();
  const counts: number[] = [];
  for (const event of bare) {
    packets?.enqueue(encode(bytesOf([event])));
    for (let turn = 0; turn < 10; turn++) await nextTurn();
    counts.push(eventsOf(text).length);
  }
  packets?.close();
  await reading;
  return counts;
}

describe("an event arrives before the next one is sent", () => {
  // Clients do not join code parts, so their events wait for the text.
  const isCode = (event: Json): boolean => /executableCode|codeExecutionResult/.test(JSON.stringify(event));

  it.each(Object.entries(formats))("also if a stage holds the text of %s", async (_, format) => {
    await fc.assert(
      fc.asyncProperty(streamOf(format), fc.constantFrom<Hold>("late", "until its end"), async (stream, hold) => {
        const bare = stream.filter((event) => !isCode(event));
        const counts = await arrivals(format, holding(hold, keep), bare);
        for (const [index, count] of counts.entries()) expect(count).toBeGreaterThan(index);
      }),
      { numRuns: runs(50) },
    );
  });
});

describe("pii finds a value that is cut over several chunks", () => {
  const email = "jane.doe@leak.example";
  const guard: Plugin = {
    ...pii({ email: "redact" }, { apply: { output: true, toolArguments: true } }),
    whereOffered: ["tool", "embedding", "agent"],
  };
  const slots = Object.entries(formats).flatMap(([name, format]) =>
    Object.entries(format.places).map(([slot, make]) => [name, slot, format, make] as const),
  );

  it.each(slots)("of %s in %s", async (_, slot, format, make) => {
    // Signed text is shown unchanged or not at all, from the value on.
    const replaced = slot === "signed thinking" ? '{"to"' : '{"to":"[REDACTED_EMAIL]"}';
    for (const cuts of [[17], [12, 18], [9, 14]]) {
      const text = `{"to":"${email}"}`;
      const bounds = [0, ...cuts, text.length];
      const pieces = bounds.slice(1).map((end, index) => text.slice(bounds[index], end));
      const bare = format.stream(make(pieces, 0));
      const events = eventsOf(await through(format, guard, bytesOf(bare)));
      expectSame(format, events, bare, (each) => each.replace(text, replaced));
      expect(JSON.stringify(events)).not.toContain(email);
    }
  });
});
