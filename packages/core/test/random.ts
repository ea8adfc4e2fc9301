import { type Delta, type Part, type Reply, type Stage, text, toolCall } from "@suite/core";
import type { PartDelta, ReasoningPart, TextPart } from "@suite/core/messages";
import fc from "fast-check";

/** A reply as a model could give it, and the same reply as a stream, cut anywhere and interleaved. */
export interface Answered {
  readonly reply: Reply;
  readonly deltas: readonly Delta[];
}

const words = fc.string({
  unit: fc.constantFrom("a", "b", "Z", "ß", "é", "ж", " ", "@", ".", "\n", "😀"),
  maxLength: 12,
});
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown);
const part: fc.Arbitrary<Part> = fc.oneof(
  words.map(text),
  words.map((content): Part => ({ type: "reasoning", content })),
  fc.record({ name: fc.constantFrom("pay", "search"), args: json }).map(({ name, args }) => toolCall(name, name, args)),
);
const reply: fc.Arbitrary<Reply> = fc.record(
  {
    message: fc.record({ role: fc.constant("assistant" as const), parts: fc.array(part, { maxLength: 5 }) }),
    usage: fc.record({ inputTokens: fc.nat(99), outputTokens: fc.nat(99) }),
    finishReason: fc.constantFrom("stop", "tool_call"),
  },
  { requiredKeys: ["message"] },
);

/** Draws from a list of numbers, again from its start when it is used up. */
const dice = (numbers: readonly number[]): ((sides: number) => number) => {
  let thrown = 0;
  return (sides) => (numbers[thrown++ % numbers.length] ?? 0) % sides;
};

function cut(content: string, roll: (sides: number) => number): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < content.length; ) {
    const to = from + 1 + roll(content.length - from);
    pieces.push(content.slice(from, to));
    from = to;
  }
  return pieces.length === 0 ? [""] : pieces;
}

function deltasOf(whole: Part, at: string, roll: (sides: number) => number): readonly Delta[] {
  if (whole.type === "text" || whole.type === "reasoning") {
    return cut(whole.content, roll).map((content) => ({ type: "part", at, part: { ...whole, content } }));
  }
  if (whole.type !== "tool_call") return [{ type: "part", at, part: whole }];
  const pieces = cut(JSON.stringify(whole.arguments), roll);
  const opened: Delta = { type: "part", at, part: { ...whole, arguments: {} } };
  return [opened, ...pieces.map((piece): Delta => ({ type: "arguments", at, json: piece }))];
}

/** Parts begin in their order; after that their pieces come in any order. */
function interleaved(parts: readonly (readonly Delta[])[], roll: (sides: number) => number): readonly Delta[] {
  const waiting = parts.map((deltas) => [...deltas]);
  const begun: Delta[][] = [];
  const all: Delta[] = [];
  while (waiting.length > 0 || begun.length > 0) {
    const chosen = roll(begun.length + (waiting.length > 0 ? 1 : 0));
    const next = begun[chosen] ?? waiting.shift() ?? [];
    if (begun[chosen] === undefined) begun.push(next);
    const delta = next.shift();
    if (delta !== undefined) all.push(delta);
    if (roll(7) === 0) all.push({ type: "event", name: "progress", value: all.length });
    if (next.length === 0) begun.splice(begun.indexOf(next), 1);
  }
  return all;
}

export const answered: fc.Arbitrary<Answered> = fc
  .record({ reply, numbers: fc.array(fc.nat(999), { minLength: 1, maxLength: 40 }) })
  .map(({ reply, numbers }) => {
    const roll = dice(numbers);
    const parts = reply.message.parts.map((whole, index) => deltasOf(whole, `p${index}`, roll));
    const { usage, finishReason } = reply;
    const finish: Delta[] = [];
    if (usage !== undefined) finish.push({ type: "finish", usage });
    if (finishReason !== undefined) finish.push({ type: "finish", finishReason });
    return { reply, deltas: [...interleaved(parts, roll), ...finish] };
  });

type MakeStage = () => Stage<Delta, unknown>;

interface Prose extends PartDelta {
  readonly part: TextPart | ReasoningPart;
}

const isProse = (delta: Delta): delta is Prose =>
  delta.type === "part" && (delta.part.type === "text" || delta.part.type === "reasoning");
const rewritten = (delta: Prose, content: string): Prose => ({ ...delta, part: { ...delta.part, content } });
/** A stage that changes text by a function of which cutting does not matter. */
const prose =
  (change: (content: string) => string): MakeStage =>
  () => ({ chunk: (delta, emit) => emit(isProse(delta) ? rewritten(delta, change(delta.part.content)) : delta) });
