import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { type ModelServer, startModelServer } from "@suite/testkit";
import { type Receiver, startReceiver } from "../collector/receiver.js";
import { describeStranger, stranger } from "../stranger.js";

jest.setTimeout(240_000);

/** Programs as people have them, each of a framework; `suite init` has to bring the plugins into them. */
const programs = {
  "ask.mjs": `import { createOpenAI } from "@ai-sdk/openai";
import { generateText, stepCountIs } from "ai";

const openai = createOpenAI({ baseURL: process.env.OPENAI_BASE_URL, apiKey: "none" });
const { text } = await generateText({ model: openai.chat("gpt-5-mini"), prompt: "Hello", stopWhen: stepCountIs(2) });
console.log(text);
`,
  "client.cjs": `const OpenAI = require("openai");

// Not new OpenAI("x"), but:
const client = new OpenAI({ apiKey: "none" });
client.chat.completions
  .create({ model: "gpt-5-mini", messages: [{ role: "user", content: "Hello" }] })
  .then(({ choices }) => console.log(choices[0].message.content));
`,
  "chain.mjs": `import { ChatOpenAI } from "@langchain/openai";
import { createAgent } from "langchain";

const configuration = { baseURL: process.env.OPENAI_BASE_URL };
const agent = createAgent({ name: "support", model: new ChatOpenAI({ model: "gpt-5-mini", apiKey: "none", configuration }) });
const { messages } = await agent.invoke({ messages: [{ role: "user", content: "Hello" }] });
console.log(messages.at(-1).text);
`,
  "mcp.mjs": `import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'

const server = new McpServer({ name: 'shop', version: '1.0.0' })
server.registerTool('hello', {}, () => ({ content: [{ type: 'text', text: 'Hello!' }] }))
const [here, there] = InMemoryTransport.createLinkedPair()
await server.connect(there)
const client = new Client({ name: 'desk', version: '1.0.0' })
await client.connect(here)
console.log((await client.callTool({ name: 'hello' })).content[0].text)
await client.close()
`,
};

const spans = {
  "ask.mjs": "invoke_agent",
  "client.cjs": "chat gpt-5-mini",
  "chain.mjs": "invoke_agent support",
  "mcp.mjs": "tools/call hello",
};

const there = stranger(
  ["ai@6", "@ai-sdk/openai@3", "openai@6", "@modelcontextprotocol/sdk@1", "@suite/cli"],
  ["langchain", "@langchain/core", "@langchain/langgraph", "@langchain/openai@1.2"],
);
afterAll(() => there?.remove());

describeStranger("suite init, in a project that knows nothing of the suite", there, (project) => {
  let server: ModelServer;
  let receiver: Receiver;
  beforeAll(async () => {
    server = await startModelServer();
    server.script(() => ({ text: "Hello!" }));
    receiver = await startReceiver();
  });
  afterEach(() => void receiver.bodies.splice(0));
  afterAll(async () => {
    await server.close();
    await receiver.close();
  });

  const suite = (...args: readonly string[]) => project.run("npx", ["--no-install", "suite", ...args]);
  const ran = (file: string) =>
    project.start("env", [
      `OPENAI_BASE_URL=${server.url}/v1`,
      `OTEL_EXPORTER_OTLP_ENDPOINT=${receiver.url}`,
      process.execPath,
      file,
    ]);

  it("finds the doctor saying that adapters are missing", () => {
    const { code, output } = suite("doctor", "--json");
    const findings = JSON.parse(output) as readonly { subject: string; state: string }[];
    expect(code).toBe(1);
    expect(findings).toContainEqual(expect.objectContaining({ subject: "ai", state: "wrong" }));
  });

  describe.each(Object.entries(programs))("for %s", (file, text) => {
    it("shows a change that makes it send spans when it is written and installed, and do what it did", async () => {
      project.write(file, text);
      expect(await ran(file)).toEqual({ code: 0, output: "Hello!\n" });
      expect(receiver.bodies).toEqual([]);
      const shown = suite("init", "--file", file);
      expect([shown.code, shown.output]).toEqual([1, expect.stringContaining("Nothing was written.")]);
      const { code, output } = suite("init", "--file", file, "--yes");
      expect([code, output]).toEqual([0, expect.stringContaining("Written.")]);
      const packages = /^To install: npm install (.*)$/m.exec(output)?.[1]?.split(" ") ?? [];
      expect(project.install(packages)).toMatchObject({ code: 0 });
      expect(await ran(file)).toEqual({ code: 0, output: "Hello!\n" });
      expect(receiver.bodies.join("")).toContain(spans[file as keyof typeof spans]);
    });

    it("changes nothing when it is run again", () => {
      expect(suite("init", "--file", file, "--yes").output).toBe(
        `${file} already has the plugins. Nothing to change.\n`,
      );
    });
  });

  it("leaves a project that the doctor finds nothing wrong with, and whose set-up it can try", () => {
    const { code, output } = suite("doctor", "--setup", "suite.mjs", "--json");
    const findings = JSON.parse(output) as readonly { subject: string; state: string }[];
    expect(findings.filter(({ state, subject }) => state === "wrong" && subject !== "redactor")).toEqual([]);
    // No redactor was asked for, and the doctor says that messages of errors leave as they are.
    expect([code, findings.at(-1)]).toEqual([1, expect.objectContaining({ subject: "redactor", state: "wrong" })]);
  });
});
