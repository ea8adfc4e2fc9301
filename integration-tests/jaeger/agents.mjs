// The agents of these tests.
import { trace } from "@opentelemetry/api";
import { createAgent, defineTool, withPlugins } from "@suite/agent";
import { fileResumeStore } from "@suite/agent/node";
import { openai } from "@suite/agent/openai";
import { tracing } from "@suite/tracing";

const tools = [
  defineTool({
    name: "look_up",
    description: "How many are in stock.",
    execute() {
      trace.getTracer("shop").startSpan("read stock").end();
      return { stock: 3 };
    },
  }),
  defineTool({
    name: "reserve",
    execute() {
      throw new RangeError("none left");
    },
  }),
  defineTool({ name: "refund", needsApproval: true, execute: () => ({ refunded: true }) }),
  defineTool({ name: "ship" }),
];

const handOver = defineTool({ name: "hand_over" });

/**
 * `clerk` has the tools, and `courier` as one more. Spans tell what was said: nothing of it is personal.
 *
 * @param {{ modelUrl: string, maxAge?: number, expiresIn?: number, store?: string }} where
 */
export function clerk({ modelUrl, maxAge, expiresIn, store }) {
  const model = openai("fake-model", { baseURL: `${modelUrl}/v1`, apiKey: "none" });
  const resume = {
    keys: [{ id: "test", secret: "not a secret, but long enough for one" }],
    ...(expiresIn !== undefined && { expiresIn }),
    ...(store !== undefined && { store: fileResumeStore(store) }),
  };
  const plugins = [
    tracing({ content: "full", warn: () => {}, ...(maxAge !== undefined && { compensation: { maxAge } }) }),
  ];
  const courier = withPlugins(createAgent({ name: "courier", model, tools: [handOver], resume }), plugins);
  const all = [...tools, courier.asTool({ description: "Knows when a parcel arrives." })];
  return withPlugins(createAgent({ name: "clerk", model, tools: all, resume }), plugins);
}
