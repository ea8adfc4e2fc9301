import type { FrameworkRuns } from "@suite/core/framework";
import { embedThrough } from "../embedding/embed.js";
import type { EmbedSettings, Settings } from "../framework.js";
import { layeredModel } from "../model/layered.js";
import { resolveModel } from "../model/resolve.js";
import { warnOfTelemetry } from "../own-telemetry.js";
import { generateDirect, isDirect, streamDirect } from "../run/direct.js";
import { generateTurn } from "../run/generate.js";
import { preparedSettings } from "../run/prepare.js";
import { type SingleRound, singleRound } from "../run/single-round.js";
import type { Result } from "../run/steps.js";
import { streamTurn } from "../run/stream.js";
import type { Verdict } from "../run/verdict.js";
import { Turn } from "../turn/turn.js";
import { type AgentLike, agentSettings, fullStreamOf, infoOf, methodsOfWrapped } from "./agent.js";

/** The functions and classes of the module `ai` that are replaced. */
export interface Ai {
  generateText(settings: Settings): Promise<Result>;
  streamText(settings: Settings): object;
  generateObject?(settings: Settings): Promise<object>;
  streamObject?(settings: Settings): { readonly object: Promise<unknown> };
  embed?(settings: EmbedSettings): Promise<object>;
  embedMany?(settings: EmbedSettings): Promise<object>;
  readonly ToolLoopAgent?: AgentClass;
  readonly Experimental_Agent?: AgentClass;
}

type AgentClass = new (settings: Settings) => AgentLike;

/** Returns the module with layers around all calls of models and tools. Other exports are unchanged. */
export function attachToModule<T extends Ai>(ai: T, runs: FrameworkRuns): T {
  const generate = (settings: Settings): Promise<Result> => {
    try {
      const turn = new Turn(runs, settings, infoOf(settings), false);
      const prepared = preparedSettings(turn, settings);
      return generateTurn(turn, () => ai.generateText(prepared));
    } catch (error) {
      return Promise.reject(error);
    }
  };
  const stream = (settings: Settings): object => {
    const turn = new Turn(runs, settings, infoOf(settings), true);
    const prepared = preparedSettings(turn, settings);
    const transforms = [settings.experimental_transform ?? []].flat();
    const streamed = streamTurn(turn, async () => fullStreamOf(ai.streamText(prepared)));
    try {
      return streamed.watch(
        ai.streamText({ ...prepared, experimental_transform: [...transforms, streamed.transform] }),
      );
    } catch (error) {
      void streamed.abandon(error);
      throw error;
    }
  };
  const replaced: Partial<Record<keyof Ai, unknown>> = {
    generateText(settings: Settings) {
      warnOfTelemetry(settings);
      const direct = { runs, settings, agent: infoOf(settings) };
      if (isDirect(runs.stack, settings))
        return generateDirect(direct, (prepare) => ai.generateText(prepare(settings)));
      return generate(settings);
    },
    streamText(settings: Settings) {
      warnOfTelemetry(settings);
      const direct = { runs, settings, agent: infoOf(settings) };
      if (isDirect(runs.stack, settings)) return streamDirect(direct, (prepare) => ai.streamText(prepare(settings)));
      return stream(settings);
    },
  };
  const { generateObject, streamObject } = ai;
  const objectCalls = (settings: Settings, verdict: Verdict): SingleRound => {
    warnOfTelemetry(settings);
    return singleRound(runs, { signal: settings.abortSignal, agent: infoOf(settings) }, verdict);
  };
  if (generateObject !== undefined) {
    replaced.generateObject = (settings: Settings) => {
      const calls = objectCalls(settings, () => result);
      const model = layeredModel(resolveModel(settings.model), calls);
      const result = generateObject({ ...settings, model });
      return calls.ending(result);
    };
  }
  if (streamObject !== undefined) {
    replaced.streamObject = (settings: Settings) => {
      const calls = objectCalls(settings, () => result.object);
      const model = layeredModel(resolveModel(settings.model), calls);
      const result = streamObject({ ...settings, model });
      return result;
    };
  }
  for (const name of ["embed", "embedMany"] as const) {
    const inner = ai[name];
    if (inner === undefined || !runs.stack.has.embedding) continue;
    replaced[name] = (settings: EmbedSettings) => {
      warnOfTelemetry(settings);
      return embedThrough(runs, settings, infoOf(settings), inner);
    };
  }
  for (const name of ["ToolLoopAgent", "Experimental_Agent"] as const) {
    const Inner = ai[name];
    if (Inner !== undefined) replaced[name] = agentClass(Inner, runs);
  }
  return { ...ai, ...replaced };
}

/** Creates a subclass of the framework's class, so that `instanceof` holds for both. */
function agentClass(Inner: AgentClass, runs: FrameworkRuns): AgentClass {
  return class ToolLoopAgent extends Inner {
    readonly #methods: ReturnType<typeof methodsOfWrapped>;

    constructor(settings: Settings) {
      super(agentSettings(settings));
      const inner: AgentLike = {
        settings: this.settings,
        generate: (call) => super.generate(call),
        stream: (call) => super.stream(call),
      };
      this.#methods = methodsOfWrapped(this, inner, runs);
    }
    override generate(call: Readonly<Record<string, unknown>>): PromiseLike<Result> {
      return this.#methods.generate(call);
    }
    override stream(call: Readonly<Record<string, unknown>>): PromiseLike<object> {
      return this.#methods.stream(call);
    }
  };
}
