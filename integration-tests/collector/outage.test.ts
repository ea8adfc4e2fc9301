import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from "@jest/globals";
import { type ModelServer, startModelServer } from "@suite/testkit";
import { setupTracing, type TracingSetup } from "@suite/tracing/node";
import { killAll, startCollector, withCollector } from "./collector.js";
import { agents } from "./desk.mjs";
import { freePort, type Receiver, startReceiver } from "./receiver.js";
import { scenarios } from "./scenarios.js";
import { conversations, spansOf } from "./spans.js";

jest.setTimeout(120_000);

withCollector("the agent's answers are the same, with one warning,", () => {
  let model: ModelServer;
  let receiver: Receiver;
  let telemetry: TracingSetup | undefined;
  const warnings: string[] = [];

  beforeAll(async () => {
    model = await startModelServer();
    process.env.OTEL_EXPORTER_OTLP_TIMEOUT = "1000";
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    warnings.length = 0;
  });
  afterEach(async () => {
    await telemetry?.shutdown();
    await receiver.close();
  });
  afterAll(async () => {
    await killAll();
    await model.close();
    delete process.env.OTEL_EXPORTER_OTLP_TIMEOUT;
  });

  const send = (endpoint: string) => {
    telemetry = setupTracing({ endpoint, warn: (message) => warnings.push(message) });
    return telemetry;
  };

  async function ask(sessionId: string): Promise<string> {
    model.reset();
    model.script({ toolCalls: [{ id: "1", name: "look_up", arguments: {} }] }, { text: "It is there." });
    const where = { modelUrl: model.url, provider: "openai", order: ["tracing", "pii"], auditDir: "" };
    const result = await agents(where).desk.run("Where is it?", { sessionId });
    return result.status === "completed" ? result.text : result.status;
  }

  it("when no collector is up; and once it is up, spans arrive", async () => {
    const port = await freePort();
    const { flush } = send(`http://127.0.0.1:${port}`);
    expect(await ask("before")).toBe("It is there.");
    await flush().catch(() => {});
    expect(await ask("before")).toBe("It is there.");
    await flush().catch(() => {});
    expect(warnings).toEqual([expect.stringContaining(`http://127.0.0.1:${port}/v1/traces`)]);
    const late = await startCollector(receiver.url, port);
    expect(await ask("after")).toBe("It is there.");
    await flush();
    await late.stop();
    const traces = conversations(spansOf(receiver.bodies));
    expect(traces.get("after")).toEqual(scenarios.tool?.traces);
    expect(warnings).toHaveLength(1);
  });

  it("when it is killed in the middle of a run", async () => {
    const real = await startCollector(receiver.url);
    const { flush } = send(real.url);
    model.reset();
    model.script({ text: "It is there.", chunks: "characters", fault: { delay: 10 } });
    const where = { modelUrl: model.url, provider: "openai", order: ["tracing", "pii"], auditDir: "" };
    const stream = agents(where).desk.stream("Where is it?");
    let text = "";
    for await (const piece of stream.text()) {
      if (text === "") await real.kill();
      text += piece;
    }
    expect(text).toBe("It is there.");
    await flush().catch(() => {});
    expect(await ask("after")).toBe("It is there.");
    await flush().catch(() => {});
    expect(warnings).toHaveLength(1);
  });
});
