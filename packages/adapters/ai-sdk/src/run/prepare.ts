import type { Message } from "@suite/core";
import type { LanguageModel, ModelMessage, ToolSet } from "ai";
import type { PreparedStep, Settings } from "../framework.js";
import { fromMessages } from "../messages/from-neutral.js";
import { layeredModel } from "../model/layered.js";
import { resolveModel } from "../model/resolve.js";
import { ToolHandoff } from "../tool/handoff.js";
import { wrapToolApproval } from "../tool/policy.js";
import { pluginTools, wrapTools } from "../tool/wrap.js";
import type { Opened, Turn } from "../turn/turn.js";
import { modelCallsOf } from "./model-calls.js";

/** A function that makes the settings of a call those of its turn. */
export type Prepare = <S extends Settings>(settings: S) => S;

/** The settings of a call with everything in them wrapped that the framework is going to call. */
export function preparedSettings<S extends Settings>(turn: Turn, settings: S): S {
  /** The tools as users wrote them, which tell whether a call may wait. */
  const known: ToolSet = { ...settings.tools };
  const offers = turn.stack.plugins.some((plugin) => plugin.tools !== undefined);
  let active = settings.activeTools;
  const tools: ToolSet = wrapTools(known, turn, () => active);
  const calls = modelCallsOf(turn, new ToolHandoff(turn, known));
  const wrapped = (model: LanguageModel): LanguageModel => layeredModel(resolveModel(model), calls);
  const ownStep = settings.prepareStep ?? settings.experimental_prepareStep;
  let offered = false;
  type StepOptions = Parameters<NonNullable<S["prepareStep"]>>[0];
  const begun = ({ request }: Opened, { messages }: StepOptions): readonly ModelMessage[] => {
    if (!turn.endsWithReply) turn.check();
    return request === undefined ? messages : asChanged(turn, request.messages, messages);
  };
  const waited = async (options: StepOptions): Promise<PreparedStep> => {
    const messages = begun(turn.isOpen ?? (await turn.opened), options);
    if (offers && !offered) {
      offered = true;
      // The framework looks at the tools of each step when it begins.
      for (const [name, tool] of Object.entries(await pluginTools(turn))) {
        if (Object.hasOwn(known, name)) continue;
        known[name] = tool;
        Object.assign(tools, wrapTools({ [name]: tool }, turn));
      }
    }
    const step = ownStep === undefined ? undefined : await ownStep({ ...options, messages });
    active = step?.activeTools ?? settings.activeTools;
    return {
      ...(messages !== options.messages && { messages }),
      ...step,
      ...(step?.model !== undefined && { model: wrapped(step.model) }),
    };
  };
  const prepareStep: Settings["prepareStep"] = (options) => {
    if (turn.isOpen === undefined || offers || ownStep !== undefined) return waited(options);
    // Nothing to wait for: a step costs no promise.
    const messages = begun(turn.isOpen, options);
    return messages === options.messages ? undefined : { messages };
  };
  return {
    ...settings,
    model: wrapped(settings.model),
    ...((settings.tools !== undefined || offers) && { tools }),
    ...(settings.toolApproval !== undefined && { toolApproval: wrapToolApproval(settings, known, turn) }),
    prepareStep,
    // What was let through cannot be taken back.
    ...(settings.streamRetries !== undefined && { streamRetries: undefined }),
  };
}

/** The messages of a step, of which those that the turn began with are as the agent layers left them. */
function asChanged(turn: Turn, changed: readonly Message[], now: readonly ModelMessage[]): readonly ModelMessage[] {
  const { history } = turn;
  if (changed === history.messages) return now;
  const begun = history.originals.length;
  return [...(fromMessages(history, changed) as readonly ModelMessage[]), ...now.slice(begun)];
}
