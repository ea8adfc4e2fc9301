import { type Message, type RuntimeContext, resultKey, type StateKey, stateKey, toolCallsOf } from "@suite/core";
import { isObject } from "@suite/kit";

/** A point of a plan. */
export interface Todo {
  readonly content: string;
  readonly status: "pending" | "in_progress" | "completed";
}

const statuses: ReadonlySet<unknown> = new Set(["pending", "in_progress", "completed"]);
/** The most points of a list, and the most characters of one: models write them. */
const mostPoints = 100;
const mostCharacters = 500;

/** The name of the tool that writes the list. */
export const toolName = "write_todos";

/**
 * The task list of a run, in its result: `result.values.get(todosKey)`. Undefined if it is absent. Pass it to the next
 * run to continue it (`values: result.values`).
 */
export const todosKey: StateKey<readonly Todo[] | undefined> = resultKey<readonly Todo[]>("context.todos", {
  save: (todos) => todos ?? null,
  load: (stored) => todosIn({ todos: stored }),
});

/** Returns the list in the tool's input or in a stored state, or `undefined` if it is invalid. */
export function todosIn(input: unknown): readonly Todo[] | undefined {
  const todos = isObject(input) ? input.todos : undefined;
  if (!Array.isArray(todos) || todos.length > mostPoints) return undefined;
  const list = todos.map((each: unknown): Todo | undefined => {
    if (!isObject(each) || typeof each.content !== "string" || !statuses.has(each.status)) return undefined;
    return { content: oneLine(each.content), status: each.status as Todo["status"] };
  });
  return list.every((each) => each !== undefined) ? list : undefined;
}

/** Puts a task on one line, limits its length, and prevents it from closing the surrounding block. */
const oneLine = (content: string): string =>
  content
    .slice(0, mostCharacters)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/[<>\p{Cs}]/gu, " ")
    .trim();

const marks: Readonly<Record<Todo["status"], string>> = { pending: "[ ]", in_progress: "[~]", completed: "[x]" };

/** The list as text, a point a line. */
export const written = (todos: readonly Todo[]): string =>
  todos.map(({ content, status }) => `- ${marks[status]} ${content}`).join("\n");

/** The points that are not completed. */
export const openOf = (todos: readonly Todo[]): readonly Todo[] => todos.filter(({ status }) => status !== "completed");

/** Returns the list of a run: from its state, or, if it has none yet, the last one of the conversation. */
export function currentTodos(runtime: RuntimeContext, messages: readonly Message[]): readonly Todo[] {
  const known = runtime.get(todosKey);
  if (known !== undefined) return known;
  if (runtime.get(searchedKey)) return [];
  runtime.set(searchedKey, true);
  const found = lastWritten(messages);
  if (found !== undefined) runtime.set(todosKey, found);
  return found ?? [];
}

/** Whether a run has looked through the conversation before it: once is enough. */
const searchedKey = stateKey("context.todos.searched", () => false);

function lastWritten(messages: readonly Message[]): readonly Todo[] | undefined {
  for (let at = messages.length - 1; at >= 0; at--) {
    const calls = toolCallsOf(messages[at] as Message).filter(({ name }) => name === toolName);
    // Two lists in one answer were refused.
    const list = calls.length === 1 ? todosIn(calls[0]?.arguments) : undefined;
    if (list !== undefined) return list;
  }
  return undefined;
}
