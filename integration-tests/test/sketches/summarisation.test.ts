import { describe, expect, it } from "@jest/globals";
import { approve, defineTool } from "@suite/agent";
import { definePlugin, type Message, message, override, type Plugin, stateKey, textOf } from "@suite/core";
import { call, only, type Said, scripted, suspended } from "../../../packages/agent/test/support.js";
import { type Mode, modes, resultOf, watchedAgent, watching } from "./watched.js";

/** The summary of the first messages of a run's history. */
interface Summary {
  readonly text: string;
  readonly of: number;
}

/** Asks a model to shorten the history that goes to the model, written from the public contract alone. */
function summarisation(options: { readonly over: number; readonly keep: number }): Plugin {
  const known = stateKey<Summary | undefined>("summarisation", () => undefined, {
    save: (summary) => summary ?? null,
    load: (stored) => (stored as Summary | null) ?? undefined,
  });
  return definePlugin({
    name: "summarisation",
    async reasoning(invocation, callNext) {
      const { request, runtime, call } = invocation;
      const tell = (decision: string) =>
        runtime.notify({ type: "decision", plugin: "summarisation", decision, enforced: true, call });
      const shortened = (summary: Summary | undefined): readonly Message[] =>
        summary === undefined
          ? request.messages
          : [message("user", `So far: ${summary.text}`), ...request.messages.slice(summary.of)];
      if (shortened(runtime.get(known)).length > options.over && runtime.ask !== undefined) {
        // A result stays with its call: the tail begins at a question or an answer, never at a result.
        let of = request.messages.length - options.keep;
        while (request.messages[of]?.role === "tool") of--;
        const before = runtime.get(known);
        const older = shortened(before).slice(0, shortened(before).length - (request.messages.length - of));
        try {
          const reply = await runtime.ask(
            { messages: [...older, message("user", "Summarise this.")] },
            { parent: call, purpose: "summarize" },
          );
          runtime.set(known, { text: textOf(reply.message.parts), of });
          tell("summarised");
        } catch {
          runtime.signal.throwIfAborted();
          tell("failed");
        }
      }
      invocation.request = override(request, { messages: shortened(runtime.get(known)) });
      await callNext();
    },
  });
}

const seen = watching();
const mail = "jane.doe@example.com";
const history: readonly Message[] = [
  message("user", `I am ${mail}.`),
  message("assistant", "Hello."),
  message("user", "What is an onion?"),
  message("assistant", "A bulb."),
  message("user", "And how do I cut it?"),
];
const summarise = (mode: Mode, ...said: readonly Said[]) => {
  const model = scripted(...said);
  const agent = watchedAgent(seen, { model, plugins: [summarisation({ over: 4, keep: 1 })] });
  return { model, done: resultOf(agent, history, mode) };
};

describe("a summarisation that asks through the run's own layers", () => {
  it.each(modes)("is guarded, traced below its round, recorded with its purpose, and counted (%s)", async (mode) => {
    const { model, done } = summarise(mode, "A guest asked about onions.", "Slowly.");
    expect(await done).toMatchObject({
      text: "Slowly.",
      inferenceCalls: 2,
      usage: { inputTokens: 20, outputTokens: 10 },
    });
    expect((await done).messages.slice(0, -1)).toEqual(history);

    expect(JSON.stringify(model.asked)).not.toContain(mail);
    expect(model.asked[0]?.messages.at(0)?.parts).toEqual([{ type: "text", content: "I am [REDACTED_EMAIL]." }]);
    expect(model.asked[1]?.messages.map(({ parts }) => textOf(parts))).toEqual([
      "So far: A guest asked about onions.",
      "And how do I cut it?",
    ]);

    const chats = seen.spans().filter(({ name }) => name === "chat scripted-1");
    expect(chats.map(({ attributes }) => attributes["suite.model.purpose"])).toEqual(["summarize", undefined]);
    const run = seen.spans().find(({ name }) => name.startsWith("invoke_agent"));
    for (const chat of chats) expect(chat.spanContext().traceId).toBe(run?.spanContext().traceId);
    const asked = seen.records.filter(({ type, details }) => type === "model" && details?.purpose !== undefined);
    expect(asked.map(({ details }) => details?.purpose)).toEqual(["summarize", "summarize"]); // before and after
    expect(seen.records.filter(({ type }) => type === "decision").map(({ decision }) => decision)).toEqual([
      "summarised",
    ]);
  });

  it.each(modes)("that fails does not end the run, and says so (%s)", async (mode) => {
    const { model, done } = summarise(mode, new Error("no"), "Slowly.");
    expect(await done).toMatchObject({ text: "Slowly." });
    expect(model.asked[1]?.messages.length).toBe(history.length);
    expect(seen.decisionsOnSpans()).toEqual([[expect.any(String), "summarisation", "failed", true]]);
  });

  it.each(modes)(
    "keeps its summary over a pause, extends it, and leaves no result without its call (%s)",
    async (mode) => {
      const model = scripted(
        "Onions.",
        [call("1", "buy", { what: "onions" })],
        "Onions, and some were bought.",
        "Done.",
      );
      const buy = defineTool({ name: "buy", needsApproval: true, execute: () => "bought" });
      const agent = watchedAgent(seen, { model, tools: [buy], plugins: [summarisation({ over: 3, keep: 1 })] });
      const pending = await suspended(resultOf(agent, history, mode));
      const done = await resultOf(agent, { pending, decisions: [approve(only(pending))] }, mode);
      expect(done).toMatchObject({ status: "completed", text: "Done.", inferenceCalls: 4 });
      const [, , extended, last] = model.asked;
      expect(extended?.messages.map(({ role }) => role)).toEqual(["user", "user", "user"]);
      expect(textOf(extended?.messages[0]?.parts ?? [])).toBe("So far: Onions.");
      expect(last?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    },
  );
});
