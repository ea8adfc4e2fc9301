import { type Message, message, type Tool, textOf } from "@suite/core";
import type { ModelSettings, ToolChoice } from "@suite/core/contract";
import { isRecord } from "@suite/kit";
import type { Params } from "../protocol.js";
import { blocksOf, partsOf } from "./blocks.js";
import type { Method } from "./method.js";

/** The method `sampling/createMessage`: a model call that the server requests from the client. */
export const sampling: Method<"model"> = {
  kind: "model",
  request(params) {
    const tools = list(params.tools).map(toTool);
    const toolChoice = toToolChoice(params.toolChoice);
    return {
      model: wantedModel(params),
      messages: [
        ...(typeof params.systemPrompt === "string" ? [message("system", params.systemPrompt)] : []),
        ...list(params.messages).map(toMessage),
      ],
      tools,
      settings: settingsOf(params),
      ...(toolChoice && { toolChoice }),
    };
  },
  params(before, { messages, tools, toolChoice, settings }) {
    const system = messages.filter(({ role }) => role === "system").map(textOf);
    const { systemPrompt: _, toolChoice: choice, ...rest } = before;
    return {
      ...rest,
      ...(system.length > 0 && { systemPrompt: system.join("\n\n") }),
      messages: messages.filter(({ role }) => role !== "system").map(fromMessage),
      ...((before.tools !== undefined || tools.length > 0) && {
        tools: tools.map((tool) => fromTool(tool, list(before.tools))),
      }),
      ...(toolChoice === toToolChoice(choice)
        ? choice !== undefined && { toolChoice: choice }
        : fromToolChoice(toolChoice)),
      ...(settings?.maxTokens !== undefined && { maxTokens: settings.maxTokens }),
      ...(settings?.temperature !== undefined && { temperature: settings.temperature }),
      ...(settings?.stopSequences !== undefined && { stopSequences: settings.stopSequences }),
    };
  },
  final(result) {
    const { content, model, stopReason } = isRecord(result) ? result : {};
    return {
      message: { role: "assistant", parts: partsOf(content), native: result },
      ...(typeof stopReason === "string" && { finishReason: finishReasons.get(stopReason) ?? stopReason }),
      ...(typeof model === "string" && { response: { model } }),
    };
  },
  result(before, { message: { parts, native }, finishReason, response }) {
    const known = isRecord(before) ? before : {};
    if (native !== undefined && native === before) return before;
    return {
      ...known,
      role: "assistant",
      model: response?.model ?? known.model ?? "unknown",
      content: oneOrList(blocksOf(parts), Array.isArray(known.content)),
      ...(finishReason !== undefined && { stopReason: stopReasons.get(finishReason) ?? finishReason }),
    };
  },
};

/** Maps, because the keys come from the other side and may be names of members of `Object.prototype`. */
const finishReasons: ReadonlyMap<string, string> = new Map([
  ["endTurn", "stop"],
  ["stopSequence", "stop"],
  ["maxTokens", "length"],
  ["toolUse", "tool_call"],
]);
const stopReasons: ReadonlyMap<string, string> = new Map([
  ["stop", "endTurn"],
  ["length", "maxTokens"],
  ["tool_call", "toolUse"],
]);

const list = (value: unknown): readonly Params[] => (Array.isArray(value) ? value.filter(isRecord) : []);

/** Returns the model that the server prefers. The client chooses the model later. */
function wantedModel({ modelPreferences }: Params): string {
  const [hint] = isRecord(modelPreferences) ? list(modelPreferences.hints) : [];
  return typeof hint?.name === "string" ? hint.name : "unspecified";
}

function settingsOf({ maxTokens, temperature, stopSequences }: Params): ModelSettings {
  return {
    ...(typeof maxTokens === "number" && { maxTokens }),
    ...(typeof temperature === "number" && { temperature }),
    ...(Array.isArray(stopSequences) && { stopSequences }),
  };
}

const toMessage = (native: Params): Message => ({
  role: native.role === "assistant" ? "assistant" : "user",
  parts: partsOf(native.content),
  native,
});

function fromMessage({ role, parts, native }: Message): Params {
  if (isRecord(native)) return native;
  return { role: role === "assistant" ? "assistant" : "user", content: oneOrList(blocksOf(parts), false) };
}

/** Returns a single block without a list, as the first protocol versions require. */
const oneOrList = (blocks: readonly Params[], asList: boolean): unknown =>
  blocks.length === 1 && !asList ? blocks[0] : blocks;

const toTool = ({ name, description, inputSchema }: Params): Tool => ({
  name: String(name),
  ...(typeof description === "string" && { description }),
  ...(isRecord(inputSchema) && { parameters: inputSchema }),
});

function fromTool({ name, description, parameters }: Tool, before: readonly Params[]): Params {
  const same = before.find((tool) => tool.name === name);
  return {
    inputSchema: { type: "object" },
    ...same,
    name,
    ...(description !== undefined && { description }),
    ...(parameters && { inputSchema: parameters }),
  };
}

function toToolChoice(choice: unknown): ToolChoice | undefined {
  const mode = isRecord(choice) ? choice.mode : undefined;
  return mode === "auto" || mode === "none" || mode === "required" ? mode : undefined;
}

/** Converts a tool choice. MCP can require a tool call, but not a particular tool. */
const fromToolChoice = (choice: ToolChoice | undefined): Params =>
  choice === undefined ? {} : { toolChoice: { mode: typeof choice === "string" ? choice : "required" } };
