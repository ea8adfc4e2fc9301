import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, jest } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import { definePlugin, type Plugin } from "@suite/core";
import * as ai from "ai";
import { ending, scripted, textChunks, textResult } from "../../packages/adapters/ai-sdk/test/support.js";
import { watched } from "../watched.js";

// The audit log reports that it created a key.
jest.spyOn(console, "warn").mockImplementation(() => {});

/** The members of `@ai-sdk/policy-opa` that are used here. It is not installed where the tests' types are checked. */
interface PolicyOpa {
  httpPolicyClient(options: { url: string }): object;
  opaPolicy(options: { client: object; path: string }): unknown;
  shadow(approval: unknown, options: { enforce: boolean }): unknown;
  wrapMcpTools(tools: object, approval: unknown, options: { default: string }): { toolApproval: unknown };
}
const path = "@ai-sdk/policy-opa";

/** The decisions of the policy, by the argument `to`. For any other value it has none. */
const decisions: Readonly<Record<string, object>> = {
  ann: { decision: "allow" },
  eve: { decision: "deny", reason: "Eve is not a customer." },
  bob: { decision: "requires-approval", reason: "Is it for Bob?" },
};

let opa: PolicyOpa;
let server: Server;
let policy: unknown;
beforeAll(async () => {
  opa = (await import(path)) as PolicyOpa;
  server = createServer(async (request: IncomingMessage, response) => {
    let body = "";
    for await (const piece of request) body += String(piece);
    const { input } = JSON.parse(body) as { input: { args: { to: string } } };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ result: decisions[input.args.to] ?? null }));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  policy = opa.opaPolicy({ client: opa.httpPolicyClient({ url }), path: "agent/call/decision" });
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const inputSchema = ai.jsonSchema<object>({ type: "object" });
const stopWhen = ai.stepCountIs(2);
type Desk = { plugins: readonly Plugin[]; model: ReturnType<typeof scripted>["model"]; settings: object };
type Step = { readonly content: readonly { readonly type: string }[] };

const ways: Readonly<Record<string, (desk: Desk) => PromiseLike<readonly Step[]>>> = {
  generateText: async ({ plugins, ...own }) => (await withPlugins(ai, plugins).generateText(allOf(own))).steps,
  streamText: ({ plugins, ...own }) => withPlugins(ai, plugins).streamText(allOf(own)).steps,
  ToolLoopAgent: async ({ plugins, model, settings }) =>
    (await withPlugins(new ai.ToolLoopAgent({ model, stopWhen, ...settings }), plugins).generate({ prompt: "Go." }))
      .steps,
};
const allOf = ({ model, settings }: Omit<Desk, "plugins">) => ({ model, prompt: "Go.", stopWhen, ...settings });

/** Runs an agent whose model calls the tool `send` once. Returns its parts and how often the tool ran. */
async function send(way: string, to: string, plugins: readonly Plugin[], toolApproval: unknown = policy) {
  let runs = 0;
  const tools = { send: ai.tool({ inputSchema, execute: () => (++runs > 0 ? "sent" : "") }) };
  const call = { type: "tool-call" as const, toolCallId: "c", toolName: "send", input: JSON.stringify({ to }) };
  const { model } = scripted(
    way === "streamText"
      ? [
          [{ type: "stream-start", warnings: [] }, call, { type: "finish", ...ending("tool-calls") }],
          textChunks("Done."),
        ]
      : [{ content: [call], ...ending("tool-calls"), warnings: [] }, textResult("Done.")],
  );
  const steps = await ways[way]?.({ plugins, model, settings: { tools, toolApproval } });
  return { types: steps?.flatMap(({ content }) => content.map(({ type }) => type)), runs };
}

describe.each(Object.keys(ways))("a policy of @ai-sdk/policy-opa in %s", (way) => {
  it.each(["ann", "eve", "bob", "zoe"])("decides on the call for %s as without plugins", async (to) => {
    const watch = watched();
    expect(await send(way, to, watch.plugins)).toEqual(await send(way, to, []));
    await watch.written();
  });

  it("leaves a span, a decision and audit records of a denied call", async () => {
    const watch = watched();
    expect((await send(way, "eve", watch.plugins)).runs).toBe(0);
    const { spans, records } = await watch.written();
    const span = spans.find(({ name }) => name === "execute_tool send");
    expect(span?.attributes).toMatchObject({ "gen_ai.tool.call.id": "c" });
    const written = records.map((record) => JSON.parse(record));
    const target = { name: "send", id: "c" };
    expect(written.filter(({ type }) => type === "approval")).toMatchObject([{ decision: "rejected", target }]);
    expect(written.filter(({ type }) => type === "external_result")).toMatchObject([{ target }]);
  });

  it("passes a call that needs approval through the humanInput layers", async () => {
    const questions: string[] = [];
    const deciding = definePlugin({
      name: "deciding",
      humanInput: async (invocation) => {
        questions.push(invocation.request.question);
        invocation.respond({ value: true });
      },
    });
    expect((await send(way, "bob", [deciding])).runs).toBe(1);
    expect(questions).toEqual(["Is it for Bob?"]);
  });

  it("keeps shadow mode and the default of wrapMcpTools", async () => {
    const none = [watched(), watched()] as const;
    expect((await send(way, "eve", none[0].plugins, opa.shadow(policy, { enforce: false }))).runs).toBe(1);
    const { toolApproval } = opa.wrapMcpTools({ send: {} }, policy, { default: "denied" });
    expect((await send(way, "zoe", none[1].plugins, toolApproval)).runs).toBe(0);
    for (const watch of none) await watch.written();
  });
});
