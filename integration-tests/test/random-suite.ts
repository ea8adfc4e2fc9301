import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { audit } from "@suite/audit";
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
import type { Plugin, StateStore } from "@suite/core";
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
import { logging, timing } from "@suite/logging";
import { conversations, inProcessMemory, type MemoryStore, memory } from "@suite/memory";
import { pii, type Rules } from "@suite/pii";
import { speech } from "@suite/speech";
import { toolEmulator } from "@suite/tools";
import { mcpTools } from "@suite/tools/mcp";
import { fileSearch, shell } from "@suite/tools/node";
import { tracing } from "@suite/tracing";
import { planted } from "../planted.mjs";
import { type Canaries, forbidden } from "./random-canaries.js";
import { type Guard, guardsOf } from "./random-guards.js";

const rules: Rules = Object.fromEntries(Object.keys(planted).map((type) => [type, "redact"]));
const apply = {
  output: true,
  toolArguments: true,
  toolResults: true,
  systemPrompt: true,
  humanInput: true,
  memory: true,
  errors: true,
};

/** A memory that knows the user from a time without guards. */
function memoryOf(canaries: Canaries): MemoryStore {
  const { id, add, search, forget } = inProcessMemory();
  return {
    id,
    forget,
    async search(scope, query, limit, call) {
      canaries.look("what a memory is searched for", query);
      return [{ id: "old", content: `Writes to ${canaries.all}.` }, ...(await search(scope, query, limit, call))];
    },
    add(scope, records, call) {
      canaries.look("what a memory keeps", records);
      return add(scope, records, call);
    },
  };
}

/** The store of conversations, which are looked at when they are written. */
const looking = (store: StateStore, canaries: Canaries): StateStore => ({
  get: (key) => store.get(key),
  compareAndSet(key, version, value, expiry) {
    canaries.look("what a conversation keeps", value);
    return store.compareAndSet(key, version, value, expiry);
  },
  add: (key, amount, options) => store.add(key, amount, options),
  claim: (key, expiry) => store.claim(key, expiry),
  delete: (key) => store.delete(key),
});

/** A client of an MCP server that has one tool. */
const clientOf = (canaries: Canaries): Client => {
  const answers: Readonly<Record<string, unknown>> = {
    "tools/list": { tools: [{ name: "book", description: `Books ${canaries.all}.`, inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: `Booked for ${canaries.all}. ${canaries.order}` }] },
  };
  const request = async ({ method }: { readonly method: string }) => answers[method];
  const listTools = () => request({ method: "tools/list" });
  return { request, listTools, callTool: () => request({ method: "tools/call" }) } as unknown as Client;
};

/** The plugin by which personal data is kept in: it is in every list. */
export const keepsIn = "pii";

/** All plugins of the suite, by name: one that is new gets its line here. */
export const suiteOf = (canaries: Canaries): Readonly<Record<string, Guard>> => {
  const one =
    (make: () => Plugin): Guard =>
    () => [make()];
  const log = (...line: readonly unknown[]): void => canaries.look("a line of the log", line);
  return {
    ...guardsOf(4),
    pii: one(() => pii(rules, { apply })),
    tracing: one(() => tracing({ content: "full", tracerProvider: canaries.spans, warn: () => {} })),
    audit: one(() =>
      audit({
        sink: { append: async (record) => canaries.look("a record", record), close: async () => {} },
        policy: { content: "full" },
        warn: () => {},
      }),
    ),
    logging: one(() => logging({ content: "redacted", logger: { debug: log, info: log, warn: log, error: log } })),
    timing: one(() => timing()),

    historyLimit: one(() => historyLimit({ messages: 6 })),
    tokenLimit: one(() => tokenLimit({ tokens: 4000 })),
    contentLimit: one(() => contentLimit({ partCharacters: 2000, characters: 40_000, whenTooLarge: "send" })),
    contextEditing: one(() => contextEditing({ edits: [clearToolUses({ trigger: 300, keep: 1 })] })),
    summarization: one(() => summarization({ trigger: { messages: 4 }, keep: { messages: 2 } })),
    todoList: one(() => todoList()),
    taskReminder: one(() => taskReminder()),
    dynamicContext: one(() => dynamicContext(() => `It is Monday. Ask ${canaries.all}.`)),
    toolSearch: one(() => toolSearch({ maxTools: 12 })),
    toolSelector: one(() => toolSelector({ maxTools: 12 })),
    promptCache: one(() => promptCache()),

    memory: one(() => memory({ store: memoryOf(canaries), mode: "both", userId: "ada" })),
    conversations: (_, store) => [conversations({ store: looking(store, canaries), userId: "ada" })],
    mcpTools: one(() => mcpTools(clientOf(canaries))),
    toolEmulator: one(() => toolEmulator({ tools: ["count"] })),
    shell: one(() => shell({ policy: "host", timeout: 2000 })),
    fileSearch: one(() => fileSearch({ root: join(import.meta.dirname, ".."), maxEntries: 1000 })),
    speech: one(() =>
      speech({
        speak: "sentence",
        synthesizer: {
          mediaType: "audio/L8",
          synthesize(said) {
            canaries.look("what is spoken", said);
            return new Uint8Array(1);
          },
        },
      }),
    ),

    toolPolicy: one(() =>
      toolPolicy({
        policy: {
          version: 1,
          default: "allow",
          deny: [{ tools: [forbidden.tool] }],
          rates: [{ tools: ["add"], calls: 2, per: "run" }],
        },
      }),
    ),
    schema: one(() => schema({ schema: { type: "object", required: ["done"] }, repairs: 1, onFailure: "pass" })),
    toolResults: one(() => toolResults({ action: "redact" })),
    promptInjection: one(() => promptInjection()),
    denyPatterns: one(() =>
      denyPatterns({ patterns: { ticket: forbidden.pattern }, places: ["output", "tool_result"], action: "redact" }),
    ),
    topics: one(() => topics({ deny: { politics: ["election"] }, action: "flag" })),
    moderation: one(() => moderation({ moderate: async ({ text }) => text.includes("never said"), every: 40 })),
    files: one(() => files({ tools: ["read"], paths: ["path"], roots: ["/srv/docs"] })),
  };
};
