import { expect, it } from "@jest/globals";
import type { Notification, Plugin } from "@suite/core";
import { memoryStateStore } from "@suite/kit/store";
import { conversations, inProcessMemory, type MemoryPlugin, type MemoryStore, memory } from "@suite/memory";
import type { Decision, ModelAnswer, Observed } from "@suite/testkit";
import { describeInFramework, type SubjectOf } from "./in-framework.js";

const nuts = "I am allergic to nuts.";
const parameters = { type: "object", properties: {} };
const pay = { id: "call_p", name: "pay", arguments: {} };

/** All that a store has of a user, as text. */
async function keptIn(store: MemoryStore, user: string): Promise<readonly string[]> {
  const call = { id: "1", kind: "memory" } as const;
  const asked = { signal: new AbortController().signal, runtime: {} as never, call };
  const found = await store.search({ user }, "allergic nuts tea hello done paid wait", 100, asked);
  return found.map(({ content }) => String(content)).sort();
}

/** Holds a memory in one framework: whole and streamed, what was said to the end is found again, and nothing else. */
export function describeMemory(name: string, subjectOf: SubjectOf): void {
  describeInFramework(`memory in ${name}`, subjectOf, ({ subject, stream }) => {
    const told: Notification[] = [];
    const watch: Plugin = { name: "watch", observe: (each) => void told.push(each) };
    const paid: unknown[] = [];
    const needsPerson = { name: "pay", description: "pays", parameters, needsApproval: true };
    const tools = [{ ...needsPerson, execute: () => paid.push(1) && "paid 17" }];

    const run = async (
      remembering: MemoryPlugin,
      input: string,
      answers: readonly ModelAnswer[],
    ): Promise<Observed> => {
      const seen = await subject.run({ plugins: [watch, remembering], answers, input, tools, stream });
      await remembering.settled();
      return seen;
    };
    const setUp = (mode: "automatic" | "tools" | "both" = "automatic", userId = "ada", store = inProcessMemory()) => ({
      store,
      remembering: memory({ store, mode, userId }),
    });

    it("recalls in a later run what was said in one before, to that user alone", async () => {
      const { store, remembering } = setUp();
      const first = await run(remembering, nuts, [{ text: "Noted." }]);
      expect([first.error, first.text]).toEqual([undefined, "Noted."]);
      expect(await keptIn(store, "ada")).toEqual([`User: ${nuts}\nAssistant: Noted.`]);
      const seen = await run(remembering, "Which cake has nuts?", [{ text: "None." }]);
      expect(seen.prompts[0]).toContain("## Memory");
      expect(seen.prompts[0]).toContain("allergic to nuts. Assistant: Noted.");
      const other = await run(setUp("automatic", "bob", store).remembering, "Which cake has nuts?", [
        { text: "None." },
      ]);
      expect(other.prompts[0]).not.toContain("allergic");
    });

    it("does not accumulate recalled memories in the history: each request of a run contains them once", async () => {
      const { remembering } = setUp("both");
      await run(remembering, nuts, [{ text: "Noted." }]);
      const look = { toolCalls: [{ id: "1", name: "search_memory", arguments: { query: "tea" } }] };
      const seen = await run(remembering, "Which cake has nuts?", [look, look, { text: "None." }]);
      expect(seen.error).toBeUndefined();
      expect(seen.prompts).toHaveLength(3);
      for (const prompt of seen.prompts) expect(prompt.split("allergic to nuts.")).toHaveLength(2);
    });

    it("keeps nothing of a run that fails", async () => {
      const { store, remembering } = setUp();
      const broken: ModelAnswer = { fault: { status: 400 } };
      expect((await run(remembering, nuts, [broken])).error).toBeDefined();
      expect(await keptIn(store, "ada")).toEqual([]);
    });

    it("lets the model look and keep by tools", async () => {
      const { store, remembering } = setUp("tools");
      const call = (name: string, args: object): ModelAnswer => ({ toolCalls: [{ id: name, name, arguments: args }] });
      const add = call("add_memory", { content: ["The user likes tea."] });
      const first = await run(remembering, "hello", [add, { text: "Kept." }]);
      expect(first.error).toBeUndefined();
      expect(first.prompts[0]).toContain("keep with `add_memory`");
      expect(first.prompts[1]).toContain("It is kept.");
      expect(await keptIn(store, "ada")).toEqual(["The user likes tea."]);
      const seen = await run(remembering, "Which drink?", [call("search_memory", { query: "tea" }), { text: "Tea." }]);
      expect(seen.prompts[0]).not.toContain("likes tea");
      expect(seen.prompts[1]).toContain("- The user likes tea.");
    });

    it("continues without memories if the store fails, and reports it", async () => {
      const store: MemoryStore = { ...inProcessMemory(), search: () => Promise.reject(new Error("down")) };
      told.length = 0;
      const seen = await run(memory({ store, userId: "ada" }), nuts, [{ text: "Noted." }]);
      expect([seen.error, seen.text]).toEqual([undefined, "Noted."]);
      expect(told).toContainEqual(expect.objectContaining({ plugin: "memory", decision: "fail_open" }));
    });

    const suspends = subject.offers.has("approval");
    (suspends ? it : it.skip)(
      "keeps nothing of a run that waits for a person, and the real answer when it has gone on (49)",
      async () => {
        const { store, remembering } = setUp();
        const waiting = await run(remembering, nuts, [{ toolCalls: [pay] }, { text: "It is paid." }]);
        expect(waiting.pending).toHaveLength(1);
        expect(await keptIn(store, "ada")).toEqual([]);
        const decision: Decision = { id: waiting.pending?.[0]?.id ?? "", type: "approve" };
        const seen = await waiting.resume?.([decision]);
        await remembering.settled();
        expect([seen?.error, seen?.text]).toEqual([undefined, "It is paid."]);
        expect(await keptIn(store, "ada")).toEqual([`User: ${nuts}\nAssistant: It is paid.`]);
      },
    );
  });
}

/** Holds conversations in one framework: whole and streamed, the next run of a session goes on by itself. */
export function describeConversations(name: string, subjectOf: SubjectOf): void {
  describeInFramework(`conversations in ${name}`, subjectOf, ({ subject, stream }) => {
    const tools = [{ name: "look", description: "looks", parameters, execute: () => "found it" }];
    const look: ModelAnswer = { toolCalls: [{ id: "call_l", name: "look", arguments: {} }] };
    const run = (plugin: Plugin, input: string, answers: readonly ModelAnswer[]): Promise<Observed> =>
      subject.run({ plugins: [plugin], answers, input, tools, stream });

    it("lets the next run of a session go on, with calls and their results, and leaves it as it was where a run fails", async () => {
      const history = conversations({ store: memoryStateStore(), sessionId: "s", userId: "ada" });
      expect(await run(history, "Where is it?", [look, { text: "Here." }])).toMatchObject({ text: "Here." });
      expect((await run(history, "Fail.", [{ fault: { status: 400 } }])).error).toBeDefined();
      const seen = await run(history, "And now?", [{ text: "Still here." }]);
      expect([seen.error, seen.text]).toEqual([undefined, "Still here."]);
      for (const said of ["Where is it?", "found it", "Here.", "And now?"]) {
        expect(seen.prompts[0]?.split(said)).toHaveLength(2);
      }
      expect(seen.prompts[0]).not.toContain("Fail.");
      const kept = await history.messages("s", "ada");
      expect(kept.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant", "user", "assistant"]);
    });
  });
}
