import { definePlugin, type Plugin, type Tool } from "@suite/core";
import { name as text } from "@suite/kit/options";
import { checkOptions } from "./options.js";
import { openOf, todosIn, todosKey, toolName, written } from "./todos.js";

/** The options of `todoList`. */
export interface TodoListOptions {
  /** The name on spans and in records. Default: `todo-list`. */
  readonly name?: string;
  /** The section of the system prompt that describes the tool. */
  readonly prompt?: string;
  /** The description of the tool. */
  readonly description?: string;
}

const defaultPrompt = `## Plan
For work of several steps keep a list with the tool \`${toolName}\`: write it before you begin, mark the one point that you are at as in_progress, and a point as completed as soon as it is. For a simple question keep none.`;

const defaultDescription =
  "Writes the list of what is to be done, in place of the list before: all points, each with its status. Call it once at a time.";

const parameters = {
  type: "object",
  properties: {
    todos: {
      type: "array",
      maxItems: 100,
      items: {
        type: "object",
        properties: {
          content: { type: "string" },
          status: { type: "string", enum: ["pending", "in_progress", "completed"] },
        },
        required: ["content", "status"],
        additionalProperties: false,
      },
    },
  },
  required: ["todos"],
  additionalProperties: false,
} as const;

const refused = `Nothing was written. The list must be { "todos": [{ "content": a string, "status": "pending", "in_progress" or "completed" }] }, of 100 points at most.`;

const twice = `Nothing was written: ${toolName} was called more than once in one answer. Each call replaces the list. Call it once.`;

/**
 * Adds a task list for the model: a tool that writes it, and a section of the system prompt. The list is state of the run
 * (`todosKey`), saved by a suspension and part of the result. `taskReminder` shows it in each round.
 *
 * @throws {ContextError} `ERR_CONTEXT_OPTION`
 * @example
 * ```ts
 * createAgent({ plugins: [todoList(), taskReminder()], … });
 * ```
 */
export function todoList(options: TodoListOptions = {}): Plugin {
  options = checkOptions("todoList", options, { name: text, prompt: text, description: text });
  const { name = "todo-list", prompt = defaultPrompt, description = defaultDescription } = options;
  const tool: Tool = {
    name: toolName,
    description,
    plans: true,
    parameters,
    execute(input, runtime, call) {
      const todos = todosIn(input);
      if (todos === undefined) return refused;
      runtime.set(todosKey, todos);
      const open = openOf(todos).length;
      const details = { points: todos.length, open };
      runtime.notify({ type: "decision", plugin: name, decision: "planned", enforced: true, call, details });
      return `${open} open:\n${written(todos)}`;
    },
  };
  return definePlugin({
    name,
    single: true,
    async tool(invocation, callNext) {
      const { request } = invocation;
      const isList = ({ name: called }: { readonly name: string }): boolean => called === toolName;
      if (!isList(request.tool) || (request.batch ?? []).filter(isList).length < 2) return callNext();
      invocation.respond({ value: twice, isError: true });
    },
    systemPrompt: (before) => (before === "" ? prompt : `${before}\n\n${prompt}`),
    tools: () => [tool],
  });
}
