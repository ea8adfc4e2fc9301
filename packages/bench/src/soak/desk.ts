import { type Agent, createAgent, defineTool } from "@suite/agent";
import { openai } from "@suite/agent/openai";
import { humanInTheLoop } from "@suite/approval";
import { audit, fileSink } from "@suite/audit";
import {
  clearToolUses,
  contentLimit,
  contextEditing,
  dynamicContext,
  historyLimit,
  promptCache,
  summarization,
  taskReminder,
  todoList,
  tokenLimit,
  toolSearch,
  toolSelector,
} from "@suite/context";
import { outermost, type Plugin, type StateStore } from "@suite/core";
import {
  denyPatterns,
  files,
  moderation,
  promptInjection,
  schema,
  toolPolicy,
  toolResults,
  topics,
} from "@suite/guardrails";
import { costBudget, modelCallLimit, rateLimit, replyBudget, toolCallLimit } from "@suite/limits";
import { logging, timing } from "@suite/logging";
import { conversations, type inProcessMemory, memory } from "@suite/memory";
import { pii } from "@suite/pii";
import {
  cache,
  circuitBreaker,
  hedge,
  modelFallback,
  repairToolCall,
  retryModel,
  retryTool,
  timeout,
  toolErrors,
  undo,
} from "@suite/resilience";
import { speech } from "@suite/speech";
import { toolEmulator } from "@suite/tools";
import { mcpTools } from "@suite/tools/mcp";
import { fileSearch, shell } from "@suite/tools/node";
import { tracing } from "@suite/tracing";
import { type Books, MOST_INPUT, price } from "./books.js";
import type { RequestRegister } from "./load.js";

/** The things that all desks of a soak have in common, as processes of one deployment have. */
export interface Common {
  readonly books: Books;
  readonly modelUrl: string;
  /** The state store, on Redis. */
  readonly store: StateStore;
  readonly auditDir: string;
  readonly asked: RequestRegister;
  /** Milliseconds after which a suspended run can be resumed no more. */
  readonly expiresIn: number;
}

export const keys = [{ id: "soak", secret: "only for the soak: 32 bytes and more of it" }];

/** The guard of personal data; its redactor is at the exit of tracing too. */
export const guardOf = () =>
  pii(
    { email: "redact", credit_card: "mask", ip: "hash", mac: "redact", url: "redact" },
    {
      apply: {
        output: true,
        toolArguments: true,
        toolResults: true,
        systemPrompt: true,
        humanInput: true,
        memory: true,
        errors: true,
      },
    },
  );

const nothing = (): void => {};

/** A client of an MCP server that has one tool. */
const shop = {
  request: async ({ method }: { readonly method: string }) =>
    method === "tools/list"
      ? { tools: [{ name: "stock", description: "How many are there.", inputSchema: { type: "object" } }] }
      : { content: [{ type: "text", text: "12 are there." }] },
} as unknown as Parameters<typeof mcpTools>[0];

