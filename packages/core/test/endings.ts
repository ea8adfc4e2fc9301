import type { Delta, Invocation, Outcome, Plugin, Reply, Stage } from "@suite/core";
import { message } from "@suite/core";
import type { CallCore, Run } from "@suite/core/adapter";
import type { Suspended } from "@suite/core/contract";
import { layer, piece, staged } from "./support.js";

export type Answer = Outcome<Delta, Reply>;
export type Pace = "sync" | "promise" | "immediate" | "generator";
type Step = IteratorResult<Delta, Suspended | void>;

export const immediate = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The state of one example of the property: its sources, its stages, its run. */
export class World {
  readonly theirs = new Error("theirs");
  readonly left = new Error("the user left");
  readonly bye = new Error("the run ended");
  readonly abort = new AbortController();
  readonly sources: Source[] = [];
  /** The settlements of every stage that was piped. */
  readonly piped: string[][] = [];
  run: Run | undefined;

  constructor(
    readonly chunks: number,
    readonly at: number,
    readonly pace: Pace,
  ) {}

  /** A source of answers that remembers whether it was closed. */
  source(end?: "fails" | "suspends"): Source {
    const source = new Source(this, end);
    this.sources.push(source);
    return source;
  }

  answer(end?: "fails" | "suspends"): CallCore<"model"> {
    return async (invocation) => invocation.respond({ stream: this.source(end) });
  }

  /** A layer that pipes this stage, and counts its settlements. */
  counted(stage: Stage<Delta, unknown>): Plugin {
    return layer(async (invocation, callNext) => {
      await callNext();
      const statuses: string[] = [];
      invocation.pipe({
        ...stage,
        settle(settlement) {
          statuses.push(settlement.status);
          return stage.settle?.(settlement);
        },
      });
      this.piped.push(statuses);
    });
  }
}

export class Source implements AsyncIterable<Delta, Suspended | void> {
  closed = false;
  #given = 0;

  constructor(
    readonly world: World,
    readonly end: "fails" | "suspends" | undefined,
  ) {}

  [Symbol.asyncIterator](): AsyncIterator<Delta, Suspended | void> {
    const { pace } = this.world;
    const generator = this.#generate();
    const next = {
      sync: () => this.#step() as unknown as Promise<Step>,
      promise: async () => this.#step(),
      immediate: async () => {
        await immediate();
        return this.#step();
      },
      generator: () => generator.next(),
    };
    return {
      next: next[pace],
      return: async () => {
        this.closed = true;
        if (pace === "generator") await generator.return();
        return { done: true, value: undefined };
      },
    };
  }

  #step(): Step {
    const { chunks, at, theirs } = this.world;
    if (this.end !== undefined && this.#given >= Math.min(at, chunks)) {
      this.closed = true;
      if (this.end === "fails") throw theirs;
      return { done: true, value: { suspended: [] } };
    }
    if (this.#given >= chunks) {
      this.closed = true;
      return { done: true, value: undefined };
    }
    return { done: false, value: piece(`${this.#given++}`) };
  }

  async *#generate(): AsyncGenerator<Delta, Suspended | void> {
    for (;;) {
      const step = this.#step();
      if (step.done === true) return step.value;
      yield step.value;
    }
  }
}

/** One way for an answer to end. */
export interface Ending {
  readonly core?: (world: World) => CallCore<"model">;
  /** A layer that stands somewhere among those that are counted. */
  readonly disturbing?: (world: World) => Plugin;
  readonly act: (ask: () => Promise<Answer>, world: World) => Promise<unknown>;
  /** The ends that the answer that was given out may then have. */
  readonly may: readonly string[];
  /** Whoever acted need not be told of it: they left it, or did not read it at all. */
  readonly gentle?: boolean;
}

const consume = async (answer: Answer): Promise<void> => {
  for await (const _ of answer);
};
const read: Ending["act"] = async (ask) => consume(await ask());
const drain: Ending["act"] = async (ask) => (await ask()).final();
const readSome: Ending["act"] = async (ask, { at }) => {
  const iterator = (await ask())[Symbol.asyncIterator]();
  for (let chunk = 0; chunk < at; chunk++) await iterator.next();
};
const ignore: Ending["act"] = (ask) => ask();
const throwing = (make: (world: World, count: () => number) => Stage<Delta, unknown>) => (world: World) => {
  let count = 0;
  return staged(make(world, () => count++));
};
type Layer = (invocation: Invocation<"model">, callNext: () => Promise<void>, world: World) => Promise<void>;
const disturbing = (act: Layer) => (world: World) => layer((invocation, next) => act(invocation, next, world));

