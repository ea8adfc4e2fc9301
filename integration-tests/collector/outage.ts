import { afterAll, afterEach, beforeAll, beforeEach } from "@jest/globals";
import { type ModelServer, startModelServer } from "@suite/testkit";
import { setupTracing, type TracingSetup } from "@suite/tracing/node";
import { killAll } from "./collector.js";
import { agents } from "./desk.mjs";
import { type Receiver, startReceiver } from "./receiver.js";
import { conversations, spansOf } from "./spans.js";

/** The answer of the agent to each question. */
export const ANSWER = "It is there.";

/** An agent that goes on while its spans have a hard time, for the tests of one file. */
export function watchedAgent() {
  const warnings: string[] = [];
  let model: ModelServer | undefined;
  let receiver: Receiver | undefined;
  let telemetry: TracingSetup | undefined;

  beforeAll(async () => {
    model = await startModelServer();
  });
  beforeEach(async () => {
    receiver = await startReceiver();
    warnings.length = 0;
  });
  afterEach(async () => {
    await telemetry?.shutdown();
    await receiver?.close();
    delete process.env.OTEL_EXPORTER_OTLP_TIMEOUT;
  });
  afterAll(async () => {
    await killAll();
    await model?.close();
  });

  const desk = () => {
    if (model === undefined) throw new Error("the model is not up");
    model.reset();
    return {
      model,
      desk: agents({ modelUrl: model.url, provider: "openai", order: ["tracing", "pii"], auditDir: "" }).desk,
    };
  };
  return {
    warnings,
    desk,
    /** The address of the receiver to which a collector sends spans on. */
    behind: () => receiver?.url ?? "",
    /** @param timeout milliseconds that the exporter tries, instead of its own. */
    send(endpoint: string, timeout?: number): TracingSetup {
      if (timeout !== undefined) process.env.OTEL_EXPORTER_OTLP_TIMEOUT = String(timeout);
      telemetry = setupTracing({ endpoint, metrics: false, warn: (message) => warnings.push(message) });
      return telemetry;
    },
    async ask(sessionId: string): Promise<string> {
      const { model, desk: agent } = desk();
      model.script({ toolCalls: [{ id: "1", name: "look_up", arguments: {} }] }, { text: ANSWER });
      const result = await agent.run("Where is it?", { sessionId });
      return result.status === "completed" ? result.text : result.status;
    },
    /** The traces of each conversation that came out of the collector. */
    arrived: () => conversations(spansOf(receiver?.bodies ?? [])),
    /** The traces of each conversation, where spans of one id are one span. */
    arrivedAtLeastOnce: () =>
      conversations([...new Map(spansOf(receiver?.bodies ?? []).map((span) => [span.spanId, span])).values()]),
  };
}
