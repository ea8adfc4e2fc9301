import { afterAll, expect, it, jest } from "@jest/globals";
import { startModelServer } from "@suite/testkit";
import { describeStranger, stranger } from "../stranger.js";

jest.setTimeout(120_000);

/** An agent that asks twice, under the loader hook of OpenTelemetry, with its own instrumentation of the same client. */
const program = (url: string) => `
  import { register } from "node:module";
  register("@opentelemetry/instrumentation/hook.mjs", import.meta.url);
  const { NodeSDK } = await import("@opentelemetry/sdk-node");
  const { InMemorySpanExporter, SimpleSpanProcessor } = await import("@opentelemetry/sdk-trace-node");
  const { OpenAIInstrumentation } = await import("@opentelemetry/instrumentation-openai");
  const exporter = new InMemorySpanExporter();
  const instrumentations = process.env.WITHOUT ? [] : [new OpenAIInstrumentation()];
  const sdk = new NodeSDK({ instrumentations, spanProcessors: [new SimpleSpanProcessor(exporter)] });
  sdk.start();
  const { createAgent } = await import("@suite/agent");
  const { openai } = await import("@suite/agent/openai");
  const { tracing } = await import("@suite/tracing");
  const said = [];
  const agent = createAgent({
    name: "desk",
    model: openai("gpt-5", { baseURL: "${url}/v1", apiKey: "none" }),
    plugins: [tracing({ warn: (message) => said.push(message) })],
  });
  for (let i = 0; i < 2; i++) await agent.run("hello");
  const scopes = exporter.getFinishedSpans().map(({ name, instrumentationScope }) => [name, instrumentationScope.name]);
  process.stdout.write(JSON.stringify({ said, scopes }));
`;

const there = stranger(
  [
    "@opentelemetry/sdk-node@0.214.0",
    "@opentelemetry/sdk-trace-node@2.6.1",
    "@opentelemetry/instrumentation@0.214.0",
    "@opentelemetry/instrumentation-openai@0.12.0",
    "openai@6.49.0",
  ],
  ["@suite/core", "@suite/agent", "@suite/tracing"],
);
afterAll(() => there?.remove());

describeStranger("beside OpenTelemetry's own instrumentation of the client", there, (project) => {
  async function ran(env: Readonly<Record<string, string>> = {}) {
    const server = await startModelServer();
    server.script(() => ({ text: "Hello!" }));
    project.write("ask.mjs", program(server.url));
    const assigned = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const { code, output } = await project.start("env", [...assigned, process.execPath, "--no-warnings", "ask.mjs"]);
    await server.close();
    if (code !== 0) throw new Error(output);
    return JSON.parse(output) as { readonly said: readonly string[]; readonly scopes: readonly (readonly string[])[] };
  }

  it("is installed", () => {
    expect(project.installed.map(({ code }) => code)).toEqual([0, 0]);
  });

  it("warns once that each model call has two spans, by whom, and how that is switched off", async () => {
    const { said, scopes } = await ran();
    const chats = scopes.filter(([name]) => name === "chat gpt-5").map(([, scope]) => scope);
    expect(chats.filter((scope) => scope === "@opentelemetry/instrumentation-openai")).toHaveLength(2);
    expect(chats.filter((scope) => scope === "@suite/tracing")).toHaveLength(2);
    expect(said).toEqual([expect.stringContaining("@opentelemetry/instrumentation-openai also creates a span")]);
    expect(said[0]).toContain("OTEL_NODE_DISABLED_INSTRUMENTATIONS=openai");
  });

  it("reports nothing if there is none", async () => {
    const { said, scopes } = await ran({ WITHOUT: "1" });
    expect(scopes.map(([, scope]) => scope)).not.toContain("@opentelemetry/instrumentation-openai");
    expect(said).toEqual([]);
  });
});
