import { expect, it } from "@jest/globals";
import * as agents from "@openai/agents";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { tracing } from "@suite/tracing";
import { withPlugins } from "../src/index.js";
import { said, scripted } from "./support.js";

it.each([
  ["inputGuardrails", "InputGuardrailTripwireTriggered"],
  ["outputGuardrails", "OutputGuardrailTripwireTriggered"],
])(
  "a tripwire of the SDK's own %s is the error of the run's span, without an event of its own",
  async (place, type) => {
    const exporter = new InMemorySpanExporter();
    const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const guardrail = { name: "topic", execute: async () => ({ tripwireTriggered: true, outputInfo: {} }) };
    const { model } = scripted([said("Yes.")]);
    const desk = new agents.Agent({ name: "desk", model, [place]: [guardrail] });
    await expect(withPlugins(agents, [tracing({ tracerProvider })]).run(desk, "Hi")).rejects.toThrow();
    const run = exporter.getFinishedSpans().find(({ name }) => name === "invoke_agent desk");
    expect(run?.attributes["error.type"]).toBe(type);
    expect(run?.events.map(({ name }) => name)).toEqual(["exception"]);
  },
);