const shout = (value: unknown): unknown => {
  if (typeof value === "string") return value.toUpperCase();
  if (Array.isArray(value)) return value.map(shout);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shout(each)]));
};

const shouted = (json: string): string => {
  try {
    return JSON.stringify(shout(JSON.parse(json)));
  } catch {
    return json;
  }
};

/** Stages to whom it does not matter how an answer is cut. */
export const independent: Readonly<Record<string, MakeStage>> = {
  pass: () => ({ chunk: (delta, emit) => emit(delta) }),
  watch: () => ({}),
  upper: prose((content) => content.toUpperCase()),
  dropCharacters: prose((content) => content.replaceAll(/[ab]/g, "")),
  doubleCharacters: prose((content) => content.replaceAll(/[\s\S]/g, "$&$&")),
  dropReasoning: () => ({
    chunk(delta, emit) {
      if (delta.type !== "part" || delta.part.type !== "reasoning") emit(delta);
    },
  }),
  dropFinish: () => ({
    chunk(delta, emit) {
      if (delta.type !== "finish") emit(delta);
    },
  }),
  rename: () => ({ chunk: (delta, emit) => emit("at" in delta ? { ...delta, at: `${delta.at}'` } : delta) }),
  later: () => ({
    async chunk(delta, emit) {
      await undefined;
      emit(delta);
    },
  }),
  muchLater: () => ({
    async chunk(delta, emit) {
      await new Promise((resolve) => setImmediate(resolve));
      emit(delta);
    },
  }),
  split: () => ({
    chunk(delta, emit) {
      if (!isProse(delta) || delta.part.content === "") return emit(delta);
      for (const unit of delta.part.content.split("")) emit(rewritten(delta, unit));
    },
  }),
  addEvents: () => ({
    chunk(delta, emit) {
      emit({ type: "event", name: "audio", value: 1 });
      emit(delta);
    },
    flush: (emit) => emit({ type: "event", name: "audio", value: 2 }),
  }),
  holdBack() {
    const held = new Map<string, Prose>();
    return {
      chunk(delta, emit) {
        if (!isProse(delta)) return emit(delta);
        held.set(delta.at, rewritten(delta, (held.get(delta.at)?.part.content ?? "") + delta.part.content));
      },
      async flush(emit) {
        for (const delta of held.values()) {
          await undefined;
          emit(delta);
        }
      },
    };
  },
  /** A stage like a guard: a word is let through when it has ended. An empty piece takes the part's place at once. */
  holdBackWords() {
    const held = new Map<string, Prose>();
    const guarded = (content: string): string => content.replaceAll(/\S*@\S*/g, "[X]");
    return {
      chunk(delta, emit) {
        if (!isProse(delta)) return emit(delta);
        const content = (held.get(delta.at)?.part.content ?? "") + delta.part.content;
        const end = content.search(/\S*$/);
        held.set(delta.at, rewritten(delta, content.slice(end)));
        emit(rewritten(delta, guarded(content.slice(0, end))));
      },
      flush(emit) {
        for (const delta of held.values()) emit(rewritten(delta, guarded(delta.part.content)));
      },
    };
  },
  shoutArguments() {
    const held = new Map<string, string>();
    return {
      chunk(delta, emit) {
        if (delta.type === "arguments") held.set(delta.at, (held.get(delta.at) ?? "") + delta.json);
        else if (delta.type !== "part" || delta.part.type !== "tool_call") emit(delta);
        else emit({ ...delta, part: { ...delta.part, arguments: shout(delta.part.arguments) } });
      },
      flush(emit) {
        for (const [at, joined] of held) emit({ type: "arguments", at, json: shouted(joined) });
      },
    };
  },
};

/** Stages whose work depends on how an answer is cut. */
export const dependent: Readonly<Record<string, MakeStage>> = {
  ...independent,
  duplicate: () => ({
    chunk(delta, emit) {
      emit(delta);
      emit(delta);
    },
  }),
  dropEverySecond() {
    let count = 0;
    return {
      chunk(delta, emit) {
        if (count++ % 2 === 0) emit(delta);
      },
    };
  },
  reverse() {
    const held: Delta[] = [];
    return {
      chunk: (delta) => void held.unshift(delta),
      flush(emit) {
        for (const delta of held) emit(delta);
      },
    };
  },
  nothing: () => ({ chunk() {} }),
};

/** A stack of up to five of these stages, by name. */
export const stackOf = (stages: Readonly<Record<string, MakeStage>>): fc.Arbitrary<readonly string[]> =>
  fc.array(fc.constantFrom(...Object.keys(stages)), { maxLength: 5 });
