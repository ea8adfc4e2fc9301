import { describe, expect, it } from "@jest/globals";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTaskStore } from "@modelcontextprotocol/sdk/experimental/tasks/stores/in-memory.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { CallToolResultSchema, ElicitRequestSchema, ElicitResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { definePlugin, type Plugin } from "@suite/core";
import { withPlugins } from "../src/index.js";

const question = {
  method: "elicitation/create" as const,
  params: {
    mode: "form" as const,
    message: "Your name?",
    requestedSchema: { type: "object" as const, properties: { name: { type: "string" as const } } },
  },
};

/** Lets all pass, and tells what happened. */
function watching() {
  const seen: string[] = [];
  const plugin = definePlugin({
    name: "watching",
    async tool(invocation, callNext) {
      await callNext();
      invocation.pipe({ settle: ({ status }) => void seen.push(`tool ${status}`) });
    },
    async humanInput(invocation, callNext) {
      seen.push(`asked ${invocation.request.question}`);
      await callNext();
      invocation.pipe({ settle: ({ status }) => void seen.push(`question ${status}`) });
    },
    end: () => void seen.push("end"),
  });
  return { seen, plugin };
}

/** A server whose one tool answers with a task at once, and asks its user while the task runs. */
async function asking(atServer: readonly Plugin[], answered: Promise<void>, questions = 1) {
  const taskStore = new InMemoryTaskStore();
  const tasks = { requests: { tools: { call: {} } } };
  const server = new McpServer({ name: "shop", version: "1.0.0" }, { capabilities: { tasks }, taskStore });
  const client = new Client({ name: "desk", version: "1.0.0" }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler(ElicitRequestSchema, async () => {
    await answered;
    return { action: "accept" as const, content: { name: "Ada" } };
  });
  const asked: Promise<unknown>[] = [];
  server.experimental.tasks.registerToolTask(
    "greet",
    { inputSchema: {} },
    {
      async createTask(_input, { taskStore: store, sendRequest }) {
        const task = await store.createTask({ ttl: 60_000 });
        const work = async (): Promise<void> => {
          const names: unknown[] = [];
          for (let round = 0; round < questions; round++) {
            const { content } = await sendRequest(question, ElicitResultSchema, { timeout: 300 });
            names.push(content?.name);
          }
          const content = [{ type: "text" as const, text: `Hello, ${names.join(" and ")}.` }];
          await store.storeTaskResult(task.taskId, "completed", { content });
        };
        asked.push(work());
        asked.at(-1)?.catch(() => {});
        return { task };
      },
      getTask: (_input, { taskStore: store, taskId }) => store.getTask(taskId),
      getTaskResult: async (_input, { taskStore: store, taskId }) =>
        (await store.getTaskResult(taskId)) as { content: [] },
    },
  );
  const [atClient, serverSide] = InMemoryTransport.createLinkedPair();
  const guarded = withPlugins(server, atServer);
  await Promise.all([guarded.connect(serverSide), client.connect(atClient)]);
  const close = (): Promise<void> => {
    taskStore.cleanup();
    return client.close();
  };
  const task = { ttl: 60_000 };
  const stream = client.experimental.tasks.callToolStream({ name: "greet" }, CallToolResultSchema, { task });
  const messages = stream[Symbol.asyncIterator]();
  const first = (await messages.next()).value;
  return { client, first, messages, asked, close };
}

/** The last message in the stream of a tool call. */
async function last(messages: AsyncIterator<unknown>): Promise<unknown> {
  for (let value: unknown; ; ) {
    const next = await messages.next();
    if (next.done === true) return value;
    value = next.value;
  }
}

describe("a task", () => {
  it.each([1, 3])("asks its user after the tool has answered with it, %i times", async (times) => {
    const { seen, plugin } = watching();
    let answer = (): void => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { first, messages, close } = await asking([plugin], answered, times);
    expect(first).toMatchObject({ type: "taskCreated" });
    expect(seen).toEqual(["asked Your name?", "tool completed"]);
    answer();
    const names = Array(times).fill("Ada").join(" and ");
    const result = { content: [{ type: "text", text: `Hello, ${names}.` }] };
    expect(await last(messages)).toMatchObject({ type: "result", result });
    expect(seen.filter((what) => what === "question completed")).toHaveLength(times);
    expect(seen).not.toContain("question cancelled");
    expect(seen).toContain("end");
    await close();
  });

  it("whose question nobody answers lets its run go at the SDK's time limit", async () => {
    const { seen, plugin } = watching();
    const { asked, close } = await asking([plugin], new Promise(() => {}));
    expect(seen).not.toContain("end");
    await expect(asked[0]).rejects.toThrow("timed out");
    await new Promise(setImmediate);
    expect(seen.at(-1)).toBe("end");
    await close();
  });

  it("lets its run go with the connection", async () => {
    const { seen, plugin } = watching();
    const { asked, close } = await asking([plugin], new Promise(() => {}));
    await close();
    await expect(asked[0]).rejects.toThrow("closed");
    await new Promise(setImmediate);
    expect(seen.at(-1)).toBe("end");
  });
});
