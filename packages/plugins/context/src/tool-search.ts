import { definePlugin, type ModelRequest, override, type Plugin, stateKey, type Tool, textOf } from "@suite/core";
import { isQuestion } from "@suite/core/messages";
import { common, count, isObject, listOf, name as text } from "@suite/core/options";
import { type ContextOptions, checkOptions } from "./options.js";
import { textsOf } from "./state.js";
import { middleOut } from "./text.js";
import { ToolIndexes } from "./tool-index.js";

/** The options of `toolSearch`. */
export interface ToolSearchOptions extends ContextOptions {
  /** The tools that one search finds at most. Where there are no more, all go. Default: 10. */
  readonly maxTools?: number;
  /** The names of tools that always go, beside those. */
  readonly alwaysInclude?: readonly string[];
  /** The name of the tool by which the model looks for more. Default: `search_tools`. */
  readonly toolName?: string;
}

/** Characters of a description in what a search answers. */
const mostOfDescription = 300;
/** Searches whose tools a run keeps: of more, the oldest are let go. */
const mostSearches = 8;

const parameters = {
  type: "object",
  properties: { query: { type: "string", description: "What the tool has to do, in a few words." } },
  required: ["query"],
  additionalProperties: false,
} as const;

/**
 * Lets those of many tools go to the model that fit the newest message of the user, found by a full-text index and not by a
 * model, with a tool by which the model looks for more: what it finds goes in the rounds that follow. In a framework where
 * plugins can offer no tools, all go where nothing was found.
 *
 * @throws {ContextError} `ERR_CONTEXT_OPTION`
 * @example
 * ```ts
 * createAgent({ tools: hundreds, plugins: [toolSearch({ maxTools: 8, alwaysInclude: ["find_order"] })], … });
 * ```
 */
export function toolSearch(options: ToolSearchOptions = {}): Plugin {
  const checks = { ...common, maxTools: count, alwaysInclude: listOf(text), toolName: text };
  options = checkOptions("toolSearch", options, checks);
  const {
    maxTools = 10,
    alwaysInclude = [],
    toolName = "search_tools",
    mode = "enforce",
    name = "tool-search",
  } = options;
  const enforced = mode === "enforce";
  const always = new Set([...alwaysInclude, toolName]);
  const indexes = new ToolIndexes();

  // The names that a run has found, by search, oldest first; undefined before the first.
  const foundKey = stateKey<readonly (readonly string[])[] | undefined>(`${name}.found`, () => undefined, {
    save: (found) => found ?? null,
    load: (stored) => (Array.isArray(stored) ? stored.map(textsOf) : undefined),
  });
  const toolsKey = stateKey<readonly Tool[]>(`${name}.tools`, () => []);

  const tool: Tool = {
    name: toolName,
    description: "Looks for tools by what they do. Those that it finds can be called from the next step on.",
    parameters,
    execute(input, runtime, call) {
      const query = isObject(input) && typeof input.query === "string" ? input.query : "";
      const tools = runtime.get(toolsKey);
      const names = indexes.find(tools, query, maxTools);
      runtime.set(foundKey, [...(runtime.get(foundKey) ?? []), names].slice(-mostSearches));
      const details = { found: names.length, of: tools.length };
      runtime.notify({ type: "decision", plugin: name, decision: "searched", enforced, call, details });
      if (names.length === 0) return "Nothing was found. Try other words.";
      const found = tools.filter((each) => names.includes(each.name));
      return found.map((each) => `${each.name}: ${middleOut(each.description ?? "", mostOfDescription)}`).join("\n");
    },
  };

  return definePlugin({
    name,
    single: true,
    whereOffered: ["tools"],
    settings: { maxTools, alwaysInclude, mode },
    tools: () => [tool],
    async model(invocation, callNext) {
      const { request, runtime, call } = invocation;
      if (request.purpose !== undefined) return callNext();
      const tools = request.tools.filter((each) => !always.has(each.name));
      if (tools.length <= maxTools) return callNext();
      runtime.set(toolsKey, tools);
      let found = runtime.get(foundKey);
      if (found === undefined) {
        found = [indexes.find(tools, newestQuestion(request), maxTools)];
        runtime.set(foundKey, found);
        const details = { found: found[0]?.length ?? 0, of: tools.length };
        runtime.notify({ type: "decision", plugin: name, decision: "searched", enforced, call, details });
      }
      const names = new Set([...found.flat(), ...calledIn(request), ...demanded(request)]);
      const canSearch = request.tools.some((each) => each.name === toolName);
      if (names.size === 0 && !canSearch) {
        runtime.notify({ type: "decision", plugin: name, decision: "fallback", enforced, call });
        return callNext();
      }
      if (enforced) {
        const chosen = request.tools.filter((each) => names.has(each.name) || always.has(each.name));
        invocation.request = override(request, { tools: chosen });
      }
      await callNext();
    },
  });
}

function newestQuestion({ messages }: ModelRequest): string {
  const asked = messages.findLast(isQuestion);
  return asked === undefined ? "" : textOf(asked);
}

/** The tool that the model has to call. */
const demanded = ({ toolChoice }: ModelRequest): readonly string[] =>
  typeof toolChoice === "object" ? [toolChoice.name] : [];

/** The tools that the newest step has called: the model may want to go on with them. */
const calledIn = ({ messages }: ModelRequest): readonly string[] =>
  (messages.findLast(({ role }) => role === "assistant")?.parts ?? []).flatMap((part) =>
    part.type === "tool_call" ? [part.name] : [],
  );
