import { describe, expect, it } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import { definePlugin, type Plugin } from "@suite/core";
import * as ai from "ai";
import { major } from "./subject.js";
import { type Chunk, ending, recorder, scripted, textChunks, textResult } from "./support.js";

const inputSchema = ai.jsonSchema<object>({ type: "object" });
const call = { type: "tool-call" as const, toolCallId: "c", toolName: "send", input: '{"to":"ann"}' };
const wholes = () => [{ content: [call], ...ending("tool-calls"), warnings: [] }, textResult("Done.")];
const streams = (): readonly (readonly Chunk[])[] => [
  [{ type: "stream-start", warnings: [] }, call, { type: "finish", ...ending("tool-calls") }],
  textChunks("Done."),
];

/** The parts of an answer that concern its tool call, without ids and tickets. */
type Parts = readonly Readonly<Record<string, unknown>>[];
type Way = (
  plugins: readonly Plugin[],
  settings: object,
  needsApproval?: boolean,
) => Promise<{ readonly parts: Parts; readonly runs: number }>;

const partsOf = (steps: readonly { readonly content: readonly object[] }[]): Parts =>
  steps
    .flatMap(({ content }) => content as Parts)
    .map(({ approvalId: _, providerMetadata: __, toolCall, ...part }) => ({ ...part, ofCall: toolCall !== undefined }));

/** Calls the framework with a tool that counts its runs. */
const counted = async (
  needsApproval: boolean | undefined,
  own: (tools: ai.ToolSet) => Promise<{ steps: readonly { content: readonly object[] }[] }>,
) => {
  let runs = 0;
  const send = ai.tool({
    inputSchema,
    ...(needsApproval && { needsApproval }),
    execute: (input) => {
      runs += 1;
      return { sent: input };
    },
  });
  const { steps } = await own({ send });
  return { parts: partsOf(steps), runs };
};
const stopWhen = ai.stepCountIs(2);
const ways: Readonly<Record<string, Way>> = {
  generateText: (plugins, settings, needsApproval) =>
    counted(needsApproval, (tools) => {
      const { generateText } = withPlugins(ai, plugins);
      return generateText({ model: scripted(wholes()).model, prompt: "Go.", tools, stopWhen, ...settings });
    }),
  streamText: (plugins, settings, needsApproval) =>
    counted(needsApproval, async (tools) => {
      const { streamText } = withPlugins(ai, plugins);
      const model = scripted(streams()).model;
      const result = streamText({ model, prompt: "Go.", tools, stopWhen, ...settings });
      return { steps: await result.steps };
    }),
  ToolLoopAgent: (plugins, settings, needsApproval) =>
    counted(needsApproval, (tools) => {
      const model = scripted(wholes()).model;
      const agent = withPlugins(new ai.ToolLoopAgent({ model, tools, stopWhen, ...settings }), plugins);
      return agent.generate({ prompt: "Go." });
    }),
};

const statuses: Readonly<Record<string, unknown>> = {
  approved: { send: "approved" },
  "approved with a reason": { send: { type: "approved", reason: "small" } },
  denied: { send: "denied" },
  "denied with a reason": { send: { type: "denied", reason: "large" } },
  "denied by a function": { send: async () => "denied" },
  "denied by a function for all tools": ({ toolCall }: { toolCall: { toolName: string } }) =>
    toolCall.toolName === "send" ? { type: "denied", reason: "large" } : undefined,
  "user-approval": { send: "user-approval" },
  "user-approval with a reason": { send: { type: "user-approval", reason: "Is it for ann?" } },
  "not applicable": { send: "not-applicable" },
  "of another tool": { other: "denied" },
  "undefined of a function": () => undefined,
};
const about = { toolCallId: "c", toolName: "send", call: expect.anything() };
const denial = (response: string) => [
  { type: "approval", ...about, decision: "rejected" },
  expect.objectContaining({ type: "external_result", ...about, arguments: { to: "ann" }, outcome: "denied", response }),
];
const waiting = [
  {
    type: "suspension",
    call: expect.anything(),
    pending: [expect.objectContaining({ reason: "approval", part: expect.objectContaining({ id: "c" }) })],
  },
];
const notifications: Readonly<Record<string, unknown[]>> = {
  approved: [{ type: "approval", ...about, decision: "approved" }],
  "approved with a reason": [{ type: "approval", ...about, decision: "approved" }],
  denied: denial("Denied."),
  "denied with a reason": denial("large"),
  "denied by a function": denial("Denied."),
  "denied by a function for all tools": denial("large"),
  "user-approval": waiting,
  "user-approval with a reason": waiting,
};

