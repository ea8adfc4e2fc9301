import { type Invocation, type ModelRequest, message, type Outcome, type RuntimeContext, textOf } from "@suite/core";
import type { CallCore, PluginStack } from "@suite/core/adapter";
import type { McpCall } from "@suite/core/contract";
import { type InRun, reasonOf, settlementOf } from "@suite/core/framework";
import { McpAdapterError } from "./errors.js";
import type { Method, MethodKind } from "./methods/method.js";
import type { Params } from "./protocol.js";
import { isInputRequired } from "./revision.js";

/** Passes a request on with these parameters and answers the invocation. */
type Forward = (invocation: Invocation<MethodKind>, params: Params) => Promise<void>;

/**
 * Sends a request through the layers as a call of its kind. A model call gets the system prompt of the plugins.
 *
 * @param mcp the message that carries a tool call.
 */
export async function callOf(
  method: Method,
  params: Params,
  stack: PluginStack,
  { run, call }: InRun,
  forward: Forward,
  mcp?: McpCall,
): Promise<Outcome<unknown, unknown>> {
  const neutral = method.request(params);
  const original = method.kind === "tool" && mcp !== undefined ? { ...neutral, mcp } : neutral;
  const request = "messages" in original ? await prompted(original, stack, run) : original;
  const core: CallCore<MethodKind> = (invocation) =>
    forward(invocation, invocation.request === original ? params : method.params(params, invocation.request));
  return stack.call(method.kind, run, request, core, call);
}

async function prompted(request: ModelRequest, stack: PluginStack, run: RuntimeContext): Promise<ModelRequest> {
  const [first, ...rest] = request.messages;
  const before = first?.role === "system" ? textOf(first) : undefined;
  const prompt = await stack.systemPrompt(before ?? "", run);
  if (prompt === (before ?? "")) return request;
  const messages = before === undefined ? request.messages : rest;
  return { ...request, messages: [message("system", prompt), ...messages] };
}

/** The maximum number of characters of a plugin's reason in an error. */
const longestReason = 500;

/**
 * Returns the result of a request after the layers.
 *
 * @param name the request's method in the protocol, for messages.
 * @param before the result of the other side, or `undefined` if it was not called.
 * @throws McpAdapterError `ERR_MCP_REQUEST_REFUSED` if a layer refused a request whose result cannot report a failure, with
 * the layer's reason.
 */
export async function resultOf(
  method: Method,
  name: string,
  before: unknown,
  outcome: Outcome<unknown, unknown>,
): Promise<unknown> {
  const final = await settled(outcome, before);
  if (final === before && isInputRequired(before)) return before;
  const result = method.result(before, final);
  if (outcome.isError !== true) return result;
  if (method.failed !== undefined) return method.failed(result);
  const reason = typeof final === "string" ? final.slice(0, longestReason) : "It answered with isError.";
  throw new McpAdapterError(
    "ERR_MCP_REQUEST_REFUSED",
    `A plugin refused ${name}. ${reason} To allow it, add ${name} to the plugin's list of allowed names: ` +
      "a tool policy treats it as the name of a tool.",
  );
}

/** Returns the final value, or a result that asks for input. Throws if there is neither. */
async function settled(outcome: Outcome<unknown, unknown>, before: unknown): Promise<unknown> {
  const settlement = await settlementOf(outcome);
  if (settlement.status === "completed") return settlement.final;
  if (settlement.status === "suspended" && isInputRequired(before)) return before;
  if (settlement.status !== "suspended") throw reasonOf(settlement);
  throw new McpAdapterError(
    "ERR_MCP_SUSPENDED",
    "A plugin suspended an MCP request, but MCP cannot answer a request later. Suspend in the agent that calls the tool.",
  );
}
