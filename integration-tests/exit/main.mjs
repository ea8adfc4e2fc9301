// An agent whose tools ask web servers and databases, both watched by instrumentations of others, in a process of its
// own. It is told on standard input where things are, and which types to redact.
import { text } from "node:stream/consumers";
import { registerInstrumentations } from "@opentelemetry/instrumentation";
import { PgInstrumentation } from "@opentelemetry/instrumentation-pg";
import { UndiciInstrumentation } from "@opentelemetry/instrumentation-undici";
import { createAgent, defineTool } from "@suite/agent";
import { openai } from "@suite/agent/openai";
import { pii } from "@suite/pii";
import { tracing } from "@suite/tracing";
import { setupTracing } from "@suite/tracing/node";
import { everything } from "../planted.mjs";
import { browse, browseWithPassword, headers } from "./browse.mjs";
import { note } from "./note.mjs";
import { insertTwice, query } from "./query.mjs";

const { endpoint, modelUrl, shop, postgres, types } = JSON.parse(await text(process.stdin));
const rules = Object.fromEntries(types.map((/** @type {string} */ type) => [type, "redact"]));
const telemetry = setupTracing({ endpoint, ...(types.length > 0 && { redactor: pii(rules).redactor }), warn() {} });
registerInstrumentations({
  instrumentations: [
    new UndiciInstrumentation({ headersToSpanAttributes: { requestHeaders: headers, responseHeaders: headers } }),
    new PgInstrumentation({
      enhancedDatabaseReporting: true,
      responseHook: (span, { data }) => span.setAttribute("rows", JSON.stringify(data.rows)),
    }),
  ],
});

/** @param {string} name @param {() => unknown} act */
const tool = (name, act) => defineTool({ name, execute: async () => (await act()) ?? everything });
let done = 0;
const tools = [
  tool("browse", () => browse(shop).then(() => done++)),
  tool("query", () => query(postgres).then(() => done++)),
  tool("note", note),
  // What these throw is told to the model.
  tool("browse_with_password", () => browseWithPassword(shop)),
  tool("insert_twice", () => insertTwice(postgres)),
];
// Without pii() among its plugins: all that protects is what stands at the exit.
const agent = createAgent({
  name: "desk",
  model: openai("fake", { baseURL: `${modelUrl}/v1`, apiKey: "none" }),
  systemPrompt: `Never write to ${everything}.`,
  tools,
  plugins: [tracing({ content: "full", warn() {} })],
});
const { status } = await agent.run(`Tell ${everything}`);
await agent.close();
await telemetry.shutdown();
if (status !== "completed" || done < 2) throw new Error(`The run is ${status}, and ${done} of 2 tools were.`);
