import { afterEach, beforeEach, expect, it } from "@jest/globals";
import { SpanStatusCode } from "@opentelemetry/api";
import { createAgent, defineTool } from "@suite/agent";
import { audit } from "@suite/audit";
import { onAbort } from "@suite/core";
import { tracing } from "@suite/tracing";
import { call, scripted } from "../../packages/agent/test/support.js";
import { Metering } from "../../packages/plugins/tracing/test/metering.js";
import { outline, startSdk, stopSdk } from "../../packages/plugins/tracing/test/support.js";

let exporter: ReturnType<typeof startSdk>;
let metering: Metering;
beforeEach(() => {
  exporter = startSdk();
  metering = new Metering().register();
});
afterEach(async () => {
  await metering.stop();
  stopSdk();
});

/** An agent that waits for another one's tool, which works until it is told to stop. */
function desk() {
  const records: { readonly type: string; readonly stage: string; readonly outcome?: { status: string } }[] = [];
  const append = async (record: never): Promise<void> => void records.push(record);
  const plugins = [tracing(), audit({ sink: { append, close: async () => {} }, warn: () => {} })];
  let begin = (): void => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const work = defineTool({
    name: "work",
    execute: (_input, { signal }) =>
      new Promise((_, reject) => {
        onAbort(signal, () => reject(signal.reason));
        begin();
      }),
  });
  const wait = defineTool({ name: "wait", execute: () => begun });
  const helper = createAgent({ name: "helper", model: scripted([call("1", "work")]), tools: [work], plugins });
  const model = scripted([call("1", "wait"), call("2", "helper", { prompt: "help" })]);
  const tools = [wait, helper.asTool({ description: "Helps." })];
  return { agent: createAgent({ name: "desk", model, tools, plugins }), records };
}

const told = async (name: string) =>
  (await metering.read())[name]?.points.map(({ attributes }) => attributes["error.type"] ?? "none");
const cut = ["execute_tool work", "invoke_agent helper", "execute_tool helper", "invoke_agent desk"];

it.each(["stops reading", "aborts"])("tells what a consumer who %s cut off, and how", async (how) => {
  const { agent, records } = desk();
  const aborting = new AbortController();
  const stream = agent.stream("go", { signal: aborting.signal });
  const reading = (async () => {
    let count = 0;
    for await (const _ of stream) {
      if (++count < 3) continue;
      if (how === "stops reading") break;
      aborting.abort(new DOMException("took too long", "TimeoutError"));
    }
  })();
  await reading.catch(() => {});
  const spans = exporter.getFinishedSpans();
  const aborted = how === "aborts";
  expect(outline(spans)).toEqual([
    "chat scripted-1 < invoke_agent desk",
    "chat scripted-1 < invoke_agent helper",
    "execute_tool wait < invoke_agent desk",
    "execute_tool work < invoke_agent helper",
    "invoke_agent helper < execute_tool helper",
    "execute_tool helper < invoke_agent desk",
    "invoke_agent desk",
  ]);
  for (const { name, status, attributes, events } of spans) {
    const wasCut = cut.includes(name);
    expect([name, attributes["suite.status"]]).toEqual([name, wasCut ? "cancelled" : undefined]);
    expect([name, attributes["error.type"]]).toEqual([name, wasCut && aborted ? "TimeoutError" : undefined]);
    expect([name, status.code]).toEqual([name, wasCut && aborted ? SpanStatusCode.ERROR : SpanStatusCode.UNSET]);
    expect(events).toEqual([]);
  }
  const error = aborted ? "TimeoutError" : "none";
  expect(await told("gen_ai.invoke_agent.duration")).toEqual([error, error]);
  expect((await told("gen_ai.execute_tool.duration"))?.sort()).toEqual([error, error, "none"].sort());
  const ends = records.filter(({ stage, type }) => stage === "outcome" && type !== "model" && type !== "policy");
  expect(ends.map(({ type, outcome }) => `${type} ${outcome?.status}`)).toEqual([
    "tool completed",
    "tool cancelled",
    "agent cancelled",
    "tool cancelled",
    "agent cancelled",
  ]);
});
