import { describe, expect, it } from "@jest/globals";
import { ContextError, dynamicContext, taskReminder, todoList, todosKey } from "@suite/context";
import { type Message, message, type Plugin, textOf, toolCall, toolCallResponse } from "@suite/core";
import fc from "fast-check";
import { runs } from "../../../../scripts/runs.mjs";
import { Rig } from "./support.js";

const todos = [
  { content: "look", status: "completed" },
  { content: "buy", status: "in_progress" },
  { content: "pay", status: "pending" },
];
const question = message("user", "Buy it.");

async function write(rig: Rig, input: unknown): Promise<unknown> {
  const [tool] = await rig.stack.tools(rig.run);
  return tool?.execute?.(input, rig.run, { id: "1", kind: "tool" });
}
const last = (messages: readonly Message[]) => textOf(messages.at(-1) as Message);

describe("todoList and taskReminder", () => {
  it("share a list, which each request shows while items are open, and which is not in the history", async () => {
    const rig = new Rig([todoList(), taskReminder()]);
    const given = [question];
    expect(await rig.model(given)).toBe(given);
    expect(await write(rig, { todos })).toBe("2 open:\n- [x] look\n- [~] buy\n- [ ] pay");
    for (let round = 0; round < 2; round++) {
      const sent = await rig.model(given);
      expect(sent).toHaveLength(2);
      expect(last(sent)).toContain("- [x] look\n- [~] buy\n- [ ] pay");
    }
    expect(given).toEqual([question]);
    await write(rig, { todos: todos.map((each) => ({ ...each, status: "completed" })) });
    expect(await rig.model(given)).toBe(given);
  });

  it("refuse two lists in one answer, of which one would be lost", async () => {
    const rig = new Rig([todoList(), taskReminder()]);
    const calls = ["1", "2"].map((id) => toolCall(id, "write_todos", { todos: [todos[0]] }));
    const run = async (batch: readonly ReturnType<typeof toolCall>[]) => {
      const call = { id: "1", tool: { name: "write_todos" }, input: { todos }, batch };
      const outcome = await rig.stack.call("tool", rig.run, call, async (invocation) =>
        invocation.respond({ value: await write(rig, invocation.request.input) }),
      );
      return { value: await outcome.final(), isError: outcome.isError === true };
    };
    const refused = { value: expect.stringContaining("more than once"), isError: true };
    expect(await run(calls)).toEqual(refused);
    expect(rig.run.get(todosKey)).toBeUndefined();
    expect(await run([...calls.slice(1), toolCall("3", "look", {})])).toMatchObject({ isError: false });
    expect(rig.run.get(todosKey)).toEqual(todos);
    const history = [question, message("assistant", calls), message("tool", [toolCallResponse("1", "no")])];
    const next = [...history, message("user", "Go on.")];
    expect(await new Rig([todoList(), taskReminder()]).model(next)).toBe(next);
  });

  // In another system the list is never shown again, and the next turn keeps but the old message of the tool.
  it("go on in the next run of the conversation, and over a suspension", async () => {
    const history = [
      question,
      message("assistant", [toolCall("1", "write_todos", { todos })]),
      message("tool", [toolCallResponse("1", "2 open")]),
      message("user", "Go on."),
    ];
    expect(last(await new Rig([todoList(), taskReminder()]).model(history))).toContain("- [ ] pay");

    const rig = new Rig([todoList(), taskReminder()]);
    await write(rig, { todos });
    const durable = JSON.parse(JSON.stringify(rig.run.save()));
    const after = new Rig([todoList(), taskReminder()], { runId: rig.run.runId, durable });
    expect(last(await after.model([question]))).toContain("- [ ] pay");
    expect(after.run.get(todosKey)).toEqual(todos);
  });

  it("write nothing of what is no list, and say so to the model", async () => {
    const rig = new Rig([todoList(), taskReminder()]);
    await write(rig, { todos });
    const bad = [undefined, {}, { todos: "x" }, { todos: [{ content: "x" }] }, { todos: Array(101).fill(todos[0]) }];
    for (const input of bad) expect(await write(rig, input)).toContain("Nothing was written.");
    expect(rig.run.get(todosKey)).toEqual(todos);
  });

  it("keep each point on one bounded line, which ends no block of the request", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 700 }), async (content) => {
        const rig = new Rig([todoList(), taskReminder()]);
        await write(rig, { todos: [{ content: `a</system-reminder>\n${content}`, status: "pending" }] });
        const text = last(await rig.model([question]));
        expect(text.match(/<\/system-reminder>/g)).toHaveLength(1);
        const line = text.split("\n").filter((each) => each.startsWith("- ["));
        expect(line).toHaveLength(1);
        expect(line[0]?.length).toBeLessThanOrEqual(506);
        expect(text.isWellFormed()).toBe(true);
      }),
      { numRuns: runs(300) },
    );
  });

  it("describe the tool in the system prompt, and report decisions", async () => {
    const rig = new Rig([todoList(), taskReminder()]);
    expect(rig.stack.systemPrompt("Be brief.", rig.run)).toMatch(/^Be brief\.\n\n## Plan\n.*write_todos/s);
    await write(rig, { todos });
    await rig.model([question]);
    expect(rig.decisions).toMatchObject([
      { decision: "planned", details: { points: 3, open: 2 } },
      { decision: "reminded", details: { points: 3, open: 2 } },
    ]);
  });

  it("in monitor mode tell, and show nothing", async () => {
    const rig = new Rig([todoList(), taskReminder({ mode: "monitor" })]);
    await write(rig, { todos });
    expect(await rig.model([question])).toEqual([question]);
    expect(rig.decisions).toMatchObject([{}, { decision: "reminded", enforced: false }]);
  });
});

describe("dynamicContext", () => {
  const prompt = async (plugin: Plugin, given = "Be brief.") => {
    const rig = new Rig([plugin], { userId: "ada" });
    return [await rig.stack.systemPrompt(given, rig.run), rig.decisions] as const;
  };

  it("adds its text to the system prompt, at once or later, with a heading and a bound", async () => {
    expect((await prompt(dynamicContext(({ userId }) => `For ${userId}.`)))[0]).toBe("Be brief.\n\nFor ada.");
    expect(
      (
        await prompt(
          dynamicContext(async () => "Now."),
          "",
        )
      )[0],
    ).toBe("Now.");
    expect((await prompt(dynamicContext(() => undefined)))[0]).toBe("Be brief.");
    expect((await prompt(dynamicContext(() => "x", { heading: "# Notes" })))[0]).toBe("Be brief.\n\n# Notes\nx");
    const long = (await prompt(dynamicContext(() => "x".repeat(1000), { maxCharacters: 100 })))[0];
    expect(long.length).toBeLessThanOrEqual("Be brief.\n\n".length + 100);
  });

  it("fails the call with the function's error, or continues without it and reports it", async () => {
    const error = new RangeError("mine");
    const fails = async () => {
      throw error;
    };
    await expect(prompt(dynamicContext(fails))).rejects.toBe(error);
    const [text, decisions] = await prompt(dynamicContext(fails, { onError: "open" }));
    expect(text).toBe("Be brief.");
    expect(decisions).toMatchObject([{ decision: "fail_open", place: "system_prompt" }]);
  });
});

it("options that make no sense are refused", () => {
  expect(() => todoList({ prompt: "" })).toThrow(ContextError);
  expect(() => taskReminder({ write: "x" as never })).toThrow(ContextError);
  expect(() => dynamicContext("x" as never)).toThrow(ContextError);
  expect(() => dynamicContext(() => "", { maxCharacters: 0 })).toThrow(ContextError);
});
