import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { expect, it } from "@jest/globals";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { audit, fileSink } from "@suite/audit";
import type { Plugin, StateStore } from "@suite/core";
import { toolPolicy } from "@suite/guardrails";
import { memoryStateStore } from "@suite/kit/store";
import { costBudget, modelCallLimit } from "@suite/limits";
import { conversations, inProcessMemory, memory } from "@suite/memory";
import { memoryVault, pii, type UserVault } from "@suite/pii";
import type { Subject } from "@suite/testkit";
import { tracing } from "@suite/tracing";
import { root } from "../scripts/workspaces.mjs";
import { describeInFramework, type SubjectOf } from "./in-framework.js";

const ada = { userId: "ada", sessionId: "chat-1", tenantId: "acme" };
const bob = { userId: "bob", sessionId: "chat-2", tenantId: "other" };
const tokenizing = ["agent", "tool", "humanInput", "embedding", "retrieval"] as const;

/** Records with the fields that a test of ids reads. */
interface LoggedRecord {
  readonly type?: string;
  readonly runId?: string;
  readonly sessionId?: string;
  readonly tenantId?: string;
  readonly actor?: { readonly onBehalfOf?: string };
}

/** A store that adds the keys of its counters to the set. */
function noting(keys: Set<string>): StateStore {
  const store = memoryStateStore();
  const noted = (key: string): string => {
    keys.add(key);
    return key;
  };
  return { ...store, add: (key, ...rest) => store.add(noted(key), ...rest) };
}

/** Returns the names that occur in keys. A key with none of them is listed as such. */
function named(keys: ReadonlySet<string>, ...names: readonly string[]): readonly string[] {
  const found = [...keys].map((key) => names.find((name) => key.includes(name)) ?? `none in ${key}`);
  return [...new Set(found)].sort();
}

/** Returns the places in which a field of `run` is used, as the documentation of a package lists them. */
function usedIn(folder: string, field: string): string | undefined {
  const page = readFileSync(join(root, "docs/details", `${basename(folder)}.md`), "utf8");
  return new RegExp(`^\\| \`${field}\` +\\| [^|]+\\| ([^|]+?) +\\|$`, "m").exec(page)?.[1];
}

/** Plugins that use the ids of a run, and the places where each one put them. */
function identified({ hooks }: Subject) {
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const dir = mkdtempSync(join(tmpdir(), "identified-"));
  const log = audit({ sink: fileSink({ dir }), warn: () => {} });
  const [budgets, counters] = [new Set<string>(), new Set<string>()];
  const price = { input: 1, output: 1, maxOutputTokens: 100 };
  const memories = inProcessMemory();
  const remembering = memory({ store: memories });
  const history = conversations({ store: memoryStateStore() });
  const vault = memoryVault();
  const tokens = new Set<string>();
  const watching: UserVault = {
    ...vault,
    id: (session, label, value, user) => {
      tokens.add(`${session}/${user}`);
      return vault.id(session, label, value, user);
    },
  };
  const policy = toolPolicy({
    policy: { version: 1, allow: [{ tools: ["look"], roles: ["ada of acme"] }] },
    role: ({ userId, tenantId }) => `${userId} of ${tenantId}`,
  });
  const plugins: Plugin[] = [
    tracing({ tracerProvider }),
    log,
    costBudget({ budget: 1000, tenant: ({ userId }) => userId, prices: () => price, store: noting(budgets) }),
    modelCallLimit({ threadLimit: 9, store: noting(counters) }),
    ...(hooks.has("tool") ? [policy] : []),
    // A client and a protocol have no runs of agents to remember.
    ...(hooks.has("agent") ? [remembering, history] : []),
    { ...pii({ email: "tokenize" }, { vault: watching, apply: { telemetry: false } }), whereOffered: tokenizing },
  ];
  /** Waits for the plugins, and returns the ids that each of them got. */
  async function ids() {
    await remembering.settled();
    await log.close?.();
    const lines = readdirSync(dir)
      .filter((name) => name.endsWith(".jsonl"))
      .flatMap((name) => readFileSync(join(dir, name), "utf8").split("\n").filter(Boolean));
    rmSync(dir, { recursive: true });
    const records = lines.flatMap((line) => {
      const record = JSON.parse(line) as LoggedRecord;
      return record.runId === undefined || record.type === "policy" ? [] : [record];
    });
    const asked = { signal: new AbortController().signal, runtime: {} as never, call: { id: "1", kind: "memory" } };
    const rememberedOf = async (user: string) =>
      (await memories.search({ user }, "call", 9, asked as never)).length > 0;
    const keptOf = async (session: string, user: string) => (await history.messages(session, user)).length > 0;
    const attributes = exporter.getFinishedSpans().map((span) => span.attributes);
    const distinct = (all: readonly string[]) => [...new Set(all)].sort();
    return {
      // The conventions have the conversation on spans of agents and models alone.
      spans: distinct(attributes.map((of) => `${of["user.id"]}/${of["tenant.id"]}`)),
      sessions: distinct(
        attributes.flatMap(({ "gen_ai.conversation.id": id }) => (typeof id === "string" ? [id] : [])),
      ),
      records: distinct(records.map((each) => `${each.actor?.onBehalfOf}/${each.sessionId}/${each.tenantId}`)),
      budgets: named(budgets, "ada", "bob"),
      counters: named(counters, "chat-1", "chat-2"),
      conversations: [await keptOf("chat-1", "ada"), await keptOf("chat-2", "bob")],
      memories: [await rememberedOf("ada"), await rememberedOf("bob"), await rememberedOf("eve")],
      vault: [...tokens].sort(),
    };
  }
  return { plugins, ids };
}

