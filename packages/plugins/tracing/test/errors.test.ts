import { expect, it } from "@jest/globals";
import type { Plugin } from "@suite/core";
import { Metering } from "./metering.js";
import { useReceiver } from "./receiving.js";
import { Harness, redactor, tool } from "./support.js";
import { attributesOf, type WireSpan } from "./wire.js";

const { only, sent } = useReceiver();

it("tells the kind of error at the bottom of a refused connection", async () => {
  const harness = new Harness();
  const asking = tool("find", async () => {
    try {
      await fetch("http://127.0.0.1:1/");
    } catch (cause) {
      throw new Error("Connection error.", { cause });
    }
  });
  await harness.tool(harness.begin(), asking, {}).catch(() => {});
  const span = await only("execute_tool find");
  expect(attributesOf(span)).toMatchObject({ "error.type": "Error", "suite.error.cause": expect.any(String) });
  const cause = attributesOf(span)["suite.error.cause"];
  expect(span.status.message).toBe(`Connection error. (${cause})`);
  const [exception] = span.events;
  const { "exception.stacktrace": stack, "exception.message": told } = attributesOf(exception as WireSpan["events"][0]);
  expect(told).toBe("Connection error.");
  expect(stack).toMatch(/^Error: Connection error\./);
  expect(stack).not.toContain("fetch failed");
});

it("names what lies at the bottom, of several causes the first, and goes round no circle", async () => {
  const refused = Object.assign(new Error("connect ECONNREFUSED ann@example.com"), { code: "ECONNREFUSED" });
  const all = new AggregateError([refused]);
  const circle: Error & { cause?: unknown } = new Error("no answer", { cause: all });
  Object.assign(refused, { cause: circle });
  const harness = new Harness({}, [{ name: "guard", redactor }]);
  await harness
    .tool(
      harness.begin(),
      tool("find", () => Promise.reject(circle)),
      {},
    )
    .catch(() => {});
  const span = await only("execute_tool find");
  expect(attributesOf(span)).toMatchObject({ "suite.error.cause": "ECONNREFUSED" });
  expect(span.status.message).toBe("no answer (ECONNREFUSED)");
  expect(JSON.stringify(span)).not.toContain("ann@example.com");
});

it.each([
  ["none", "The tool's result reports a failure."],
  ["full", "no such file of [EMAIL]"],
] as const)("describes a result that is marked as an error, with content %s", async (content, message) => {
  const harness = new Harness({ content, warn: () => {} }, [{ name: "guard", redactor }]);
  const result = { isError: true, content: [{ type: "text", text: "no such file of ann@example.com" }] };
  await (
    await harness.tool(
      harness.begin(),
      tool("find", () => result),
      {},
    )
  ).final();
  expect((await only("execute_tool find")).status).toMatchObject({ code: 2, message });
});

it("gives a refusal one error type, asked within the turn or in an earlier one", async () => {
  const harness = new Harness();
  const run = harness.begin();
  const approval = { type: "approval", toolCallId: "c1", toolName: "inline", decision: "rejected" } as const;
  run.notify(approval);
  const refused = Object.assign(new Error("Refused by a person."), { code: "ERR_AGENT_TOOL_REJECTED" });
  await harness
    .tool(
      run,
      tool("inline", () => Promise.reject(refused)),
      {},
      undefined,
      "c1",
    )
    .catch(() => {});
  const now = Date.now();
  const outcome = await harness.agent(run, async function* (call) {
    const result = { toolCallId: "c2", toolName: "later", arguments: {}, outcome: "denied" } as const;
    run.notify({ type: "external_result", call, ...result, handedOutAt: now - 5, returnedAt: now });
    yield* [];
  });
  await outcome.final().catch(() => {});
  await run.end();
  const inline = await only("execute_tool inline");
  const later = await only("execute_tool later");
  const denied = { "error.type": "denied", "suite.status": "denied" };
  expect([attributesOf(inline), attributesOf(later)]).toEqual([
    expect.objectContaining(denied),
    expect.objectContaining(denied),
  ]);
  expect([inline.status.message, later.status.message]).toEqual(["Refused by a person.", "The call was refused."]);
});

it("says of a refused call that it failed, though it was let go, or a layer answered in its place", async () => {
  const harness = new Harness({}, [
    { name: "kind", tool: async (invocation, callNext) => callNext().catch(() => invocation.respond({ value: "no" })) },
  ]);
  const run = harness.begin();
  run.notify({ type: "approval", toolCallId: "c1", toolName: "find", decision: "rejected" });
  const refusing = tool("find", () => Promise.reject(new Error("Refused by a person.")));
  await (await harness.tool(run, refusing, {}, undefined, "c1")).final();
  await run.end();
  const spans = await sent("execute_tool find");
  expect(spans.map((span) => [span.status.code, attributesOf(span)["error.type"]])).toContainEqual([2, "denied"]);
  for (const span of spans) expect(span.status.code === 2).toBe(attributesOf(span)["error.type"] !== undefined);
});

it("says which call waits", async () => {
  const harness = new Harness();
  const run = harness.begin();
  const part = { type: "tool_call", id: "c7", name: "refund", arguments: {} } as const;
  const request = { id: "c7", tool: tool("refund", () => 1), input: {} };
  const outcome = await harness.stack.call("tool", run, request, async (call) =>
    call.respond({ suspended: [{ reason: "approval", part }] }),
  );
  await outcome.final().catch(() => {});
  const attributes = attributesOf(await only("execute_tool refund"));
  expect(attributes).toMatchObject({ "suite.status": "suspended", "suite.tool.call.id": "c7" });
  expect(attributes).not.toHaveProperty(["gen_ai.tool.call.id"]);
});

it.each(["the tool's own", "that of a layer in its place"])(
  "marks an answer of failure as failed, %s",
  async (whose) => {
    const metering = new Metering().register();
    const answer = { value: "no such file of ann@example.com", isError: true } as const;
    const instead: Plugin = {
      name: "instead",
      async tool(call, next) {
        await next();
        call.respond(answer);
      },
    };
    const layers: readonly Plugin[] = [{ name: "guard", redactor }, ...(whose.startsWith("that") ? [instead] : [])];
    const { stack } = new Harness({ content: "full", warn: () => {} }, layers);
    const run = stack.begin();
    const request = { id: "c1", tool: tool("find", () => 1), input: {} };
    const outcome = await stack.call("tool", run, request, async (call) =>
      call.respond(layers.length > 1 ? { value: "found" } : answer),
    );
    await outcome.final();
    await run.end();
    const span = await only("execute_tool find");
    expect(span.status).toMatchObject({ code: 2, message: "no such file of [EMAIL]" });
    expect(attributesOf(span)).toMatchObject({ "error.type": "tool_error" });
    const { points } = (await metering.read())["gen_ai.execute_tool.duration"] ?? { points: [] };
    await metering.stop();
    expect(points.map(({ attributes }) => attributes["error.type"])).toEqual(["tool_error"]);
  },
);
