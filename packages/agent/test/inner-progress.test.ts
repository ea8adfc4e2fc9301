import { describe, expect, it } from "@jest/globals";
import { approve, createAgent, defineTool } from "@suite/agent";
import type { Delta, Plugin } from "@suite/core";
import { call, type Said, scripted, shown } from "./support.js";

const look = defineTool({
  name: "look",
  async *execute() {
    yield "half";
    return "a bird";
  },
});
const drafts: readonly Said[] = [[{ type: "text", content: "Let me look. " }, call("1", "look")], "A bird is here."];

function desk(progress: boolean, said = drafts, plugins: readonly Plugin[] = [], tools = [look]) {
  const writer = createAgent({ name: "writer", model: scripted(...said), tools });
  const model = scripted([call("9", "writer", { prompt: "Write." })], "It says: bird.");
  const asTool = writer.asTool({ description: "Writes.", progress });
  return { model, writer, agent: createAgent({ name: "desk", model, tools: [asTool], plugins }) };
}

const progressOf = (deltas: readonly Delta[]): unknown[] =>
  deltas.flatMap((delta) =>
    delta.type === "event" && delta.name === "tool_progress" ? [(delta.value as { progress: unknown }).progress] : [],
  );

async function read(stream: AsyncIterable<Delta>): Promise<readonly Delta[]> {
  const deltas: Delta[] = [];
  for await (const delta of stream) deltas.push(delta);
  return deltas;
}

describe("progress of an agent that is a tool", () => {
  it("contains each complete part of its answer, and the progress of its own tools, and the result is its answer", async () => {
    const { agent, model } = desk(true);
    const stream = agent.stream("go");
    expect(progressOf(await read(stream))).toEqual([
      { agent: "writer", part: { type: "text", content: "Let me look. " } },
      { agent: "writer", part: call("1", "look") },
      { agent: "writer", progress: { id: "1", name: "look", progress: "half" } },
      { agent: "writer", part: { type: "text", content: "A bird is here." } },
    ]);
    expect(await stream.result).toMatchObject({ text: "It says: bird.", toolCalls: 2 });
    expect(shown(model.asked[1])).toEqual(["A bird is here."]);
  });

  it("is reported if it is enabled and the run streams, and nothing else differs", async () => {
    expect(progressOf(await read(desk(false).agent.stream("go")))).toEqual([]);
    const plain = await desk(true).agent.run("go");
    const streamed = await desk(true).agent.stream("go").result;
    const { runId, durationMs, byAgent } = plain;
    expect({ ...streamed, runId, durationMs, byAgent }).toEqual(plain);
  });

  it("goes through the caller's layers of the tool, whole", async () => {
    const guard: Plugin = {
      name: "guard",
      async tool(c, next) {
        await next();
        c.pipe({ chunk: (chunk, emit) => emit(JSON.parse(JSON.stringify(chunk).replaceAll("bird", "[X]"))) });
      },
    };
    const deltas = await read(desk(true, drafts, [guard]).agent.stream("go"));
    expect(JSON.stringify(progressOf(deltas))).not.toContain("bird");
    expect(JSON.stringify(progressOf(deltas))).toContain("A [X] is here.");
  });

  it("of one that waits for a person suspends the run, which goes on with it", async () => {
    const tools = [{ ...look, needsApproval: true }];
    const { agent } = desk(true, drafts, [], tools);
    const first = agent.stream("go");
    await read(first);
    const waiting = await first.result;
    if (waiting.status !== "suspended") throw new Error("it does not wait");
    expect(waiting.toolCalls).toBe(0);
    const { pending } = waiting;
    const second = agent.stream({ pending, decisions: pending.calls.map((each) => approve(each)) });
    expect(progressOf(await read(second)).at(-1)).toEqual({
      agent: "writer",
      part: { type: "text", content: "A bird is here." },
    });
    expect(await second.result).toMatchObject({ text: "It says: bird.", toolCalls: 2 });
  });

  it("of a failed agent is followed by the model's message about the failure", async () => {
    const { agent, model } = desk(true, [
      [{ type: "text", content: "I try. " }, call("1", "look")],
      new Error("broken"),
    ]);
    expect(progressOf(await read(agent.stream("go")))).toHaveLength(3);
    expect(shown(model.asked[1])).toEqual(["writer failed: broken"]);
  });

  it("stops the agent where the reader leaves", async () => {
    let told: AbortSignal | undefined;
    const slow = defineTool({
      name: "look",
      execute: (_input, runtime) => {
        told = runtime.signal;
        return new Promise(() => {});
      },
    });
    const stream = desk(true, drafts, [], [slow]).agent.stream("go");
    for await (const delta of stream) if (progressOf([delta]).length > 0) break;
    await stream.result.catch(() => {});
    expect(told?.aborted ?? true).toBe(true);
  });
});