/**
 * Describes which plugins get the ids that the option `run` returns in one framework.
 *
 * @param folder the package whose README lists them. `undefined` for one that has other options.
 */
export function describeIdentity(name: string, folder: string | undefined, subjectOf: SubjectOf): void {
  describeInFramework(`the ids of a run in ${name}`, subjectOf, ({ subject, stream }) => {
    if (stream && !subject.offers.has("stream")) return;
    const [hasTools, hasRuns] = [subject.hooks.has("tool"), subject.hooks.has("agent")];

    it("reach exactly the plugins that the documentation lists", async () => {
      const { plugins, ids } = identified(subject);
      const looked: string[] = [];
      for (const who of [ada, bob]) {
        const execute = () => looked.push(who.userId) && "found";
        const tools = [{ name: "look", description: "looks", parameters: { type: "object", properties: {} }, execute }];
        const call = { toolCalls: [{ id: `call-${who.userId}`, name: "look", arguments: {} }] };
        const seen = await subject.run({
          plugins,
          answers: [...(hasTools ? [call] : []), { text: "Noted." }],
          input: `Call ${who.userId}@example.com.`,
          tools: hasTools ? tools : [],
          stream,
          run: () => who,
        });
        expect(seen.error).toBeUndefined();
        expect(seen.prompts.join()).not.toContain("@example.com");
      }
      // The policy allows the tool to one of the two.
      expect(looked).toEqual(hasTools ? ["ada"] : []);
      expect(await ids()).toEqual({
        spans: ["ada/acme", "bob/other"],
        sessions: ["chat-1", "chat-2"],
        records: ["ada/chat-1/acme", "bob/chat-2/other"],
        budgets: ["ada", "bob"],
        counters: ["chat-1", "chat-2"],
        memories: [hasRuns, hasRuns, false],
        conversations: [hasRuns, hasRuns],
        vault: ["chat-1/ada", "chat-2/bob"],
      });
      if (folder === undefined) return;
      const ofRuns = hasRuns ? "memory, conversations, " : "";
      expect(usedIn(folder, "userId")).toBe(
        `spans, records, ${ofRuns}budgets, ${hasTools ? "policies, " : ""}the vault of \`pii\``,
      );
      expect(usedIn(folder, "sessionId")).toBe(
        `spans, records, ${hasRuns ? "conversations, " : ""}counters per session, the vault of \`pii\``,
      );
      expect(usedIn(folder, "tenantId")).toMatch(/^spans \(`tenant\.id`\), records, functions such as /);
    });
  });
}
