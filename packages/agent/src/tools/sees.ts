import type { Message } from "@suite/core";

/** The part of a conversation that another agent sees: nothing, what was said, or what a function makes of it. */
export type Sees = "nothing" | "texts" | ((history: readonly Message[]) => readonly Message[]);

/** The messages of a conversation that another agent sees. */
export function seenOf(sees: Sees, history: readonly Message[]): readonly Message[] {
  if (sees === "nothing") return [];
  if (sees !== "texts") return sees(withoutOpenCalls(history));
  return history.flatMap(({ role, parts }) => {
    const said = role === "user" || role === "assistant" ? parts.filter(({ type }) => type === "text") : [];
    return said.length === 0 ? [] : [{ role, parts: said }];
  });
}

/** The conversation without the calls of its last message, of which none has a result yet. */
function withoutOpenCalls(history: readonly Message[]): readonly Message[] {
  const last = history.at(-1);
  if (last?.parts.some(({ type }) => type === "tool_call") !== true) return history;
  const parts = last.parts.filter(({ type }) => type === "text");
  return parts.length === 0 ? history.slice(0, -1) : [...history.slice(0, -1), { role: last.role, parts }];
}
