import { type Message, type ModelRequest, message, type Part, type RuntimeContext, textOf } from "@suite/core";
import type { PluginStack } from "@suite/core/adapter";
import type { Role } from "@suite/core/messages";
import { isJson, type Json, objectsOf, stringOf } from "../json.js";
import type { Field } from "./fields.js";
import type { Outgoing, Remember, RequestFormat } from "./format.js";

/** The fields of a request that only the address contains. */
export type Addressed = Required<Pick<ModelRequest, "provider">> & Pick<ModelRequest, "server">;

/** The model, if the address contains it, and whether the answer streams. */
export interface Routed {
  readonly model: string | undefined;
  readonly stream: boolean;
}

/** The body of a request as the layers see it. */
export interface RequestView {
  readonly request: ModelRequest;
  /** Returns the body for the request of the layers: the same object if nothing has changed, else a changed copy. */
  write(changed: ModelRequest): Json;
}

/** Reads the body of a request. Fields other than messages, tools, choice and schema are settings. */
export function viewOf(format: RequestFormat, body: Json, address: Addressed, routed: Routed): RequestView {
  const origins = new WeakMap<object, Json>();
  const remember: Remember = (neutral, wire) => {
    origins.set(neutral, wire);
    return neutral;
  };
  const turns = turnsIn(body[format.turns]);
  const system = systemIn(format, body);
  const head = system && remember({ ...format.message(system, remember), role: "system" as const }, system);
  const messages = [
    ...(head === undefined || head.parts.length === 0 ? [] : [head]),
    ...turns.map((turn) => remember(format.message(turn, remember), turn)),
  ];
  const tools = format.tools.read(body);
  const toolChoice = format.toolChoice.read(body);
  const outputSchema = format.outputSchema.read(body);
  const settings = format.settings.read(body);
  // In an object literal, fields after a spread create another hidden class for each object in Node 20.
  const request: ModelRequest = {
    provider: address.provider,
    model: routed.model ?? stringOf(body.model),
    messages,
    tools,
    settings,
    stream: routed.stream,
    ...(address.server !== undefined && { server: address.server }),
    ...(toolChoice !== undefined && { toolChoice }),
    ...(outputSchema !== undefined && { outputSchema }),
  };
  return {
    request,
    write(changed) {
      const changes: Record<string, unknown> = {
        ...(changed.model !== request.model && routed.model === undefined && { model: changed.model }),
        ...(!same(changed.messages, messages) &&
          changedMessages(format, outgoing(changed.messages, messages, origins), turns, body)),
      };
      const change = <T>({ write }: Field<T>, value: T, before: T): void => {
        if (value !== before) Object.assign(changes, write(value, { ...body, ...changes }, before));
      };
      change(format.tools, changed.tools, tools);
      change(format.toolChoice, changed.toolChoice, toolChoice);
      change(format.settings, changed.settings ?? {}, settings);
      change(format.outputSchema, changed.outputSchema, outputSchema);
      return Object.keys(changes).length === 0 ? body : { ...body, ...changes };
    },
  };
}

const turnsIn = (value: unknown): readonly Json[] =>
  (Array.isArray(value) ? value : [value]).flatMap((turn: unknown): readonly Json[] | Json =>
    typeof turn === "string" ? { role: "user", content: turn } : isJson(turn) ? turn : [],
  );

/** Returns the system prompt next to the turns, as a turn. */
function systemIn({ system }: RequestFormat, body: Json): Json | undefined {
  const value = system?.fields.map((field) => body[field]).find(Boolean);
  return value === undefined ? undefined : system?.read(value);
}

/**
 * Returns the changed fields. Leading system messages that are not turns of the request are written to the field of the
 * system prompt.
 */
function changedMessages(
  format: RequestFormat,
  changed: readonly Outgoing[],
  turns: readonly Json[],
  body: Json,
): Json {
  const { system, turns: field } = format;
  const isTurn = (turn: Json | undefined): boolean => turn !== undefined && turns.includes(turn);
  const first = changed.findIndex(({ message, same, before }) => message.role !== "system" || isTurn(same ?? before));
  const end = system === undefined ? 0 : first < 0 ? changed.length : first;
  const written = (messages: readonly Outgoing[]): Json[] =>
    messages.flatMap((each) => each.same ?? objectsOf(format.write(each)));
  const rest = written(changed.slice(end));
  const changes = { [field]: format.writeTurns?.(rest, body[field]) ?? rest };
  const isSame = end === 1 && changed[0]?.same !== undefined;
  if (system === undefined || isSame) return changes;
  const names = Object.fromEntries(system.fields.map((name) => [name, undefined]));
  return { ...changes, ...names, ...(end > 0 && { [system.fields[0]]: system.write(written(changed.slice(0, end))) }) };
}

/** The role of a message whose role is the user's: tools answer as the user. */
export const roleOfUser = (parts: readonly Part[]): Role =>
  parts.length > 0 && parts.every(({ type }) => type === "tool_call_response") ? "tool" : "user";

const same = (after: readonly unknown[], before: readonly unknown[]): boolean =>
  after.length === before.length && after.every((one, index) => one === before[index]);

function outgoing(
  after: readonly Message[],
  before: readonly Message[],
  origins: WeakMap<object, Json>,
): readonly Outgoing[] {
  const origin = (part: Part): unknown => origins.get(part);
  const sameLength = after.length === before.length;
  return after.map((message, index) => {
    const other = sameLength ? before[index] : undefined;
    return {
      message,
      same: origins.get(message),
      before: other?.role === message.role ? origins.get(other) : undefined,
      origin,
    };
  });
}

/**
 * Returns the request with the system prompt of the plugins. If they change it, the leading system messages become one.
 * Returns a promise only if a plugin has a hook for it.
 */
export function withSystemPrompt(
  stack: PluginStack,
  request: ModelRequest,
  runtime: RuntimeContext,
): ModelRequest | Promise<ModelRequest> {
  const makes = stack.plugins.some((plugin) => plugin.systemPrompt !== undefined);
  return makes ? prompted(stack, request, runtime) : request;
}

async function prompted(stack: PluginStack, request: ModelRequest, runtime: RuntimeContext): Promise<ModelRequest> {
  const end = request.messages.findIndex(({ role }) => role !== "system");
  const head = end < 0 ? request.messages : request.messages.slice(0, end);
  const prompt = head.map(textOf).join("\n\n");
  const changedPrompt = await stack.systemPrompt(prompt, runtime);
  if (changedPrompt === prompt) return request;
  const rest = request.messages.slice(head.length);
  return { ...request, messages: changedPrompt === "" ? rest : [message("system", changedPrompt), ...rest] };
}