describe("a humanInput layer alone", () => {
  it.each(Object.keys(ways))("decides on a call of a tool with needsApproval in %s", async (way) => {
    const deciding = (answer: unknown) =>
      definePlugin({ name: "deciding", humanInput: async (invocation) => invocation.respond({ value: answer }) });
    const run = ways[way] as Way;
    expect(await run([deciding(true)], {}, true)).toMatchObject({ runs: 1 });
    expect(await run([deciding(false)], {}, true)).toMatchObject({ runs: 0 });
    const edited = await run([deciding({ approve: true, arguments: { to: "eve" } })], {}, true);
    expect(edited.parts).toContainEqual(expect.objectContaining({ output: { sent: { to: "eve" } } }));
  });
});

/** Only major 7 has the setting. */
(major === "6" ? describe.skip : describe)("toolApproval", () => {
  const cases = Object.entries(ways).flatMap(([way, run]) =>
    Object.entries(statuses).map(([name, toolApproval]) => [name, way, toolApproval, run] as const),
  );

  it.each(cases)(
    "%s has the same answer in %s with plugins, which are notified",
    async (name, _, toolApproval, run) => {
      const bare = await run([], { toolApproval });
      const { plugin, told } = recorder();
      expect(await run([plugin], { toolApproval })).toEqual(bare);
      expect(told).toEqual(notifications[name] ?? []);
    },
  );

  it.each(Object.entries(ways))("a call that waits passes the humanInput layers in %s", async (_, run) => {
    const questions: string[] = [];
    const asking = definePlugin({
      name: "asking",
      async humanInput({ request }, callNext) {
        questions.push(request.question);
        await callNext();
      },
    });
    const own = { toolApproval: { send: { type: "user-approval", reason: "Is it for ann?" } } };
    expect(await run([asking], own)).toEqual(await run([], own));
    expect(questions).toEqual(["Is it for ann?"]);
    const rephrasing = definePlugin({
      name: "rephrasing",
      humanInput: (invocation, callNext) => {
        invocation.request = { ...invocation.request, question: "Is it for [REDACTED]?" };
        return callNext();
      },
    });
    const { parts } = await run([rephrasing], own);
    expect(parts).toContainEqual(expect.objectContaining({ reason: "Is it for [REDACTED]?" }));
  });

  it.each(Object.entries(ways))("a layer decides in place of the person in %s", async (_, run) => {
    const deciding = (answer: unknown) =>
      definePlugin({ name: "deciding", humanInput: async (invocation) => invocation.respond({ value: answer }) });
    const settings = { toolApproval: () => "user-approval" };
    expect(await run([deciding(true)], settings)).toMatchObject({ runs: 1 });
    const edited = await run([deciding({ approve: true, arguments: { to: "eve" } })], settings);
    expect(edited.parts).toContainEqual(expect.objectContaining({ output: { sent: { to: "eve" } } }));
    const refused = await run([deciding({ approve: false, message: "Not now." })], settings);
    expect(refused.runs).toBe(0);
    expect(refused.parts).toContainEqual(expect.objectContaining({ type: "tool-error", toolCallId: "c" }));
  });

  it("reports a denial once, also if the next turn goes on from it", async () => {
    const { plugin, told } = recorder();
    const { generateText } = withPlugins(ai, [plugin]);
    const tools = { send: ai.tool({ inputSchema, execute: () => "sent" }) };
    const settings = { tools, toolApproval: () => "denied" };
    const first = await generateText({ model: scripted(wholes()).model, prompt: "Go.", ...settings } as never);
    const history = JSON.parse(JSON.stringify(first.response.messages));
    const messages = [{ role: "user", content: "Go." }, ...history, { role: "user", content: "And now?" }];
    await generateText({ model: scripted([textResult("No.")]).model, messages, ...settings } as never);
    expect(told).toEqual(denial("Denied."));
  });
});
