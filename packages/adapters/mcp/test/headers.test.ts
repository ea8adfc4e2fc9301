import { expect, it } from "@jest/globals";
import { definePlugin, type Invocation } from "@suite/core";
import { pii } from "@suite/pii";
import { z } from "zod";
import { pair2 } from "./pair2.js";

const MAIL = "jane.doe@example.com";
const text = (content: string) => ({ content: [{ type: "text" as const, text: content }] });
const mirrored = (name: string) => z.string().meta({ "x-mcp-header": name });

const shop = (inputSchema: z.ZodObject) => (server: Parameters<Parameters<typeof pair2>[0]>[0]) =>
  server.registerTool("greet", { inputSchema }, (input) => text(JSON.stringify(input)));

it("headers name the method and the tool, and mirror the arguments after the layers", async () => {
  const guard = pii({ email: "redact" }, { apply: { toolArguments: true } });
  const schema = z.object({ to: mirrored("Recipient"), region: mirrored("Region") });
  const { client, headers } = await pair2(shop(schema), { atClient: [guard], link: "http" });
  await client.listTools();
  const result = await client.callTool({ name: "greet", arguments: { to: MAIL, region: "é" } });
  expect(result).toMatchObject(text('{"to":"[REDACTED_EMAIL]","region":"é"}'));
  const sent = headers.at(-1);
  expect(sent?.get("mcp-method")).toBe("tools/call");
  expect(sent?.get("mcp-name")).toBe("greet");
  expect(sent?.get("mcp-param-recipient")).toBe("[REDACTED_EMAIL]");
  expect(sent?.get("mcp-param-region")).toBe("=?base64?w6k=?=");
  expect(headers.map((each) => JSON.stringify([...each])).join()).not.toContain(MAIL);
});

it("a request whose mirrored argument is unknown is not sent", async () => {
  const one = definePlugin({
    name: "one",
    async tool(invocation: Invocation<"tool">, callNext) {
      const { request } = invocation;
      invocation.request = { ...request, input: { ...Object(request.input), a: "other" } };
      await callNext();
    },
  });
  const schema = z.object({ a: z.string(), b: mirrored("Recipient") });
  const { client } = await pair2(shop(schema), { atClient: [one], link: "http" });
  await client.listTools();
  await expect(client.callTool({ name: "greet", arguments: { a: "x", b: "x" } })).rejects.toMatchObject({
    code: "ERR_MCP_HEADER",
  });
  expect(await client.callTool({ name: "greet", arguments: { a: "x", b: "y" } })).toMatchObject(
    text('{"a":"other","b":"y"}'),
  );
});

it("a request is not sent if a header mirrors an argument that is nested too deep to find", async () => {
  const guard = pii({ email: "redact" }, { apply: { toolArguments: true } });
  let schema = z.object({ to: mirrored("Recipient") });
  let input: Record<string, unknown> = { to: MAIL };
  for (let depth = 0; depth < 40; depth++) {
    schema = z.object({ inner: schema }) as never;
    input = { inner: input };
  }
  const { client, headers } = await pair2(shop(schema), { atClient: [guard], link: "http" });
  await client.listTools();
  await expect(client.callTool({ name: "greet", arguments: input })).rejects.toMatchObject({ code: "ERR_MCP_HEADER" });
  expect(headers.map((each) => JSON.stringify([...each])).join()).not.toContain(MAIL);
});

/** A tool of a server that runs until its request is aborted. */
function waiting() {
  let began = () => {};
  const running = new Promise<void>((resolve) => {
    began = resolve;
  });
  let ended = (_: unknown) => {};
  const aborted = new Promise((resolve) => {
    ended = resolve;
  });
  const register = (server: Parameters<Parameters<typeof pair2>[0]>[0]) =>
    server.registerTool("wait", {}, async ({ mcpReq: { signal } }) => {
      signal.addEventListener("abort", ended);
      began();
      await aborted;
      return text("late");
    });
  return { running, aborted, register };
}

it("a cancelled call ends its HTTP request and the tool, with layers in between", async () => {
  const idle = definePlugin({
    name: "idle",
    async tool(_: Invocation<"tool">, callNext) {
      await callNext();
    },
  });
  const { running, aborted, register } = waiting();
  const { client } = await pair2(register, { atClient: [idle], atServer: [idle], link: "http" });
  const abort = new AbortController();
  const call = client.callTool({ name: "wait" }, { signal: abort.signal });
  await running;
  abort.abort("enough");
  await expect(call).rejects.toThrow("enough");
  await aborted;
});

it("a call that is cancelled before it is sent ends the layer that waits", async () => {
  let waiting = () => {};
  const reached = new Promise<void>((resolve) => {
    waiting = resolve;
  });
  let reason: unknown;
  const patient = definePlugin({
    name: "patient",
    async tool({ signal }: Invocation<"tool">, callNext) {
      await new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve());
        waiting();
      });
      reason = signal.reason;
      await callNext();
    },
  });
  const { client, headers } = await pair2(shop(z.object({})), { atClient: [patient], link: "http" });
  const before = headers.length;
  const abort = new AbortController();
  const call = client.callTool({ name: "greet", arguments: {} }, { signal: abort.signal });
  await reached;
  abort.abort("enough");
  await expect(call).rejects.toThrow("enough");
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(reason).toMatchObject({ name: "AbortError" });
  expect(headers.length).toBe(before);
});

it("a layer that does not wait for the answer ends the HTTP request", async () => {
  const { running, aborted, register } = waiting();
  const hasty = definePlugin({
    name: "hasty",
    async tool(invocation: Invocation<"tool">, callNext) {
      void callNext().catch(() => {});
      await running;
      invocation.giveUp(new Error("Too slow."));
      invocation.respond({ value: "gave up" });
    },
  });
  const { client } = await pair2(register, { atClient: [hasty], link: "http" });
  expect(await client.callTool({ name: "wait" })).toMatchObject(text("gave up"));
  await aborted;
});
