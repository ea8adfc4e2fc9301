import { expect, it } from "@jest/globals";
import {
  clearToolUses,
  contentLimit,
  contextEditing,
  dynamicContext,
  historyLimit,
  summarization,
  taskReminder,
  todoList,
  tokenLimit,
  toolSearch,
  toolSelector,
} from "@suite/context";
import type { Plugin } from "@suite/core";
import type { Attempt, ModelAnswer, Observed } from "@suite/testkit";
import { describeInFramework, type SubjectOf } from "./in-framework.js";

const usage = { inputTokens: 10, outputTokens: 5 };
const asks = (...ids: readonly string[]): ModelAnswer => ({
  toolCalls: ids.map((id) => ({ id, name: "look", arguments: { id } })),
  usage,
});
const says = (text: string): ModelAnswer => ({ text, usage });

/** Holds the plugins of context in one framework: what they are there to change of a request, they change there. */
export function describeContext(name: string, subjectOf: SubjectOf): void {
  describeInFramework(`context in ${name}`, subjectOf, ({ subject, stream }) => {
    const run = (plugins: readonly Plugin[], answers: readonly ModelAnswer[]): Promise<Observed> => {
      const parameters = { type: "object", properties: { id: { type: "string" } } };
      const execute = (input: unknown) => `found-${(input as { id: string }).id} ${"x".repeat(400)} end`;
      const tools = [{ name: "look", description: "looks", parameters, execute }];
      const attempt: Attempt = { plugins, answers, input: "the question", tools, stream };
      return subject.run(attempt);
    };
    const rounds = [asks("a", "b"), asks("c"), asks("d"), says("done")];

    it("historyLimit leaves old steps out of the request, whole, and keeps the question", async () => {
      const seen = await run([historyLimit({ messages: 3 })], [asks("a"), asks("b"), asks("c"), says("done")]);
      expect(seen.error).toBeUndefined();
      expect(seen.text).toContain("done");
      const last = seen.prompts.at(-1) ?? "";
      expect(last).toContain("the question");
      expect(last).toContain("found-c");
      for (const gone of ["found-a", "found-b", '"b"', '\\"b\\"']) expect(last).not.toContain(gone);
    });

    it("tokenLimit does so by tokens, and parts no batch", async () => {
      const seen = await run([tokenLimit({ tokens: 300 })], rounds);
      expect(seen.error).toBeUndefined();
      const shown = seen.prompts.map((prompt) => [...prompt.matchAll(/found-(\w)/g)].map(([, id]) => id).join(""));
      expect(shown).toEqual(["", "ab", "c", "cd"]);
    });

    it("tokenLimit fails the run where the least is too large", async () => {
      const seen = await run([tokenLimit({ tokens: 150 })], rounds);
      expect(seen.error).toMatchObject({ code: "ERR_CONTEXT_TOO_LARGE" });
      expect(seen.prompts).toHaveLength(1);
    });

    it("contentLimit leaves the middle of long results out", async () => {
      const seen = await run([contentLimit({ partCharacters: 120 })], [asks("a"), says("done")]);
      expect(seen.error).toBeUndefined();
      expect(seen.prompts[1]).toMatch(/found-a x+.{0,4}\[… \d+ and more characters are left out here …\].{0,4}x+ end/);
    });

    it("clearToolUses clears old results, once and for all, and not what the framework keeps", async () => {
      const edits = [clearToolUses({ trigger: 300, keep: 1 })];
      const seen = await run([contextEditing({ edits })], rounds);
      expect(seen.error).toBeUndefined();
      const shown = seen.prompts.map((prompt) => [...prompt.matchAll(/found-(\w)/g)].map(([, id]) => id).join(""));
      expect(shown).toEqual(["", "ab", "c", "cd"]);
      expect(seen.prompts[2]?.match(/\[cleared\]/g)).toHaveLength(2);
    });

    it("summarization has the model of the run summarise, and goes on with the question and the newest steps", async () => {
      const short = summarization({ trigger: { tokens: 300 }, keep: { tokens: 150 } });
      const seen = await run([short], [asks("a", "b"), asks("c"), says("Two were found."), says("done")]);
      expect(seen.error).toBeUndefined();
      expect(seen.text).toContain("done");
      expect(seen.prompts).toHaveLength(4);
      expect(seen.prompts[2]).toContain("(calls look)");
      expect(seen.prompts[3]).toContain("Two were found.");
      expect(seen.prompts[3]).toContain("the question");
      expect(seen.prompts[3]).toContain("found-c");
      expect(seen.prompts[3]).not.toContain("found-a");
    });

    it("todoList and taskReminder show the list in each round while a point is open", async () => {
      const plan = (status: string): ModelAnswer => ({
        toolCalls: [{ id: status, name: "write_todos", arguments: { todos: [{ content: "look twice", status }] } }],
        usage,
      });
      const answers = [plan("pending"), asks("a"), plan("completed"), says("done")];
      const seen = await run([todoList(), taskReminder(), dynamicContext(() => "It is Monday.")], answers);
      expect(seen.error).toBeUndefined();
      expect(seen.text).toContain("done");
      const reminded = seen.prompts.map((prompt) => prompt.split("<system-reminder>").length - 1);
      expect(reminded).toEqual([0, 1, 1, 0]);
      expect(seen.prompts[1]).toContain("- [ ] look twice");
      for (const prompt of seen.prompts) {
        expect(prompt).toContain("## Plan");
        expect(prompt).toContain("It is Monday.");
      }
    });

    const about = ["orders", "invoices", "weather", "flights", "hotels", "music", "films", "stocks"];
    const many = about.map((name) => ({
      name: `find_${name}`,
      description: `Finds ${name}.`,
      parameters: { type: "object", properties: {} },
      execute: () => `no ${name}`,
    }));
    const offered = ({ prompts }: Observed) =>
      prompts.map((prompt) => {
        const { tools = [] } = JSON.parse(prompt) as { tools?: object[] };
        return about.filter((name) => JSON.stringify(tools).includes(`find_${name}`));
      });
    const among = (plugins: readonly Plugin[], answers: readonly ModelAnswer[]) =>
      subject.run({ plugins, answers, input: "Play some music, the weather is bad", tools: many, stream });

    it("toolSearch offers the tools that fit the question, and those that the model then looks for", async () => {
      const search = { toolCalls: [{ id: "1", name: "search_tools", arguments: { query: "stock prices" } }], usage };
      const seen = await among([toolSearch({ maxTools: 2 })], [search, says("done")]);
      expect(seen.error).toBeUndefined();
      expect(seen.text).toContain("done");
      expect(offered(seen)).toEqual([
        ["weather", "music"],
        ["weather", "music", "stocks"],
      ]);
    });

    it("toolSelector offers what a model chose, once in a run", async () => {
      const selector = toolSelector({ maxTools: 2, alwaysInclude: ["find_orders"] });
      const call = { toolCalls: [{ id: "1", name: "find_music", arguments: {} }], usage };
      const seen = await among([selector], [says('["find_music"]'), call, says("done")]);
      expect(seen.error).toBeUndefined();
      expect(seen.text).toContain("done");
      expect(offered(seen)).toEqual([[], ["orders", "music"], ["orders", "music"]]);
    });

    const suspends = subject.offers.has("approval");
    (suspends ? it : it.skip)(
      "a call that waits for a person goes on under a limit, and is not parted from its result",
      async () => {
        const parameters = { type: "object", properties: {} };
        const execute = () => "paid 17";
        const pay = { name: "pay", description: "pays", parameters, execute, needsApproval: true };
        const tools = [...many.slice(0, 1), pay];
        const plugins = [historyLimit({ messages: 3 })];
        const order = { toolCalls: [{ id: "o", name: "find_orders", arguments: {} }], usage };
        const answers = [order, { toolCalls: [{ id: "p", name: "pay", arguments: {} }], usage }, says("done")];
        const waiting = await subject.run({ plugins, answers, input: "the question", tools, stream });
        expect(waiting.pending).toHaveLength(1);
        const decisions = (waiting.pending ?? []).map(({ id }) => ({ id, type: "approve" as const }));
        const seen = await waiting.resume?.(decisions);
        expect(seen?.error).toBeUndefined();
        expect(seen?.text).toContain("done");
        expect(seen?.prompts[0]).toContain("paid 17");
        expect(seen?.prompts[0]).toContain("the question");
        expect(seen?.prompts[0]).not.toContain("no orders");
      },
    );
  });
}
