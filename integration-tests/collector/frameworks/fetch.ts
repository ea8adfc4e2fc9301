import type { Plugin } from "@suite/core";
import { withPlugins } from "@suite/fetch";
import type { ModelAnswer } from "@suite/testkit";
import { answers, objects, runners, type Wrapped } from "../../../packages/adapters/fetch/test/entries.js";
import type { useServer } from "../../../packages/adapters/fetch/test/support.js";
import { text } from "./planted-attempts.js";
import type { Programs } from "./programs.js";

type Entry = (wrapped: Wrapped) => Promise<unknown>;

const call = { id: "call_1", name: "look", arguments: { of: text } };
const asks: ModelAnswer = { reasoning: text, text, toolCalls: [call, { ...call, id: "call_2" }], chunks: 7 };
const failures: Readonly<Record<string, ModelAnswer>> = {
  "that fails": { fault: { status: 400, message: text } },
  "that fails in the middle": { text, chunks: 5, fault: { error: 3, message: text } },
};

/** Each way of each client to an answer, with personal data in all that is said, and the same where the model fails. */
export function fetchPrograms(on: ReturnType<typeof useServer>): Programs {
  const sent =
    (entry: Entry, ...script: readonly ModelAnswer[]) =>
    async (plugins: readonly Plugin[]): Promise<unknown> => {
      on.server.reset();
      on.server.script(...script);
      const openai = withPlugins(on.openai(), plugins);
      return entry({ openai, anthropic: withPlugins(on.anthropic(), plugins), reached: [] });
    };
  const each = (entries: Readonly<Record<string, Entry>>, ...script: readonly ModelAnswer[]) =>
    Object.entries(entries).map(([name, entry]) => [name, sent(entry, ...script)] as const);
  const failing = Object.entries(failures).flatMap(([how, answer]) =>
    Object.entries(answers).map(([name, entry]) => {
      const program = sent(entry, answer);
      return [`${name} ${how}`, (plugins: readonly Plugin[]) => program(plugins).catch(() => {})] as const;
    }),
  );
  return Object.fromEntries([
    ...each(answers, asks),
    ...each(runners, asks, { text, chunks: "characters" }),
    ...each(objects, { text: JSON.stringify({ said: text }), chunks: 7 }).map(
      ([name, program]) => [`${name} of an object`, program] as const,
    ),
    ...failing,
  ]);
}
