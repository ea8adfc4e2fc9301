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
import { generateThroughLayers, streamThroughLayers } from "../model/ask.js";
import { nameModel } from "../model/name.js";
import { currentRun } from "../sdk/current-run.js";
import { hasEntered } from "../sdk/entered-runner.js";
import { standIn } from "../sdk/stand-in.js";
import { knowAs } from "../sdk/tool-tables.js";
import { needsApproval } from "../tool/admission.js";
import { callTool } from "../tool/call.js";
import { noteFailure } from "../tool/failure.js";
import { offeredTools } from "../tool/offered.js";

/** Patches an agent, and the agents of its handoffs. Their tools and models then use the plugins of the current run. */
export function patchAgent(agent: AgentLike): void {
  for (const holder of holdersOf(agent, "getAllTools")) standIn(holder, "getAllTools", patchedTools);
  for (const holder of holdersOf(agent, "getEnabledHandoffs")) standIn(holder, "getEnabledHandoffs", patchedHandoffs);
}

const patchedTools = (original: AgentLike["getAllTools"]) =>
  async function (this: AgentLike, ...args: unknown[]) {
    const tools = await original.apply(this, args);
    const at = currentRun();
    if (at === undefined) return tools;
    patchModel(this.model);
    const names = new Set(tools.map(({ name }) => name));
    const all = [...tools, ...(await offeredTools(at, names))];
    for (const tool of all) if (tool.type === "function") patchTool(tool);
    return all;
  };

/** Patches the agents of handoffs, which may be of another class. */
const patchedHandoffs = (original: AgentLike["getEnabledHandoffs"]) =>
  async function (this: AgentLike, ...args: unknown[]) {
    const handoffs = await original.apply(this, args);
    if (currentRun() !== undefined) for (const { agent } of handoffs) patchAgent(agent);
    return handoffs;
  };

/** The function that sends a run through the layers. */
export type RunThrough = (
  runs: FrameworkRuns,
  runner: RunnerLike,
  original: Run,
  agent: AgentLike,
  input: unknown,
  options?: RunOptions,
) => ReturnType<Run>;

/** The runs of runners that a wrapped module has created. */
export const runsOf = new WeakMap<object, FrameworkRuns>();

/**
 * Patches the class of runners. A runner of a wrapped module uses its plugins. A runner that is created inside a run,
 * as `asTool()` does, uses the plugins of that run.
 */
export function patchRunners(runner: object, runThrough: RunThrough): void {
  const prototype = holdersOf(runner, "run").at(-1);
  if (prototype === undefined) return;
  standIn(
    prototype,
    "run",
    (original: Run) =>
      async function (this: RunnerLike, ...args) {
        const at = currentRun();
        if (at !== undefined && hasEntered(at.call, this, args[0])) return original.apply(this, args);
        const runs = runsOf.get(this);
        if (runs !== undefined) return runThrough(runs, this, original, ...args);
        if (at === undefined) return original.apply(this, args);
        try {
          return await runThrough(at.runs, this, original, ...args);
        } catch (error) {
          noteFailure({ error });
          throw error;
        }
      },
  );
}

/**
 * Patches the tools that a state waits for. They were looked up when the state was read, possibly outside of any run.
 */
export function patchPendingTools(state: AnyState, { stack: { has } }: FrameworkRuns): void {
  for (const { tool } of state._lastProcessedResponse?.functions ?? []) patchTool(tool, has.approval);
}

/** Patches a tool: within a run, its calls pass through the `tool` layers. */
function patchTool(tool: SdkTool, guarded = currentRun()?.runs.stack.has.approval === true): void {
  // Without an approval plugin `needsApproval` is not replaced: for the SDK it matters whether it is a function.
  if (guarded) {
    standIn(tool, "needsApproval", (original: SdkTool["needsApproval"]) => (context, input, id) => {
      const at = currentRun();
      const defaultCheck = (): Promise<boolean> => original.call(tool, context, input, id);
      return at?.runs.stack.has.approval === true ? needsApproval(at, tool, defaultCheck, input, id) : defaultCheck();
    });
  }
  standIn(tool, "invoke", (original: Invoke) =>
    knowAs(original, (...args) => {
      const at = currentRun();
      return at === undefined ? original.apply(tool, args) : callTool(at, tool, original, args);
    }),
  );
}

/** Patches a provider: models that it returns within a run are patched. */
export function patchProvider(provider: SdkProvider | undefined): void {
  if (provider === undefined) return;
  standIn(provider, "getModel", (original: SdkProvider["getModel"]) => async (name) => {
    const model = await original.call(provider, name);
    if (currentRun() !== undefined) {
      nameModel(model, name);
      patchModel(model);
    }
    return model;
  });
}

/**
 * Patches a model: within a run, its calls pass through the `model` layers. A nested call of another model is part of
 * the outer call.
 */
export function patchModel(model: unknown): void {
  if (!isModel(model)) return;
  standIn(model, "getResponse", (original: SdkModel["getResponse"]) => (request) => {
    const at = currentRun();
    return at === undefined || at.call.kind === "model"
      ? original.call(model, request)
      : generateThroughLayers(at, model, request, (finalRequest) => original.call(model, finalRequest));
  });
  standIn(model, "getStreamedResponse", (original: SdkModel["getStreamedResponse"]) => (request) => {
    const at = currentRun();
    return at === undefined || at.call.kind === "model"
      ? original.call(model, request)
      : streamThroughLayers(at, model, request, (finalRequest) => original.call(model, finalRequest));
  });
}

/** Returns the objects in the prototype chain that define a method. The last one belongs to the SDK's class. */
function holdersOf(start: object, method: string): readonly object[] {
  const found: object[] = [];
  for (let at: object | null = start; at !== null; at = Object.getPrototypeOf(at)) {
    if (Object.hasOwn(at, method)) found.push(at);
  }
  return found;
}
