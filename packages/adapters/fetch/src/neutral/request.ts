import {
  type Message,
  type ModelRequest,
  type ModelSettings,
  message,
  type Part,
  type Role,
  type RuntimeContext,
  type Tool,
  type ToolChoice,
  textOf,
} from "@suite/core";
import type { PluginStack } from "@suite/core/adapter";
import { isJson, type Json, jsonOf, objectsOf, stringOf } from "../json.js";
import type { Outgoing, Remember, RequestFormat } from "./format.js";
import { choiceOf, toolOf, writeChoice, writeTool } from "./tools.js";

/** The fields of a request that only the address tells. */
export type Addressed = Required<Pick<ModelRequest, "provider">> & Pick<ModelRequest, "server">;

/** The model that the address names where the body does not, and whether the answer streams. */
export interface Routed {
  readonly model: string | undefined;
  readonly stream: boolean;
}

/** The body of a request as the layers see it, and the way back. */
export interface RequestView {
  readonly request: ModelRequest;
  /** The body of what the layers ask: the same object where nothing changed, else a copy with what did. */
  write(asked: ModelRequest): Json;
}

/** Reads the body of a request. What it holds beside messages, tools and schema is in the settings. */
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
  const tools = (format.toolsIn?.(body) ?? objectsOf(body.tools)).map((wire) => {
    const tool = toolOf(wire, format.tool);
    origins.set(tool, wire);
    return tool;
  });
  const toolChoice = format.choiceIn === undefined ? choiceOf(body.tool_choice) : format.choiceIn(body);
  const outputSchema = format.outputSchema(body);
  const settings = settingsOf(format, body);
  // A literal that goes on behind a spread would have another hidden class in each call, in Node 20.
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
    write(asked) {
      const changes: Record<string, unknown> = {
        ...(asked.model !== request.model && routed.model === undefined && { model: asked.model }),
        ...(!same(asked.messages, messages) &&
          changedMessages(format, outgoing(asked.messages, messages, origins), turns, body)),
        ...(!same(asked.tools, tools) && { tools: writeTools(format, asked.tools, tools, origins) }),
        ...(asked.toolChoice !== toolChoice && choiceChange(format, asked.toolChoice, body)),
        ...(asked.settings !== settings &&
          settingsChange(format, changedSettings(format, asked.settings ?? {}, settings), body)),
      };
      if (asked.outputSchema !== outputSchema) {
        Object.assign(changes, format.writeOutputSchema(asked.outputSchema, { ...body, ...changes }));
      }
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

/** Returns the changed fields. System messages that lead and are no turns of the request stand next to the turns. */
function changedMessages(format: RequestFormat, asked: readonly Outgoing[], turns: readonly Json[], body: Json): Json {
  const { system, turns: field } = format;
  const isTurn = (turn: Json | undefined): boolean => turn !== undefined && turns.includes(turn);
  const first = asked.findIndex(({ message, same, before }) => message.role !== "system" || isTurn(same ?? before));
  const end = system === undefined ? 0 : first < 0 ? asked.length : first;
  const written = (messages: readonly Outgoing[]): Json[] =>
    messages.flatMap((each) => each.same ?? objectsOf(format.write(each)));
  const rest = written(asked.slice(end));
  const changes = { [field]: format.writeTurns?.(rest, body[field]) ?? rest };
  const isSame = end === 1 && asked[0]?.same !== undefined;
  if (system === undefined || isSame) return changes;
  const names = Object.fromEntries(system.fields.map((name) => [name, undefined]));
  return { ...changes, ...names, ...(end > 0 && { [system.fields[0]]: system.write(written(asked.slice(0, end))) }) };
}

/** The role of a message whose role is the user's: tools answer as the user. */
export const roleOfUser = (parts: readonly Part[]): Role =>
  parts.length > 0 && parts.every(({ type }) => type === "tool_call_response") ? "tool" : "user";

const same = (asked: readonly unknown[], before: readonly unknown[]): boolean =>
  asked.length === before.length && asked.every((one, index) => one === before[index]);

function outgoing(
  asked: readonly Message[],
  before: readonly Message[],
  origins: WeakMap<object, Json>,
): readonly Outgoing[] {
  const origin = (part: Part): unknown => origins.get(part);
  const inPlace = asked.length === before.length;
  return asked.map((message, index) => {
    const other = inPlace ? before[index] : undefined;
    return {
      message,
      same: origins.get(message),
      before: other?.role === message.role ? origins.get(other) : undefined,
      origin,
    };
  });
}

function writeTools(
  { tool: place, writeTools: write }: RequestFormat,
  asked: readonly Tool[],
  before: readonly Tool[],
  origins: WeakMap<object, Json>,
): unknown {
  if (asked.length === 0) return undefined;
  const wires = asked.map((tool) => {
    const same = origins.get(tool);
    if (same !== undefined) return same;
    const other = before.find(({ name }) => name === tool.name);
    return writeTool(tool, other && origins.get(other), place);
  });
  return write === undefined ? wires : write(wires);
}

const choiceChange = (format: RequestFormat, choice: ToolChoice | undefined, body: Json): Json =>
  format.writeChoice?.(choice, body) ?? { tool_choice: writeChoice(choice, format.tool) };

const settingsChange = (format: RequestFormat, changes: Json, body: Json): Json =>
  format.writeSettings?.(changes, body) ?? changes;

/** The neutral names of each format's settings. */
const neutralNames = new WeakMap<RequestFormat, ReadonlyMap<string, string>>();

function neutralNamesOf(format: RequestFormat): ReadonlyMap<string, string> {
  let names = neutralNames.get(format);
  if (names === undefined) {
    names = new Map(Object.entries(format.settings).map(([name, own]) => [own, name]));
    neutralNames.set(format, names);
  }
  return names;
}

function settingsOf(format: RequestFormat, body: Json): ModelSettings {
  const names = neutralNamesOf(format);
  const own = Object.entries(body).filter(([key]) => !format.fields.has(key));
  const all = format.settingsIn === undefined ? own : [...own, ...format.settingsIn(body)];
  return Object.fromEntries(all.map(([key, value]) => [names.get(key) ?? key, value]));
}

function changedSettings({ settings: names }: RequestFormat, asked: ModelSettings, before: ModelSettings): Json {
  const keys = new Set([...Object.keys(asked), ...Object.keys(before)]);
  const changed = [...keys].filter((key) => asked[key] !== before[key]);
  return Object.fromEntries(changed.map((key) => [names[key] ?? key, asked[key]]));
}

/** The system messages that stand first. */
export const leadingSystem = (messages: readonly Message[]): readonly Message[] => {
  const end = messages.findIndex(({ role }) => role !== "system");
  return end < 0 ? messages : messages.slice(0, end);
};

/** The schema under a field of a field, where it is one. */
export const schemaAt = (value: unknown, field: string): unknown => {
  const schema = jsonOf(value)[field];
  return isJson(schema) ? schema : undefined;
};

/**
 * The request with the system prompt as the plugins make it: the leading system messages as one, where they change it. A
 * promise where a plugin makes one.
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
  const head = leadingSystem(request.messages);
  const prompt = head.map(textOf).join("\n\n");
  const made = await stack.systemPrompt(prompt, runtime);
  if (made === prompt) return request;
  const rest = request.messages.slice(head.length);
  return { ...request, messages: made === "" ? rest : [message("system", made), ...rest] };
}
