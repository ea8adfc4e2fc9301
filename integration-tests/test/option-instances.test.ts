import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "@jest/globals";
import { createAgent, defineTool } from "@suite/agent";
import { humanInTheLoop } from "@suite/approval";
import { audit } from "@suite/audit";
import { summarization, taskReminder, todoList } from "@suite/context";
import type { Plugin } from "@suite/core";
import { moderation, toolPolicy } from "@suite/guardrails";
import { memoryStateStore } from "@suite/kit/store";
import { costBudget, type ModelPrice, rateLimit } from "@suite/limits";
import { logging, timing } from "@suite/logging";
import { conversations, inProcessMemory, memory } from "@suite/memory";
import { memoryVault, pii } from "@suite/pii";
import { cache, circuitBreaker, repairToolCall, retryModel, retryTool, toolErrors } from "@suite/resilience";
import { speech } from "@suite/speech";
import { scriptedModel } from "@suite/testkit";
import { publishable, root } from "../../scripts/workspaces.mjs";
import { instanceOf } from "./classes-as-options.js";

/** A statement that checks options and leaves them as they are: methods taken out of them lose their `this`. */
const ignored =
  /^[ ]*(?:if \(.*\) )?check(?:Options|Names|LogOptions|VerifyOptions)\(\s*(?:["`][^"`]+["`]|of),\s*(\w+)[,)]/gm;

/** Options without methods, or those whose methods are called on them. */
const plain = new Set(["memory", "retrieval", "sandbox", "container", "stored", "definition", "restore"]);

it("a function that takes options goes on with what their check returns", () => {
  const files = publishable()
    .map(({ dir }) => join(dir, "src"))
    .filter((dir) => !dir.includes("testkit") && existsSync(join(root, dir)))
    .flatMap((dir) =>
      readdirSync(join(root, dir), { recursive: true, encoding: "utf8" }).map((file) => join(dir, file)),
    )
    .filter((path) => path.endsWith(".ts"));
  const wrong = files.flatMap((path) =>
    [...readFileSync(join(root, path), "utf8").matchAll(ignored)]
      .filter(({ 1: name = "" }) => !plain.has(name))
      .map(({ 0: statement }) => `${path}: ${statement.trim()}`),
  );
  expect(wrong).toEqual([]);
});