export const endings: Readonly<Record<string, Ending>> = {
  "read to its end": { act: read, may: ["completed"] },
  drained: { act: drain, may: ["completed"] },
  "left by its consumer": {
    async act(ask, { at }) {
      let chunks = 0;
      for await (const _ of await ask()) if (chunks++ === at) break;
    },
    may: ["cancelled", "completed"],
    gentle: true,
  },
  "read in part, and forgotten": { act: readSome, may: ["cancelled", "completed"], gentle: true },
  "not read": { act: ignore, may: ["cancelled"], gentle: true },
  "a plain value": {
    core: () => async (invocation) => invocation.respond({ value: { message: message("assistant", "a") } }),
    act: read,
    may: ["completed"],
  },
  "failing at its source": { core: (world) => world.answer("fails"), act: read, may: ["failed"] },
  "failing in a stage": {
    disturbing: throwing(({ at, theirs }, count) => ({
      chunk(delta, emit) {
        if (count() === at) throw theirs;
        emit(delta);
      },
    })),
    act: drain,
    may: ["failed", "completed"],
  },
  "failing in a stage that takes time": {
    disturbing: throwing(({ at, theirs }, count) => ({
      async chunk(delta, emit) {
        await immediate();
        if (count() === at) throw theirs;
        emit(delta);
      },
    })),
    act: read,
    may: ["failed", "completed"],
  },
  "failing in a flush": {
    disturbing: throwing(({ theirs }) => ({
      flush() {
        throw theirs;
      },
    })),
    act: read,
    may: ["failed"],
  },
  "failing round a pull": {
    disturbing: throwing(({ at, theirs }, count) => ({
      around(pull) {
        if (count() === at) throw theirs;
        return pull();
      },
    })),
    act: read,
    may: ["failed", "completed"],
  },
  suspending: {
    core: (world) => world.answer("suspends"),
    act: read,
    may: ["suspended"],
  },
  "a suspension": {
    core: () => async (invocation) => invocation.respond({ suspended: [] }),
    act: read,
    may: ["suspended"],
  },
  "aborted before the call": {
    async act(ask, { abort, left }) {
      abort.abort(left);
      await ask();
    },
    may: [],
  },
  "aborted while the core works": {
    core: (world) => async (invocation) => {
      world.abort.abort(world.left);
      await immediate();
      await world.answer()(invocation);
    },
    act: read,
    may: ["cancelled"],
  },
  "aborted while a layer works": {
    disturbing: disturbing(async (_invocation, callNext, { abort, left }) => {
      await callNext();
      abort.abort(left);
      await immediate();
    }),
    act: drain,
    may: ["cancelled"],
  },
  "aborted before it is read": {
    async act(ask, { abort, left }) {
      const answer = await ask();
      abort.abort(left);
      await consume(answer);
    },
    may: ["cancelled"],
  },
  "aborted between two pulls": {
    async act(ask, { at, abort, left }) {
      let chunks = 0;
      for await (const _ of await ask()) if (chunks++ === at) abort.abort(left);
    },
    may: ["cancelled", "completed"],
  },
  "aborted during a pull": {
    async act(ask, { abort, left }) {
      const answer = await ask();
      setImmediate(() => abort.abort(left));
      await consume(answer);
    },
    may: ["cancelled", "completed"],
  },
  "aborted after its end": {
    async act(ask, { abort, left }) {
      await (await ask()).final();
      abort.abort(left);
      await immediate();
    },
    may: ["completed"],
  },
  "given after its run has ended": {
    core: (world) => async (invocation) => {
      void world.run?.end(world.bye);
      await immediate();
      await world.answer()(invocation);
    },
    act: ignore,
    may: ["cancelled"],
    gentle: true,
  },
  "read while its run ends": {
    async act(ask, world) {
      const answer = await ask();
      setImmediate(() => void world.run?.end(world.bye));
      await consume(answer);
    },
    may: ["cancelled", "completed"],
  },
  "replaced by a value": {
    disturbing: disturbing(async (invocation, callNext) => {
      await callNext();
      invocation.respond({ value: { message: message("assistant", "b") } });
    }),
    act: read,
    may: ["completed"],
  },
  "replaced by a stream, not read": {
    disturbing: disturbing(async (invocation, callNext, world) => {
      await callNext();
      invocation.respond({ stream: world.source() });
    }),
    act: ignore,
    may: ["cancelled"],
    gentle: true,
  },
  "replaced by one that reads it": {
    disturbing: disturbing(async (invocation, callNext) => {
      await callNext();
      const { result } = invocation;
      if (result === undefined) return;
      invocation.respond({
        stream: (async function* () {
          return yield* result;
        })(),
      });
    }),
    act: read,
    may: ["completed"],
  },
  "replaced by one that would read it, and is not read": {
    disturbing: disturbing(async (invocation, callNext) => {
      await callNext();
      const { result } = invocation;
      if (result !== undefined) invocation.respond({ stream: result });
    }),
    act: readSome,
    may: ["cancelled", "completed"],
    gentle: true,
  },
  "tried again after it failed": {
    core(world) {
      let attempts = 0;
      return (invocation) => world.answer(attempts++ < 2 ? "fails" : undefined)(invocation);
    },
    disturbing: disturbing(async (invocation, callNext, { theirs }) => {
      for (let attempt = 0; attempt < 3; attempt++) {
        try {
          await callNext();
          return await invocation.result?.ready();
        } catch (error) {
          if (error !== theirs) throw error;
        }
      }
    }),
    act: read,
    may: ["completed", "failed"],
  },
  "tried again though it was good": {
    disturbing: disturbing(async (invocation, callNext, { at }) => {
      await callNext();
      if (at % 2 === 0) await invocation.result?.ready();
      await callNext();
    }),
    act: drain,
    may: ["completed"],
  },
  "tried again after it was read": {
    disturbing: disturbing(async (invocation, callNext) => {
      await callNext();
      await invocation.result?.final();
      await callNext();
    }),
    act: read,
    may: ["completed"],
  },
  "read by a layer": {
    disturbing: disturbing(async (invocation, callNext) => {
      await callNext();
      await invocation.result?.final();
    }),
    act: read,
    may: ["completed"],
  },
  "orphaned by a layer that throws": {
    disturbing: disturbing(async (_invocation, callNext, { theirs }) => {
      await callNext();
      throw theirs;
    }),
    act: read,
    may: [],
  },
  "never given, since the core throws": {
    core: (world) => async () => {
      throw world.theirs;
    },
    act: read,
    may: [],
  },
  "orphaned by a core that throws after it": {
    core: (world) => async (invocation) => {
      await world.answer()(invocation);
      throw world.theirs;
    },
    act: read,
    may: [],
  },
};
