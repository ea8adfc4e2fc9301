import { definePlugin, message, override, type Plugin } from "@suite/core";
import { reminderBegin } from "@suite/core/messages";
import { callable, common } from "@suite/kit/options";
import { type ContextOptions, checkOptions } from "./options.js";
import { currentTodos, openOf, type Todo, written } from "./todos.js";

/** The options of `taskReminder`. */
export interface TaskReminderOptions extends ContextOptions {
  /** Writes the text of the reminder, of all points of a list that has open ones. */
  readonly write?: (todos: readonly Todo[]) => string;
}

const reminder = (todos: readonly Todo[]): string =>
  `Your list of what is to be done, as you have written it:\n${written(todos)}\nGo on with it where it still serves what the user wants. Do not mention this reminder.`;

/**
 * Shows the model its open tasks in each round, as the last message of the request. The message is not stored in the
 * history. Uses the list of `todoList`; if the run has not written one, the last one of the conversation.
 *
 * @throws {ContextError} `ERR_CONTEXT_OPTION`
 */
export function taskReminder(options: TaskReminderOptions = {}): Plugin {
  options = checkOptions("taskReminder", options, { ...common, write: callable });
  const { write = reminder, mode = "enforce", name = "task-reminder" } = options;
  const enforced = mode === "enforce";
  return definePlugin({
    name,
    single: true,
    settings: { mode },
    async model(invocation, callNext) {
      const { request, runtime, call } = invocation;
      if (request.purpose !== undefined) return callNext();
      const todos = currentTodos(runtime, request.messages);
      const open = openOf(todos).length;
      if (open === 0) return callNext();
      const details = { points: todos.length, open };
      runtime.notify({ type: "decision", plugin: name, decision: "reminded", enforced, call, details });
      if (enforced) {
        const text = `${reminderBegin}\n${write(todos)}\n</system-reminder>`;
        invocation.request = override(request, { messages: [...request.messages, message("user", text)] });
      }
      await callNext();
    },
  });
}
