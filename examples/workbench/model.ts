import type { ModelAnswer, Responder } from "@suite/testkit";

const todos = (...done: readonly boolean[]) => ({
  todos: ["Find the notes", "Count their lines"].map((content, at) => ({
    content,
    status: done[at] === true ? "completed" : "pending",
  })),
});

/** The steps of a model that plans, looks, counts, and answers with what the shell has told it. */
const steps: readonly ((told: string) => ModelAnswer)[] = [
  () => ({ toolCalls: [{ name: "write_todos", arguments: todos() }] }),
  () => ({ toolCalls: [{ name: "glob", arguments: { pattern: "*.txt" } }] }),
  () => ({ toolCalls: [{ name: "shell", arguments: { command: "cat *.txt | wc -l" } }] }),
  (told) => ({ text: `There are ${/\d+/.exec(told)?.[0] ?? "no"} things in your notes. Have a good week.` }),
];

export const model: Responder = ({ body }): ModelAnswer => {
  const { messages } = body as { readonly messages: readonly { readonly role: string; readonly content: unknown }[] };
  const results = messages.filter(({ role }) => role === "tool");
  return steps[results.length]?.(String(results.at(-1)?.content)) ?? { text: "That is all." };
};
