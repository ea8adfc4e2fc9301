import type { AgentInfo } from "@suite/core/contract";
import { FrameworkRuns } from "@suite/core/framework";
import { isRecord } from "@suite/kit";
import { AiSdkError } from "../errors.js";
import type { Settings } from "../framework.js";
import { warnOfTelemetry } from "../own-telemetry.js";
import type { UserPart } from "../run/agent-parts.js";
import { generateDirect, isDirect, isPromise, streamDirect } from "../run/direct.js";
import { generateTurn } from "../run/generate.js";
import { type Prepare, preparedSettings } from "../run/prepare.js";
import type { Result } from "../run/steps.js";
import { streamTurn } from "../run/stream.js";
import { Turn } from "../turn/turn.js";

/** The settings of a `ToolLoopAgent`. */
type AgentSettings = Settings & {
  readonly id?: string;
  prepareCall?(call: Settings): unknown;
  readonly [preparesCalls]?: boolean;
};

/** The settings of one call of an agent. */
type Call = Readonly<Record<string, unknown>>;

/** The members of an agent that are used here. */
export interface AgentLike {
  readonly settings: AgentSettings;
  generate(call: Call): PromiseLike<Result>;
  stream(call: Call): PromiseLike<object>;
}

/** The key under which a call carries its `Prepare` function through the agent to `prepareCall`. */
const prepareKey: unique symbol = Symbol("prepare");

/** Marks settings with a user-defined `prepareCall`. The tools of a call are unknown before the call then. */
const preparesCalls: unique symbol = Symbol("prepares calls");

export const isAgent = (target: object): target is AgentLike =>
  "version" in target && target.version === "agent-v1" && "settings" in target && isRecord(target.settings);

/** Returns the agent's settings with a `prepareCall` that prepares each call for its turn. */
export const agentSettings = (settings: AgentSettings): AgentSettings => ({
  ...settings,
  [preparesCalls]: settings.prepareCall !== undefined,
  prepareCall(call: Settings & { readonly [prepareKey]?: Prepare }) {
    const { [prepareKey]: prepare, ...rest } = call;
    const prepared = settings.prepareCall?.(rest) ?? rest;
    if (prepare === undefined) return prepared;
    return isPromise(prepared)
      ? prepared.then((changed) => prepare((changed ?? rest) as Settings))
      : prepare(prepared as Settings);
  },
});

/** Creates the methods `generate` and `stream` of an agent. Each call is a run. */
export function agentMethods(runs: FrameworkRuns, inner: AgentLike) {
  const settingsOf = (call: Call): Settings => {
    warnOfTelemetry(inner.settings);
    const { experimental_toolApprovalSecret: secret, tools, output, toolApproval, model } = inner.settings;
    const defaults = { model, tools, output, toolApproval, experimental_toolApprovalSecret: secret };
    return { ...defaults, ...call } as Settings;
  };
  const agent = infoOf(inner.settings);
  return {
    async generate(call: Call): Promise<Result> {
      const settings = settingsOf(call);
      if (!inner.settings[preparesCalls] && isDirect(runs.stack, settings)) {
        return generateDirect({ runs, settings, agent }, (prepare) =>
          inner.generate({ ...call, [prepareKey]: prepare }),
        );
      }
      const turn = new Turn(runs, settings, agent, false);
      const prepare: Prepare = (prepared) => preparedSettings(turn, prepared);
      return generateTurn(turn, () => inner.generate({ ...call, [prepareKey]: prepare }));
    },
    async stream(call: Call): Promise<object> {
      const settings = settingsOf(call);
      if (!inner.settings[preparesCalls] && isDirect(runs.stack, settings)) {
        return streamDirect({ runs, settings, agent }, (prepare) => inner.stream({ ...call, [prepareKey]: prepare }));
      }
      const turn = new Turn(runs, settings, agent, true);
      const prepare: Prepare = (prepared) => preparedSettings(turn, prepared);
      const run = (transforms: readonly unknown[]): PromiseLike<object> =>
        inner.stream({ ...call, experimental_transform: transforms, [prepareKey]: prepare });
      const transforms = [call.experimental_transform ?? []].flat();
      const streamed = streamTurn(turn, async () => fullStreamOf(await run(transforms)));
      try {
        return streamed.watch(await run([...transforms, streamed.transform]));
      } catch (error) {
        await streamed.abandon(error);
        throw error;
      }
    },
  };
}

/** Returns the stream of all parts that a user can see. */
export function fullStreamOf(result: object): ReadableStream<UserPart> {
  const stream = "fullStream" in result ? result.fullStream : undefined;
  if (stream instanceof ReadableStream) return stream;
  throw new AiSdkError(
    "ERR_AI_SDK_UNSUPPORTED",
    "A plugin called callNext() twice for an agent that does not stream, which the AI SDK cannot do.",
  );
}

export function infoOf(
  settings: Pick<AgentSettings, "id" | "telemetry" | "experimental_telemetry">,
): AgentInfo | undefined {
  const name = settings.id ?? (settings.telemetry ?? settings.experimental_telemetry)?.functionId;
  return name === undefined ? undefined : { name, ...(settings.id !== undefined && { id: settings.id }) };
}

/** The inner agents without layers, by the agent of a wrapped class. */
const wrappedAgents = new WeakMap<object, { readonly inner: AgentLike; readonly runs: FrameworkRuns }>();

/** Creates the methods `generate` and `stream` for an agent of a wrapped class. */
export function methodsOfWrapped(
  agent: object,
  inner: AgentLike,
  runs: FrameworkRuns,
): ReturnType<typeof agentMethods> {
  wrappedAgents.set(agent, { inner, runs });
  return agentMethods(runs, inner);
}

const joinedRuns = (known: FrameworkRuns, { stack }: FrameworkRuns): FrameworkRuns =>
  new FrameworkRuns(known.stack.append(stack.plugins, stack.identify));

/**
 * Returns the agent with layers around each of its calls. Existing layers of the agent are kept. Other properties are
 * those of the agent.
 */
export function attachToAgent<T extends AgentLike>(agent: T, runs: FrameworkRuns): T {
  const known = wrappedAgents.get(agent);
  const inner: AgentLike = known?.inner ?? Object.create(agent, { settings: { value: agentSettings(agent.settings) } });
  const joined = known === undefined ? runs : joinedRuns(known.runs, runs);
  const { generate, stream } = agentMethods(joined, inner);
  return Object.create(agent, {
    settings: { value: inner.settings },
    generate: { value: generate },
    stream: { value: stream },
  });
}
