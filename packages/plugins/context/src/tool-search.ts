import { definePlugin, type ModelRequest, override, type Plugin, stateKey, type Tool, textOf } from "@suite/core";
import { isQuestion } from "@suite/core/messages";
import { isObject } from "@suite/kit";
import { common, count, listOf, name as text } from "@suite/kit/options";
import { type ContextOptions, checkOptions } from "./options.js";
import { textsOf } from "./state.js";
import { middleOut } from "./text.js";
import { ToolIndexes } from "./tool-index.js";

/** The options of `toolSearch`. */
export interface ToolSearchOptions extends ContextOptions {
  /** The maximum number of tools found by one search. If there are not more tools, all are sent. Default: 10. */
  readonly maxTools?: number;
  /** The names of tools that are always sent. */
  readonly alwaysInclude?: readonly string[];
  /** The name of the tool that searches for more. Default: `search_tools`. */
  readonly toolName?: string;
}

/** The maximum number of characters of a description in a search result. */
const mostOfDescription = 300;
/** The maximum number of searches whose tools a run keeps. The oldest are dropped. */
const mostSearches = 8;

const parameters = {
  type: "object",
  properties: { query: { type: "string", description: "What the tool has to do, in a few words." } },
  required: ["query"],
  additionalProperties: false,
} as const;

/**
 * Sends only the tools that match the user's newest message, found by a full-text index without a model. Adds a tool
 * with which the model can search for more; the tools found are sent in the following rounds. In frameworks in which
 * plugins cannot add tools, all tools are sent if nothing is found.
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
      if (names.length === 0) return "No tool was found. Try other words.";
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
  const question = messages.findLast(isQuestion);
  return question === undefined ? "" : textOf(question);
}

/** The tool that the model has to call. */
const demanded = ({ toolChoice }: ModelRequest): readonly string[] =>
  typeof toolChoice === "object" ? [toolChoice.name] : [];

/** The tools that the newest step has called: the model may want to go on with them. */
const calledIn = ({ messages }: ModelRequest): readonly string[] =>
  (messages.findLast(({ role }) => role === "assistant")?.parts ?? []).flatMap((part) =>
    part.type === "tool_call" ? [part.name] : [],
  );