/** Each plugin of the suite, as a support desk would have it; the first is the outermost. */
function pluginsOf(
  { books, store, auditDir, asked }: Common,
  remembered: ReturnType<typeof inProcessMemory>,
): readonly Plugin[] {
  const line = (): void => void books.lines++;
  const prices = { "model-a": price, "model-b": price };
  const beep = { mediaType: "audio/L8", synthesize: (text: string) => new Uint8Array(text.length) };
  const limited = { store: books.store(store) };
  return [
    tracing({ content: "redacted", warn: nothing }),
    speech({ synthesizer: beep, speak: "sentence", onAudio: () => void books.audio++ }),
    logging({ content: "redacted", logger: { debug: line, info: line, warn: line, error: line } }),
    timing(),
    guardOf(),
    audit({ sink: books.sink(fileSink({ dir: auditDir })), policy: { content: "redacted" }, warn: nothing }),

    conversations({ store, maxMessages: 12, maxCharacters: 20_000, ttl: 3_600_000 }),
    memory({ store: remembered, mode: "both", whenNoUser: "skip" }),
    promptInjection({ action: "flag" }),
    toolResults({ action: "redact" }),
    denyPatterns({ patterns: { ticket: /T-[0-9]{6}/ }, places: ["output", "tool_result"], action: "redact" }),
    topics({ deny: { politics: ["election"] }, action: "flag" }),
    moderation({ moderate: async ({ text }) => text.includes("never said"), every: 200 }),
    toolPolicy({
      policy: {
        version: 1,
        default: "allow",
        deny: [{ tools: ["sign"] }],
        rates: [{ tools: ["refund"], calls: 5, per: "run" }],
      },
    }),
    files({ tools: ["read"], paths: ["path"], roots: ["/srv/docs"] }),
    schema({ schema: { type: "object" }, repairs: 1, onFailure: "pass", name: "no-schema", mode: "monitor" }),

    undo({ store, timeout: 5000 }),
    humanInTheLoop(
      { refund: { allowedDecisions: ["approve", "reject", "edit", "respond"] } },
      { store, keys, ask: (request) => void asked.add(request) },
    ),
    toolErrors(),
    retryTool({ tools: ["find_order"], maxAttempts: 3, initialDelay: 20 }),
    repairToolCall(),
    shell({ policy: "sandbox", timeout: 5000, keepSuspended: 10_000 }),
    fileSearch({ root: import.meta.dirname, maxEntries: 500 }),
    mcpTools(shop),

    todoList(),
    taskReminder(),
    dynamicContext(() => "The shop is open from nine to five."),
    summarization({ trigger: { messages: 14 }, keep: { messages: 6 } }),
    contextEditing({ edits: [clearToolUses({ trigger: 2000, keep: 2 })] }),
    historyLimit({ messages: 40, whenTooLarge: "send" }),
    contentLimit({ partCharacters: 4000, characters: 80_000, whenTooLarge: "send" }),
    tokenLimit({ tokens: 20_000, whenTooLarge: "send" }),
    toolSelector({ maxTools: 12 }),
    toolSearch({ maxTools: 9 }),
    promptCache(),

    cache({ tenant: () => "everyone", ttl: 30_000, maxEntries: 200 }),
    modelFallback({ models: ["model-b"] }),
    retryModel({ maxAttempts: 3, initialDelay: 50, maxDelay: 1000 }),
    hedge({ delay: 1000 }),
    modelCallLimit({ runLimit: 14, threadLimit: 100_000_000, name: "calls", ...limited }),
    toolCallLimit({ runLimit: 12 }),
    replyBudget({ tokenBudget: 40_000 }),
    rateLimit({ calls: 1_000_000, window: 60_000, ...limited }),
    // No user comes near it: it is held to be exact, not to be reached.
    costBudget({
      name: "budget",
      budget: 5_000_000,
      prices,
      tenant: (runtime) => outermost(runtime).userId,
      countTokens: () => MOST_INPUT,
      ...limited,
    }),
    books.ledger(),
    circuitBreaker({ failures: 6, of: 10, openFor: 1500 }),
    timeout({ call: 10_000, firstChunk: 3000, betweenChunks: 1500, tool: 8000 }),
    toolEmulator({ tools: ["forecast"] }),
  ];
}

const order = {
  type: "object",
  properties: { order: { type: "string" }, amount: { type: "number" }, ref: { type: "number" } },
  required: ["order"],
} as const;

interface Order {
  readonly order: string;
  readonly ref?: number;
}

/** The tools of the desk: some work here, one asks first, one runs in the payment system, one is another agent. */
function toolsOf({ books, modelUrl }: Common) {
  let looked = 0;
  const billing = createAgent({
    name: "billing",
    model: openai("model-a", { apiKey: "none", baseURL: `${modelUrl}/v1` }),
    systemPrompt: "You explain invoices.",
    maxRounds: 3,
  });
  return [
    defineTool({
      name: "find_order",
      description: "Status, total and contact of an order.",
      input: order,
      async execute(input) {
        await new Promise((resolve) => setTimeout(resolve, 5));
        if (looked++ % 9 === 0) throw Object.assign(new Error("jane.doe@example.com is busy"), { code: "ECONNRESET" });
        return { order: (input as Order).order, status: "shipped", contact: "jane.doe@example.com" };
      },
    }),
    defineTool({
      name: "book_pickup",
      description: "Books a pickup at once.",
      input: order,
      execute(input, runtime) {
        const { ref = 0 } = input as Order;
        const run = outermost(runtime).runId;
        books.effect("book_pickup", run, `${ref}`);
        return { booked: true, ref, run };
      },
      undo(_, result) {
        const { ref, run } = result as { ref: number; run: string };
        books.effect("cancel_pickup", run, `${ref}`);
      },
    }),
    defineTool({
      name: "refund",
      description: "Refunds an order, when a person has said so.",
      input: order,
      execute(input, runtime) {
        books.effect("refund", outermost(runtime).runId, `${(input as Order).ref}`);
        return { refunded: true };
      },
    }),
    defineTool({ name: "pay_out", description: "Pays out. Runs in the payment system.", input: order }),
    defineTool({ name: "forecast", description: "When it will arrive.", input: order, execute: () => "unknown" }),
    billing.asTool({ description: "Explains invoices." }),
  ];
}

/** A support desk with every plugin of the suite. */
export const deskOf = (common: Common, remembered: ReturnType<typeof inProcessMemory>): Agent =>
  createAgent({
    name: "support",
    model: openai("model-a", { apiKey: "none", baseURL: `${common.modelUrl}/v1` }),
    tools: toolsOf(common),
    systemPrompt: "You answer the tickets of a small shop. Look orders up before you speak of them.",
    plugins: pluginsOf(common, remembered),
    maxRounds: 8,
    resume: { keys, store: common.store, expiresIn: common.expiresIn },
  });
