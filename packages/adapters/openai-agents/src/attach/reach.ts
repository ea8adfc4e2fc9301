import type { FrameworkRuns } from "@suite/core/framework";
import type {
  AgentLike,
  AnyState,
  Invoke,
  Run,
  RunnerLike,
  RunOptions,
  SdkModel,
  SdkProvider,
  SdkTool,
} from "../framework.js";
import { isModel } from "../framework.js";
import { askStream, askWhole } from "../model/ask.js";
import { nameModel } from "../model/name.js";
import { callTool } from "../tool/call.js";
import { noteFailure } from "../tool/failure.js";
import { offeredTools } from "../tool/offered.js";
import { hasEntered } from "./entered.js";
import { here } from "./here.js";
import { standIn } from "./stand-in.js";
import { knowAs } from "./tool-tables.js";

/** Puts the plugins of whatever run the code is in before everything that this agent, and those after it, will use. */
export function reachAgent(agent: AgentLike): void {
  for (const holder of holdersOf(agent, "getAllTools")) standIn(holder, "getAllTools", reachingTools);
  for (const holder of holdersOf(agent, "getEnabledHandoffs")) standIn(holder, "getEnabledHandoffs", reachingAgents);
}

const reachingTools = (original: AgentLike["getAllTools"]) =>
  async function (this: AgentLike, ...given: unknown[]) {
    const tools = await original.apply(this, given);
    const at = here();
    if (at === undefined) return tools;
    reachModel(this.model);
    const names = new Set(tools.map(({ name }) => name));
    const all = [...tools, ...(await offeredTools(at, names))];
    for (const tool of all) if (tool.type === "function") reachTool(tool);
    return all;
  };

/** An agent that is handed over to may be of a class of its own. */
const reachingAgents = (original: AgentLike["getEnabledHandoffs"]) =>
  async function (this: AgentLike, ...given: unknown[]) {
    const handoffs = await original.apply(this, given);
    if (here() !== undefined) for (const { agent } of handoffs) reachAgent(agent);
    return handoffs;
  };

/** The function that takes a run through the layers. */
export type RunThrough = (
  runs: FrameworkRuns,
  runner: RunnerLike,
  original: Run,
  agent: AgentLike,
  input: unknown,
  options?: RunOptions,
) => ReturnType<Run>;

/** The runs of a runner that a wrapped module has made. */
export const runsOf = new WeakMap<object, FrameworkRuns>();

/** A runner of a wrapped module runs with its plugins; one that is made inside of a run, as `asTool()` does, within it. */
export function reachRunners(runner: object, runThrough: RunThrough): void {
  const prototype = holdersOf(runner, "run").at(-1);
  if (prototype === undefined) return;
  standIn(
    prototype,
    "run",
    (original: Run) =>
      async function (this: RunnerLike, ...given) {
        const at = here();
        if (at !== undefined && hasEntered(at.call, this, given[0])) return original.apply(this, given);
        const runs = runsOf.get(this);
        if (runs !== undefined) return runThrough(runs, this, original, ...given);
        if (at === undefined) return original.apply(this, given);
        try {
          return await runThrough(at.runs, this, original, ...given);
        } catch (error) {
          noteFailure({ error });
          throw error;
        }
      },
  );
}

/** Tools that a state waits for were looked up when it was read, maybe outside of any run. */
export function reachPendingTools(state: AnyState): void {
  for (const { tool } of state._lastProcessedResponse?.functions ?? []) reachTool(tool);
}

function reachTool(tool: SdkTool): void {
  standIn(tool, "invoke", (original: Invoke) =>
    knowAs(original, (...given) => {
      const at = here();
      return at === undefined ? original.apply(tool, given) : callTool(at, tool, original, given);
    }),
  );
}

export function reachProvider(provider: SdkProvider | undefined): void {
  if (provider === undefined) return;
  standIn(provider, "getModel", (original: SdkProvider["getModel"]) => async (name) => {
    const model = await original.call(provider, name);
    if (here() !== undefined) {
      nameModel(model, name);
      reachModel(model);
    }
    return model;
  });
}

/** A model that asks another one is asked itself: what it asks is a part of that. */
export function reachModel(model: unknown): void {
  if (!isModel(model)) return;
  standIn(model, "getResponse", (original: SdkModel["getResponse"]) => (request) => {
    const at = here();
    return at === undefined || at.call.kind === "model"
      ? original.call(model, request)
      : askWhole(at, model, request, (asked) => original.call(model, asked));
  });
  standIn(model, "getStreamedResponse", (original: SdkModel["getStreamedResponse"]) => (request) => {
    const at = here();
    return at === undefined || at.call.kind === "model"
      ? original.call(model, request)
      : askStream(at, model, request, (asked) => original.call(model, asked));
  });
}

/** The objects in the chain of prototypes that have a method themselves: that of the SDK's own class is the last. */
function holdersOf(start: object, method: string): readonly object[] {
  const found: object[] = [];
  for (let at: object | null = start; at !== null; at = Object.getPrototypeOf(at)) {
    if (Object.hasOwn(at, method)) found.push(at);
  }
  return found;
}
