import { type Delta, type ModelRequest, message, type Plugin, type Reply, type Stage, text } from "@suite/core";
import { PluginStack } from "@suite/core/adapter";
import { atMost, below, defineGroup } from "./group.js";
import type { Case } from "./measure.js";

const CHUNKS = 1000;
const request: ModelRequest = { messages: [message("user", "Hello")], tools: [], model: "none", stream: true };
const deltas = Array.from(
  { length: CHUNKS },
  (_, index): Delta => ({ type: "part", at: "0", part: text(`${index} `) }),
);

async function* bare(): AsyncGenerator<Delta, void> {
  for (const delta of deltas) yield delta;
}

async function* passedOn(source: AsyncIterable<Delta>): AsyncGenerator<Delta, void> {
  for await (const delta of source) yield delta;
}

function nested(depth: number): AsyncIterable<Delta> {
  let source = bare();
  for (let i = 0; i < depth; i++) source = passedOn(source);
  return source;
}

async function read(source: AsyncIterable<Delta>): Promise<void> {
  let chunks = 0;
  for await (const _ of source) chunks++;
  if (chunks !== CHUNKS) throw new Error(`A stream of ${CHUNKS} chunks gave ${chunks}.`);
}

type ReplyStage = Stage<Delta, Reply>;

const chunk: ReplyStage = { chunk: (delta, emit) => emit(delta) };
const settle: ReplyStage = { ...chunk, settle: () => {} };
const settleReading: ReplyStage = {
  ...chunk,
  settle: (settlement) => {
    if (settlement.status !== "completed" || settlement.final.message.parts.length !== 1)
      throw new Error("Not one text.");
  },
};
const around: ReplyStage = { ...chunk, around: (pull) => pull() };

/** An answer with that many stages, called for and read. */
function answered(count: number, stage: ReplyStage): Case {
  const plugins = Array.from(
    { length: count },
    (_, index): Plugin => ({
      name: `stage-${index}`,
      async model(invocation, callNext) {
        await callNext();
        invocation.pipe(stage);
      },
    }),
  );
  const stack = new PluginStack(plugins);
  const run = stack.begin();
  return async () => {
    const outcome = await stack.call("model", run, request, async (invocation) => {
      invocation.respond({ stream: bare() });
    });
    await read(outcome);
  };
}

export const stream = defineGroup({
  name: "core/stream",
  about:
    `One chunk of a streamed answer of ${CHUNKS} text deltas, the call itself included. Stages are fused: a stage hands ` +
    "each chunk on as it is, by a plain call. A generator is the usual way to do the same: `for await (…) yield`. The last " +
    "three are what one more of them adds, from ten stages with it and ten without.",
  unit: "chunk",
  units: CHUNKS,
  open: () => ({
    cases: {
      "bare generator": () => read(bare()),
      "ten nested generators": () => read(nested(10)),
      "no stage": answered(0, chunk),
      "one stage": answered(1, chunk),
      "ten stages": answered(10, chunk),
      "ten stages with settle": answered(10, settle),
      "ten stages with settle that reads": answered(10, settleReading),
      "ten stages with around": answered(10, around),
    },
  }),
  figures: [
    {
      name: "ten stages / ten nested generators",
      ratio: (time) => time["ten stages"] / time["ten nested generators"],
      aim: below(1 / 3, "1/3"),
    },
    {
      name: "each further stage / bare generator",
      ratio: (time) => (time["ten stages"] - time["one stage"]) / 9 / time["bare generator"],
      aim: atMost(1 / 8, "1/8"),
    },
    { name: "no stage / bare generator", ratio: (time) => time["no stage"] / time["bare generator"] },
    { name: "one stage / bare generator", ratio: (time) => time["one stage"] / time["bare generator"] },
    { name: "ten stages / bare generator", ratio: (time) => time["ten stages"] / time["bare generator"] },
    {
      name: "a settle / bare generator",
      ratio: (time) => (time["ten stages with settle"] - time["ten stages"]) / 10 / time["bare generator"],
    },
    {
      name: "a settle that reads the final value / bare generator",
      ratio: (time) => (time["ten stages with settle that reads"] - time["ten stages"]) / 10 / time["bare generator"],
    },
    {
      name: "an around / bare generator",
      ratio: (time) => (time["ten stages with around"] - time["ten stages"]) / 10 / time["bare generator"],
    },
  ],
});
