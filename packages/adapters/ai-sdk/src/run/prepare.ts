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

/** Changes the settings of a call for its turn. */
export type Prepare = <S extends Settings>(settings: S) => S;

/** Returns the settings of a call with wrapped models, tools and functions. */
export function preparedSettings<S extends Settings>(turn: Turn, settings: S): S {
  /** The unwrapped tools, which determine if a call may wait. */
  const known: ToolSet = { ...settings.tools };
  const offers = turn.stack.plugins.some((plugin) => plugin.tools !== undefined);
  let active = settings.activeTools;
  const tools: ToolSet = wrapTools(known, turn, () => active);
  const calls = modelCallsOf(turn, new ToolHandoff(turn, known));
  const wrapped = (model: LanguageModel): LanguageModel => layeredModel(resolveModel(model), calls);
  const userPrepareStep = settings.prepareStep ?? settings.experimental_prepareStep;
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
      // The framework reads the tools of a step when the step starts.
      for (const [name, tool] of Object.entries(await pluginTools(turn))) {
        if (Object.hasOwn(known, name)) continue;
        known[name] = tool;
        Object.assign(tools, wrapTools({ [name]: tool }, turn));
      }
    }
    const step = userPrepareStep === undefined ? undefined : await userPrepareStep({ ...options, messages });
    active = step?.activeTools ?? settings.activeTools;
    return {
      ...(messages !== options.messages && { messages }),
      ...step,
      ...(step?.model !== undefined && { model: wrapped(step.model) }),
    };
  };
  const prepareStep: Settings["prepareStep"] = (options) => {
    if (turn.isOpen === undefined || offers || userPrepareStep !== undefined) return waited(options);
    // Nothing to await, so the step needs no promise.
    const messages = begun(turn.isOpen, options);
    return messages === options.messages ? undefined : { messages };
  };
  return {
    ...settings,
    model: wrapped(settings.model),
    ...((settings.tools !== undefined || offers) && { tools }),
    ...(settings.toolApproval !== undefined && { toolApproval: wrapToolApproval(settings, known, turn) }),
    prepareStep,
    // Text that has been passed on cannot be retracted.
    ...(settings.streamRetries !== undefined && { streamRetries: undefined }),
  };
}

/** Returns the messages of a step. The messages of the history are replaced by those of the agent layers. */
function asChanged(turn: Turn, changed: readonly Message[], now: readonly ModelMessage[]): readonly ModelMessage[] {
  const { history } = turn;
  if (changed === history.messages) return now;
  const begun = history.originals.length;
  return [...(fromMessages(history, changed) as readonly ModelMessage[]), ...now.slice(begun)];
}
