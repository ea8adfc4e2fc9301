// The agents of these tests, for the process of the tests and for the one that resumes their runs.
import { createAgent, defineTool, withPlugins, workflow } from "@suite/agent";
import { anthropic } from "@suite/agent/anthropic";
import { openai } from "@suite/agent/openai";
import { audit, fileSink } from "@suite/audit";
import { defaultTypes, pii } from "@suite/pii";
import { tracing } from "@suite/tracing";
import { everything, planted } from "../planted.mjs";

const strategies = /** @type {const} */ (["redact", "mask", "hash"]);
/** Each kind of what is planted, by each strategy that replaces. @type {import("@suite/pii").Rules} */
const rules = Object.fromEntries(
  defaultTypes.map((type, at) => [type, strategies[at % strategies.length] ?? "redact"]),
);

/** Every order in which the three plugins can stand. */
export const orders = [
  ["tracing", "pii", "audit"],
  ["tracing", "audit", "pii"],
  ["pii", "tracing", "audit"],
  ["pii", "audit", "tracing"],
  ["audit", "tracing", "pii"],
  ["audit", "pii", "tracing"],
];

const apply = {
  output: true,
  toolArguments: true,
  toolResults: true,
  systemPrompt: true,
  humanInput: true,
  memory: true,
};
const make = {
  tracing: () => tracing({ content: "redacted" }),
  pii: () => pii(rules, { apply }),
  /** @param {string} dir */
  audit: (dir) => audit({ sink: fileSink({ dir }), warn: () => {} }),
};

const tools = [
  defineTool({ name: "look_up", description: `Not ${planted.email}`, execute: () => ({ found: everything }) }),
  defineTool({ name: "weigh", execute: () => new Promise((resolve) => setTimeout(resolve, 5, everything)) }),
  defineTool({
    name: "fail",
    execute() {
      throw new Error(`cannot reach ${everything}`);
    },
  }),
  defineTool({ name: "refund", needsApproval: true, execute: () => `refunded ${everything}` }),
  defineTool({ name: "ship" }),
];

const store = "notes";
const remembering = [
  defineTool({ name: "think", plans: true, execute: () => `Think of ${everything}` }),
  defineTool({
    name: "recall",
    memory: { operation: "search_memory", store },
    execute: () => [{ id: "n1", content: everything, metadata: { [everything]: everything } }],
  }),
  defineTool({ name: "note", memory: { operation: "upsert_memory", store }, execute: () => `noted ${everything}` }),
  defineTool({ name: "forget", memory: { operation: "delete_memory", store }, execute: () => 1 }),
];

const answer = { type: "object", properties: { to: { type: "string" } }, required: ["to"] };
const resume = { keys: [{ id: "test", secret: "not a secret, but long enough for one" }] };

/**
 * `desk` has the tools, `form` answers in JSON, `lead` has `desk` as a tool, `planner` plans and has a memory.
 *
 * @param {{ modelUrl: string, provider: string, order: readonly string[], auditDir: string }} where
 */
export function agents({ modelUrl, provider, order, auditDir }) {
  const model =
    provider === "openai"
      ? openai("fake", { baseURL: `${modelUrl}/v1`, apiKey: "none" })
      : anthropic("fake", { baseURL: modelUrl, apiKey: "none" });
  const plugins = order.map((name) => make[/** @type {keyof typeof make} */ (name)](auditDir));
  const common = { model, resume, systemPrompt: `Never write to ${everything}.` };
  const bare = createAgent({ ...common, name: "desk", tools });
  const desk = withPlugins(bare, plugins);
  const form = withPlugins(createAgent({ ...common, name: "form", outputSchema: answer }), plugins);
  const asked = [desk.asTool({ description: `Knows ${everything}` })];
  const lead = withPlugins(createAgent({ ...common, name: "lead", tools: asked }), plugins);
  const planner = withPlugins(createAgent({ ...common, name: "planner", plans: "first", tools: remembering }), plugins);
  return { desk, form, lead, planner };
}

/**
 * A plugin for a workflow, in which `pii` would guard nothing: of it only the redactor is listed.
 *
 * @param {import("@suite/core").Plugin} plugin
 */
const aroundWorkflow = (plugin) =>
  plugin.name === "pii" && plugin.redactor ? { name: "redactor", redactor: plugin.redactor } : plugin;

/**
 * A workflow of what `planner` finds and `desk` makes of it.
 *
 * @param {ReturnType<typeof agents>} team
 * @param {boolean} stream
 */
export const report = ({ desk, planner }, stream) =>
  workflow(
    "report",
    async (/** @type {string} */ topic, within) => {
      const run = (/** @type {typeof desk} */ agent, /** @type {string} */ input) =>
        stream ? agent.stream(input, within).result : agent.run(input, within);
      const found = await run(planner, topic);
      return run(desk, found.status === "completed" ? found.text : "");
    },
    { plugins: planner.stack.plugins.map(aroundWorkflow) },
  );