it("options that are an instance of a class keep their methods and private fields", async () => {
  const seen: string[] = [];
  class Timings {
    readonly #seen = seen;
    onTiming({ kind }: { readonly kind: string }): void {
      this.#seen.push(kind);
    }
  }
  class Budget {
    readonly #tenant = "acme";
    readonly budget = 5;
    readonly #price = { input: 1, output: 1, maxOutputTokens: 1000 };
    prices(): ModelPrice {
      seen.push("priced");
      return this.#price;
    }
    tenant(): string {
      seen.push(this.#tenant);
      return this.#tenant;
    }
  }
  const model = scriptedModel("Hi.");
  const agent = createAgent({ name: "desk", model, plugins: [timing(new Timings()), costBudget(new Budget())] });
  expect(await agent.run("Hello")).toMatchObject({ status: "completed", text: "Hi." });
  expect(seen).toEqual(expect.arrayContaining(["acme", "priced", "model", "agent"]));
});

/** Makes a plugin whose options, stores, sinks and other collaborators are instances. */
type Make = (made: <T extends object>(members: T) => T) => Plugin;

const line = (): void => {};
const price = { input: 1, output: 1, maxOutputTokens: 1000 };
const store = memoryStateStore;

/** Plugins, and the methods of their options that a run with a failing tool and a failing model calls. */
const plugins: Readonly<Record<string, readonly [make: Make, called: string]>> = {
  timing: [(made) => timing(made({ onTiming: line })), "onTiming"],
  logging: [
    (made) => logging(made({ logger: made({ debug: line, info: line, warn: line, error: line }) })),
    "debug error info",
  ],
  costBudget: [
    (made) =>
      costBudget(
        made({ budget: 5, prices: () => price, tenant: () => "acme", countTokens: () => 1, store: made(store()) }),
      ),
    "add countTokens prices tenant",
  ],
  rateLimit: [
    (made) => rateLimit(made({ calls: 9, window: 1000, tenant: () => "acme", store: made(store()) }) as never),
    "add tenant",
  ],
  taskReminder: [(made) => taskReminder(made({ write: () => "Go on." })), "write"],
  summarization: [
    (made) =>
      summarization(
        made({
          trigger: { messages: 2 },
          keep: { messages: 1 },
          summarize: async () => "It was said.",
          countTokens: () => 1,
        }),
      ),
    "summarize",
  ],
  moderation: [(made) => moderation(made({ moderate: async () => false })), "moderate"],
  toolPolicy: [
    (made) =>
      toolPolicy(
        made({
          policy: { version: 1, default: "allow", deny: [{ tools: ["pay"], roles: ["guest"] }] },
          role: () => "owner",
        }) as never,
      ),
    "role",
  ],
  conversations: [
    (made) => conversations(made({ store: made(store()), sessionId: () => "s", userId: () => "ada" })),
    "compareAndSet get sessionId userId",
  ],
  memory: [
    (made) => memory(made({ store: made(inProcessMemory()), userId: () => "ada", remember: () => ["Likes tea."] })),
    "add remember search userId",
  ],
  retryTool: [
    (made) =>
      retryTool(
        made({ tools: (tool: unknown) => tool !== undefined, maxAttempts: 1, onExhausted: () => "No." }) as never,
      ),
    "onExhausted tools",
  ],
  retryModel: [
    (made) =>
      retryModel(made({ maxAttempts: 2, initialDelay: 1, retryOn: () => true, onExhausted: () => "No." }) as never),
    "onExhausted retryOn",
  ],
  toolErrors: [(made) => toolErrors(made({ errors: () => true, text: () => "It failed." }) as never), "errors text"],
  circuitBreaker: [(made) => circuitBreaker(made({ key: () => "m", failOn: () => true }) as never), "failOn key"],
  cache: [
    (made) =>
      cache(made({ tenant: () => "acme", when: () => true, hash: async () => "h", store: made(store()) }) as never),
    "compareAndSet get hash tenant when",
  ],
  repairToolCall: [(made) => repairToolCall(made({ repair: async () => ({ eur: 1 }) })), "repair"],
  audit: [
    (made) => audit(made({ sink: made({ append: async () => {}, close: async () => {} }), warn: line })),
    "append",
  ],
  pii: [
    (made) =>
      pii(
        { email: made({ strategy: () => "mail" }) as never, ip: "tokenize" },
        made({ vault: made(memoryVault()) }),
      ) as Plugin,
    "id strategy",
  ],
  humanInTheLoop: [
    (made) =>
      humanInTheLoop(
        { pay: made({ when: () => true, description: () => "Pay?", always: made({ per: () => "all" }) }) as never },
        made({ ask: async () => ({ decision: "approve", always: true }) as const, store: made(store()) }),
      ),
    "ask claim compareAndSet description get per when",
  ],
  speech: [
    (made) =>
      speech(
        made({
          synthesizer: made({ mediaType: "audio/L8" as const, synthesize: () => new Uint8Array(1) }),
          onAudio: line,
        }) as never,
      ),
    "onAudio synthesize",
  ],
};

it.each(Object.entries(plugins))(
  "the options of %s may be instances whose methods use `this`",
  async (_, [make, expected]) => {
    const called = new Set<string>();
    const pay = defineTool({
      name: "pay",
      description: "Pays.",
      parameters: { type: "object", properties: { eur: { type: "number" } }, required: ["eur"] } as const,
      execute: ({ eur }) => {
        if (eur === 2) throw new Error("The bank is closed.");
        return "Paid.";
      },
    });
    const call = (eur: unknown) => ({ toolCalls: [{ name: "pay", arguments: { eur } }] });
    const todos = {
      toolCalls: [{ name: "write_todos", arguments: { todos: [{ content: "pay", status: "pending" }] } }],
    };
    const script = expected === "write" ? [todos] : [];
    const model = scriptedModel(...script, call("one"), call(2), call(1), "Done.", () => {
      throw new Error("offline");
    });
    const others = expected === "write" ? [todoList()] : [];
    const agent = createAgent({
      name: "desk",
      model,
      tools: [pay],
      plugins: [...others, make((members) => instanceOf(members, called))],
    });
    const ids = { sessionId: "s", userId: "ada" };
    const first = await agent.run("I am jane@x.com at 10.0.0.7", ids).catch((error: unknown) => ({ error }));
    await agent.run("And again", ids).catch(() => {});
    expect([first, [...called]]).toEqual([expect.anything(), expect.arrayContaining(expected.split(" "))]);
  },
);
