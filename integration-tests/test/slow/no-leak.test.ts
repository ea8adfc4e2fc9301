import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { type Agent, createAgent, defineTool, type PendingState, result, withPlugins } from "@suite/agent";
import { openai } from "@suite/agent/openai";
import { audit, fileSink, verify } from "@suite/audit";
import type { Plugin } from "@suite/core";
import { pii, type Rules } from "@suite/pii";
import { type ModelAnswer, type ModelServer, startModelServer } from "@suite/testkit";
import { tracing } from "@suite/tracing";
import { setupTracing, type TracingSetup } from "@suite/tracing/node";

/** One of each type, planted in every place. */
const planted = {
  email: "canary.jane@leak.example",
  card: "4111 1111 1111 1111",
  ip: "203.0.113.77",
  mac: "00:1A:2B:3C:4D:5E",
  url: "https://leak.example/canary?user=7",
};
const all = Object.values(planted).join(" and ");
const found = (where: string): readonly string[] => Object.values(planted).filter((value) => where.includes(value));

const types = ["email", "credit_card", "ip", "mac", "url"] as const;
const mixed = { email: "redact", credit_card: "mask", ip: "hash", mac: "redact", url: "redact" } as const;
const tokenized: Rules = Object.fromEntries(types.map((type) => [type, "tokenize" as const]));
const apply = { output: true, toolArguments: true, toolResults: true, systemPrompt: true, humanInput: true };

let server: ModelServer;
let collector: Server;
let telemetry: TracingSetup;
let sent = "";
const folder = mkdtempSync(join(tmpdir(), "no-leak-"));

beforeAll(async () => {
  server = await startModelServer();
  collector = createServer(async (request, response) => {
    sent += await text(request);
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  telemetry = setupTracing({ endpoint: `http://127.0.0.1:${(collector.address() as AddressInfo).port}` });
});
afterAll(async () => {
  await telemetry.shutdown();
  await server.close();
  collector.close();
  rmSync(folder, { recursive: true });
});

/** The three plugins in each order; the redactor is not at the exit here: the plugins alone must do it. */
function orders(dir: string, rules: Rules): readonly (readonly [string, readonly Plugin[]])[] {
  const make = (): Record<string, Plugin> => ({
    tracing: tracing({ content: "full" }),
    pii: pii(rules, { apply }),
    audit: audit({ sink: fileSink({ dir }), policy: { content: "full" }, warn: () => {} }),
  });
  const names = ["tracing", "pii", "audit"];
  const permutations = names.flatMap((a) =>
    names.filter((b) => b !== a).map((b) => [a, b, names.find((c) => c !== a && c !== b) ?? ""]),
  );
  return permutations.map((order) => {
    const plugins = make();
    return [order.join(", "), order.flatMap((name) => plugins[name] ?? [])];
  });
}

/** The inputs that tools were given. */
let given: unknown[] = [];
const tools = [
  defineTool({
    name: "echo",
    description: `Never mail ${planted.email}`,
    parameters: { type: "object", properties: { to: { type: "string", description: all, default: planted.email } } },
    execute(input) {
      given.push(input);
      return { input, also: all };
    },
  }),
  defineTool({
    name: "fail",
    execute() {
      throw Object.assign(new Error(`cannot reach ${all}`), { code: "ERR_REMOTE" });
    },
  }),
  defineTool({ name: "elsewhere" }),
];

const answers: readonly ModelAnswer[] = [
  {
    text: `I will ask ${all}. `,
    toolCalls: [
      { id: "1", name: "echo", arguments: { to: all } },
      { id: "2", name: "fail", arguments: { to: all } },
      { id: "3", name: "elsewhere", arguments: { to: all } },
    ],
    chunks: 3,
  },
  { text: `Done: ${all}.`, chunks: "characters" },
];

async function run(agent: Agent, stream: boolean): Promise<string> {
  let seen = "";
  const leg = async (input: Parameters<Agent["run"]>[0]) => {
    if (!stream) return agent.run(input);
    const streamed = agent.stream(input);
    for await (const delta of streamed)
      seen += delta.type === "part" && delta.part.type === "text" ? delta.part.content : "";
    return streamed.result;
  };
  const first = await leg(`Tell ${all}`);
  if (first.status !== "suspended") throw new Error("the run was not suspended");
  const pending = JSON.parse(JSON.stringify(first.pending)) as PendingState;
  const decisions = pending.calls.map((call) => result(call, { sent: all }));
  const second = await leg({ pending, decisions });
  if (second.status !== "completed") throw new Error("the run did not end");
  return seen + second.text;
}

it("the three go with every hook that @suite/agent serves, as the compiler checks", () => {
  const agent = createAgent({ name: "typed", model: openai("none", { apiKey: "none" }) });
  const wrapped = withPlugins(agent, [tracing(), pii(mixed, { apply }), audit({ sink: fileSink({ dir: folder }) })]);
  expect(wrapped.stack.plugins.map(({ name }) => name)).toEqual(["tracing", "pii", "audit"]);
});

describe.each([
  { name: "taken out", rules: mixed, tokens: false },
  { name: "tokenized", rules: tokenized, tokens: true },
])("personal data that is $name, with the three plugins in every order", ({ name: folderName, rules, tokens }) => {
  const dir = join(folder, folderName);
  describe.each(orders(dir, rules))("%s", (_, plugins) => {
    it.each([true, false])("reaches neither model, tools, spans nor log (streamed: %s)", async (stream) => {
      server.reset();
      server.script(...answers);
      sent = "";
      given = [];
      const model = openai("fake", { baseURL: `${server.url}/v1`, apiKey: "none" });
      const bare = createAgent({ name: "canary", model, tools, systemPrompt: `Never write to ${all}.` });
      const agent = withPlugins(bare, plugins);
      const seen = await run(agent, stream);
      await telemetry.flush();
      // The user, and nobody else, has values back where there are tokens.
      expect(found(seen)).toEqual(tokens ? Object.values(planted) : []);
      expect(seen).toContain(tokens ? `Done: ${all}.` : "[REDACTED_EMAIL]");
      const asked = JSON.stringify(server.requests.map(({ body }) => body));
      expect(found(asked)).toEqual([]);
      expect(asked).toContain(tokens ? "<EMAIL_1_" : "[REDACTED_EMAIL]");
      expect(given.length).toBe(1);
      expect(found(JSON.stringify(given))).toEqual([]);
      expect(sent).toContain("execute_tool elsewhere");
      expect(found(sent)).toEqual([]);
    });

    it("is not told by an error of the model either", async () => {
      server.reset();
      server.script({ text: all, fault: { status: 500 } });
      sent = "";
      const model = openai("fake", { baseURL: `${server.url}/v1`, apiKey: "none" });
      const failing = { ...model, generate: () => Promise.reject(new Error(`${all} is not a valid model`)) };
      const agent = withPlugins(createAgent({ name: "canary", model: failing }), plugins);
      await expect(agent.run("go")).rejects.toThrow(planted.email);
      await telemetry.flush();
      expect(sent).toContain("invoke_agent canary");
      expect(found(sent)).toEqual([]);
    });

    it("is not in the log, which verifies", async () => {
      for (const plugin of plugins) await plugin.close?.();
      const log = readdirSync(dir)
        .filter((file) => file.endsWith(".jsonl"))
        .map((file) => readFileSync(join(dir, file), "utf8"))
        .join("");
      expect(log).toContain('"external_result"');
      expect(found(log)).toEqual([]);
      expect(await verify(dir)).toMatchObject({ ok: true });
    });
  });
});
