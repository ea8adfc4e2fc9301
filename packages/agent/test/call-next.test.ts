import { describe, expect, it } from "@jest/globals";
import { approve, createAgent, defineTool } from "@suite/agent";
import type { Plugin } from "@suite/core";
import { transform } from "@suite/core/transform";
import { call, codeOf, only, scripted, suspended } from "./support.js";

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
const slow = defineTool({ name: "slow", execute: () => pause(30).then(() => "done") });

/** Adds the milliseconds that `callNext()` took to a list, by kind. */
function timing(kinds: readonly ("agent" | "reasoning" | "model" | "tool")[]) {
  const took: Record<string, number> = {};
  const layer = async ({ kind }: { readonly kind: string }, callNext: () => Promise<void>): Promise<void> => {
    const start = performance.now();
    await callNext();
    took[kind] = performance.now() - start;
  };
  const plugin: Plugin = { name: "timing", ...Object.fromEntries(kinds.map((kind) => [kind, layer])) };
  return { took, plugin };
}

describe("await callNext() in an agent layer", () => {
  it("returns when the run has ended, if the run is not streamed", async () => {
    const { took, plugin } = timing(["agent", "tool"]);
    const model = scripted([call("1", "slow")], "done");
    const agent = createAgent({ name: "a", model, tools: [slow], plugins: [plugin] });
    expect(await agent.run("go")).toMatchObject({ text: "done" });
    expect(took.tool).toBeGreaterThan(25);
    expect(took.agent).toBeGreaterThan(took.tool as number);
  });

  it("returns when the answer begins, if the run is streamed, and ended() waits for its end", async () => {
    const seen: unknown[] = [];
    const waits: Plugin = {
      name: "waits",
      async agent(invocation, callNext) {
        await callNext();
        seen.push(invocation.streamed, model.asked.length);
        const end = await invocation.ended();
        seen.push(end?.status, invocation.streamed, model.asked.length);
      },
    };
    const model = scripted([call("1", "slow")], "done");
    const agent = createAgent({ name: "a", model, tools: [slow], plugins: [waits] });
    const texts: string[] = [];
    for await (const text of agent.stream("go").text()) texts.push(text);
    expect(seen).toEqual([true, 0, "completed", false, 2]);
    expect(texts.join("")).toBe("done");
  });

  it("throws the error of the run, and a second callNext() is another attempt", async () => {
    const caught: unknown[] = [];
    const retry: Plugin = {
      name: "retry",
      async agent(_, callNext) {
        await callNext().catch((error) => {
          caught.push(error.message);
          return callNext();
        });
      },
    };
    const model = scripted([call("1", "slow")], new Error("503"), "done");
    const agent = createAgent({ name: "a", model, tools: [slow], plugins: [retry] });
    expect(await agent.run("go")).toMatchObject({ text: "done" });
    expect(caught).toEqual(["503"]);
  });

  it("does not run an approved call again in another attempt", async () => {
    let paid = 0;
    const pay = defineTool({ name: "pay", needsApproval: true, execute: () => `paid ${++paid}` });
    const retry: Plugin = { name: "retry", agent: (_, callNext) => callNext().catch(() => callNext()) };
    const model = scripted([call("1", "pay")], new Error("503"), "done");
    const agent = createAgent({ name: "a", model, tools: [pay], plugins: [retry] });
    const pending = await suspended(agent.run("go"));
    expect(await agent.run({ pending, decisions: [approve(only(pending))] })).toMatchObject({ text: "done" });
    expect(paid).toBe(1);
  });

  it("returns normally if the run is suspended, and ended() returns the suspension", async () => {
    const ends: unknown[] = [];
    const waits: Plugin = {
      name: "waits",
      async agent(invocation, callNext) {
        await callNext();
        ends.push(invocation.streamed, (await invocation.ended())?.status);
      },
    };
    const pay = defineTool({ name: "pay", needsApproval: true, execute: () => "paid" });
    const options = { name: "a", tools: [pay], plugins: [waits] };
    await suspended(createAgent({ ...options, model: scripted([call("1", "pay")]) }).run("go"));
    await suspended(createAgent({ ...options, model: scripted([call("1", "pay")]) }).stream("go").result);
    expect(ends).toEqual([false, "suspended", true, "suspended"]);
  });

  it.each([false, true])(
    "does not deadlock if a layer pipes a stage and then waits (streamed: %s)",
    async (streamed) => {
      const log: string[] = [];
      const waits = (name: string): Plugin => ({
        name,
        async agent(invocation, callNext) {
          await callNext();
          transform(invocation, { text: (text) => `${text} ${name}` });
          invocation.pipe({ settle: ({ status }) => void log.push(`${name} ${status}`) });
          log.push(`${name} waited: ${(await invocation.ended())?.status}`);
        },
      });
      const agent = createAgent({ name: "a", model: scripted("hello"), plugins: [waits("outer"), waits("inner")] });
      const result = streamed ? await agent.stream("go").result : await agent.run("go");
      expect(result).toMatchObject({ text: "hello inner outer" });
      expect(log).toEqual(["inner completed", "inner waited: completed", "outer completed", "outer waited: completed"]);
    },
  );

  it("rejects with the reason if the run is aborted", async () => {
    const aborting = new AbortController();
    const caught: unknown[] = [];
    const catches: Plugin = {
      name: "catches",
      async agent(_, callNext) {
        await callNext().catch((error) => {
          caught.push(error);
          throw error;
        });
      },
    };
    const hangs = defineTool({ name: "hangs", execute: () => new Promise(() => aborting.abort(new Error("left"))) });
    const agent = createAgent({ name: "a", model: scripted([call("1", "hangs")]), tools: [hangs], plugins: [catches] });
    await expect(agent.run("go", { signal: aborting.signal })).rejects.toThrow("left");
    expect(caught).toEqual([new Error("left")]);
  });

  it("can be given up after a time, and the layer answers itself", async () => {
    const late: Plugin = {
      name: "late",
      async agent(invocation, callNext) {
        const first = await Promise.race([callNext().then(() => "answered"), pause(5).then(() => "late")]);
        if (first === "answered") return;
        invocation.giveUp(new Error("late"));
        invocation.respond({ value: { message: { role: "assistant", parts: [{ type: "text", content: "Later." }] } } });
      },
    };
    const never = defineTool({ name: "never", execute: () => new Promise(() => {}) });
    const agent = createAgent({ name: "a", model: scripted([call("1", "never")]), tools: [never], plugins: [late] });
    expect(await agent.run("go")).toMatchObject({ text: "Later." });
  });

  it("of an invocation without an answer: ended() returns undefined", async () => {
    const ends: unknown[] = [];
    const early: Plugin = {
      name: "early",
      async agent(invocation, callNext) {
        ends.push(invocation.streamed, await invocation.ended());
        await callNext();
      },
    };
    expect(await codeOf(createAgent({ name: "a", model: scripted("x"), plugins: [early] }).run("go"))).toBe(
      "did not reject",
    );
    expect(ends).toEqual([false, undefined]);
  });
});
