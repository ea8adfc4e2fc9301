import { describe, expect, it } from "@jest/globals";
import { type AgentStream, createAgent, defineTool } from "@suite/agent";
import type { Delta, Plugin } from "@suite/core";
import { call, codeOf, type Said, scripted } from "./support.js";

const agentOf = (...said: readonly Said[]) => createAgent({ name: "a", model: scripted(...said) });
const textOf = (deltas: readonly Delta[]): string =>
  deltas.map((delta) => (delta.type === "part" && delta.part.type === "text" ? delta.part.content : "")).join("");

async function rest(reader: AsyncIterator<Delta, unknown>): Promise<Delta[]> {
  const all: Delta[] = [];
  for (let step = await reader.next(); step.done !== true; step = await reader.next()) all.push(step.value);
  return all;
}

describe("a second reader of a stream", () => {
  it("is refused at once while the first is in the middle, and does not disturb it", async () => {
    const stream = agentOf("one two three").stream("go");
    const first = stream[Symbol.asyncIterator]();
    const begun = await first.next();
    const second = stream[Symbol.asyncIterator]();
    expect(await codeOf(second.next())).toBe("ERR_ALREADY_CONSUMED");
    expect(await second.next()).toEqual({ done: true, value: undefined });
    await second.return?.();
    expect(textOf([begun.value as Delta, ...(await rest(first))])).toBe("one two three");
    expect(await stream.result).toMatchObject({ status: "completed", text: "one two three" });
  });
});

describe("the result beside a reader that pauses", () => {
  it("comes, and the reader still has everything, in order", async () => {
    const stream = agentOf("one two three").stream("go");
    let said = "";
    for await (const text of stream.text()) {
      if (said === "") expect(await stream.result).toMatchObject({ status: "completed", text: "one two three" });
      said += text;
    }
    expect(said).toBe("one two three");
  });

  it("arrives next to a reader that reads at the same time, whichever is faster", async () => {
    const stream = agentOf("one two three four five").stream("go");
    const reader = stream[Symbol.asyncIterator]();
    const first = await reader.next();
    const steps = [reader.next(), reader.next()];
    const result = stream.result;
    steps.push(reader.next());
    const some = (await Promise.all(steps)).map(({ value }) => value as Delta);
    expect(textOf([first.value as Delta, ...some, ...(await rest(reader))])).toBe("one two three four five");
    expect(await result).toMatchObject({ status: "completed" });
  });

  it("is a failure, which the reader is told as well", async () => {
    const error = new Error("overloaded");
    const stream = agentOf([call("1", "none")], error).stream("go");
    const reader = stream[Symbol.asyncIterator]();
    await reader.next();
    await expect(stream.result).rejects.toBe(error);
    await expect(rest(reader)).rejects.toBe(error);
  });

  it("is a suspension, which the reader is told as well", async () => {
    const tools = [{ name: "elsewhere" }];
    const stream = createAgent({ name: "a", model: scripted([call("1", "elsewhere")]), tools }).stream("go");
    const reader = stream[Symbol.asyncIterator]();
    await reader.next();
    expect(await stream.result).toMatchObject({ status: "suspended" });
    let step = await reader.next();
    while (step.done !== true) step = await reader.next();
    expect(step.value).toMatchObject({ suspended: [{ part: { id: "1" } }] });
  });

  it("is a cancelled one where the reader then leaves", async () => {
    const aborted: unknown[] = [];
    const hang = defineTool({
      name: "hang",
      execute: (_, { signal }) => new Promise(() => signal.addEventListener("abort", () => aborted.push(true))),
    });
    const model = scripted([call("1", "hang")]);
    const stream: AgentStream = createAgent({ name: "a", model, tools: [hang] }).stream("go");
    const reader = stream[Symbol.asyncIterator]();
    await reader.next();
    const result = codeOf(stream.result);
    await new Promise(setImmediate);
    await reader.return?.();
    expect([await result, aborted]).toEqual(["ERR_CANCELLED", [true]]);
  });
});

describe("a plugin's tools() that hangs", () => {
  it("is left by an abort", async () => {
    const controller = new AbortController();
    const ended: string[] = [];
    const hangs: Plugin = { name: "hangs", tools: () => new Promise(() => {}), end: () => void ended.push("end") };
    const agent = createAgent({ name: "a", model: scripted("x"), plugins: [hangs] });
    const run = agent.run("go", { signal: controller.signal });
    await new Promise(setImmediate);
    controller.abort(new Error("enough"));
    await expect(run).rejects.toThrow("enough");
    expect(ended).toEqual(["end"]);
  });
});
