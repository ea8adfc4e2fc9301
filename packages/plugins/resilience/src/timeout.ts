import {
  type AnyInvocation,
  type CallId,
  type CallNext,
  definePlugin,
  onAbort,
  type Plugin,
  treeKey,
} from "@suite/core";
import { common, time } from "@suite/kit/options";
import { Clock } from "@suite/kit/time";
import { ResilienceError } from "./errors.js";
import { checkOptions, invalid, type ResilienceOptions } from "./options.js";

/** The options of `timeout`, in milliseconds. At least one limit is needed. */
export interface TimeoutOptions extends ResilienceOptions {
  /**
   * The limit of a model call, to the end of its answer. Time in which the consumer of a stream does not read does not
   * count.
   */
  readonly call?: number;
  /** The limit of a streamed model call, up to its first chunk. */
  readonly firstChunk?: number;
  /** The maximum wait for each further chunk, from the time the consumer requests it. */
  readonly betweenChunks?: number;
  /** The limit of a tool call. Time spent waiting for a person does not count. */
  readonly tool?: number;
}

/** The limits of one call. */
type Limits = Omit<TimeoutOptions, keyof ResilienceOptions>;
type Limit = keyof Limits;

/** The words for each limit in decisions and errors. */
const words: Readonly<Record<Limit, { readonly reported: string; readonly message: string }>> = {
  call: { reported: "call", message: "The model call took longer than" },
  firstChunk: { reported: "first_chunk", message: "The first chunk of the model's answer took longer than" },
  betweenChunks: { reported: "between_chunks", message: "The next chunk of the model's answer took longer than" },
  tool: { reported: "tool", message: "The tool may or may not have done its work: its call took longer than" },
};

/** The clocks of running tool calls. They are paused while a person is asked. */
type Clocks = Map<string, Clock>;

/**
 * Cancels a call that takes too long by its signal, and fails with `ERR_RESILIENCE_TIMEOUT`. The error names the
 * exceeded limit. The model receives the failure of a tool like any tool error.
 *
 * @throws {ResilienceError} `ERR_RESILIENCE_OPTION`
 * @example
 * ```ts
 * timeout({ call: 120_000, firstChunk: 15_000, betweenChunks: 10_000, tool: 30_000 });
 * ```
 */
export function timeout(options: TimeoutOptions): Plugin {
  const checks = { ...common, call: time, firstChunk: time, betweenChunks: time, tool: time };
  const { name = "timeout", mode = "enforce", ...limits } = checkOptions("timeout", options, checks);
  const { tool, ...ofModel } = limits;
  const limitsModel = Object.values(ofModel).some((each) => each !== undefined);
  if (!limitsModel && tool === undefined) throw invalid("timeout() needs a timeout for calls, chunks or tools.");
  const enforced = mode === "enforce";
  const clocksKey = treeKey<Clocks>(`${name}.clocks`, () => new Map());

  /** Reports that a limit is exceeded. Returns the error that ends the call, or `undefined` in monitor mode. */
  function decide(limit: Limit, milliseconds: number, { runtime, call, kind }: AnyInvocation): Error | undefined {
    const { reported, message } = words[limit];
    const details = { limit: reported, milliseconds };
    const decision = { type: "decision", plugin: name, decision: "timeout", enforced } as const;
    runtime.notify({ ...decision, call, place: kind, details });
    return enforced
      ? new ResilienceError("ERR_RESILIENCE_TIMEOUT", `${message} ${milliseconds} ms and was aborted.`)
      : undefined;
  }

  async function within(limits: Limits, invocation: AnyInvocation, callNext: CallNext, ended?: () => void) {
    const watch = new Watch(limits, (limit, milliseconds) => {
      const error = decide(limit, milliseconds, invocation);
      if (error !== undefined) watch.fail(error);
    });
    const off = onAbort(invocation.runtime.signal, () => watch.end());
    const end = (): void => {
      off();
      watch.end();
      ended?.();
    };
    if (limits.tool !== undefined) invocation.runtime.get(clocksKey).set(invocation.call.id, watch.total as Clock);
    let answered = false;
    try {
      await Promise.race([callNext(), watch.late(invocation)]);
      answered = invocation.result?.streaming === true;
    } finally {
      if (!answered) end();
    }
    if (answered) invocation.pipe(watch.stage(end));
  }

  return definePlugin({
    name,
    inSubAgents: true,
    givesUp: limitsModel,
    settings: { ...limits, mode },
    ...(limitsModel && {
      model(invocation, callNext) {
        const { firstChunk: _, ...others } = ofModel;
        return within(invocation.request.stream === true ? ofModel : others, invocation, callNext);
      },
    }),
    ...(tool !== undefined && {
      whereOffered: ["humanInput"],
      tool: (invocation, callNext) => {
        const clocks = invocation.runtime.get(clocksKey);
        return within({ tool }, invocation, callNext, () => clocks.delete(invocation.call.id));
      },
      async humanInput(invocation, callNext) {
        const clocks = clocksOf(invocation.call, invocation.runtime.get(clocksKey));
        for (const clock of clocks) clock.pause();
        try {
          await callNext();
        } finally {
          for (const clock of clocks) clock.resume();
        }
      },
    }),
  } satisfies Plugin);
}

/** Returns the clocks of the tool calls that contain this call. */
function clocksOf(call: CallId, clocks: Clocks): readonly Clock[] {
  const found: Clock[] = [];
  for (let at: CallId | undefined = call; at !== undefined; at = at.parent) {
    const clock = clocks.get(at.id);
    if (clock !== undefined) found.push(clock);
  }
  return found;
}

/** The clocks of one call. They run while its answer or a chunk is awaited. */
class Watch {
  /** The clock of the whole call. */
  readonly total: Clock | undefined;
  readonly #limits: Limits;
  readonly #over: (limit: Limit, milliseconds: number) => void;
  /** The clock of the next chunk. */
  #next: Clock | undefined;
  #ended = false;
  #fail: (error: Error) => void = () => {};

  constructor(limits: Limits, over: (limit: Limit, milliseconds: number) => void) {
    this.#limits = limits;
    this.#over = over;
    this.total = this.#clock(limits.tool === undefined ? "call" : "tool");
    this.#next = this.#clock("firstChunk");
  }

  /** Starts the clocks. Rejects and cancels the call when one expires. */
  late(invocation: AnyInvocation): Promise<never> {
    this.#start();
    return new Promise((_, reject) => {
      this.#fail = (error) => {
        reject(error);
        invocation.giveUp(error);
      };
    });
  }

  fail(error: Error): void {
    this.end();
    this.#fail(error);
  }

  /** Returns the stage of a streamed answer. The clocks are paused while the consumer does not read. */
  stage(end: () => void) {
    this.#stop();
    return {
      around: async <T>(pull: () => Promise<T>): Promise<T> => {
        this.#start();
        try {
          return await pull();
        } finally {
          this.#stop();
          this.#next?.end();
          this.#next = this.#clock("betweenChunks");
        }
      },
      settle: end,
    };
  }

  /** Stops all timers. */
  end(): void {
    this.#ended = true;
    this.total?.end();
    this.#next?.end();
  }

  #start(): void {
    if (this.#ended) return;
    this.total?.start();
    this.#next?.start();
  }

  #stop(): void {
    this.total?.stop();
    this.#next?.stop();
  }

  #clock(limit: Limit): Clock | undefined {
    const milliseconds = this.#limits[limit];
    return milliseconds === undefined ? undefined : new Clock(milliseconds, () => this.#over(limit, milliseconds));
  }
}
