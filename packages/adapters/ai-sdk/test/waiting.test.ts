import { describe, expect, it } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import { definePlugin, type Plugin } from "@suite/core";
import * as ai from "ai";
import { ending, scripted, textChunks, textResult } from "./support.js";

const watch = definePlugin({ name: "watch", observe() {} });
const call = { type: "tool-call" as const, toolCallId: "c", toolName: "send", input: "{}" };
const asks = () => scripted([{ content: [call], ...ending("tool-calls"), warnings: [] }, textResult("done")]).model;
const inputSchema = ai.jsonSchema({ type: "object" });

/** Whether the first answer's call carries a ticket, where tools are configured like this. */
async function carriesTicket(tool: object, settings: object = {}): Promise<boolean> {
  const { generateText } = withPlugins(ai, [watch]);
  const tools = { send: ai.tool({ inputSchema, ...tool } as never) };
  const { steps } = await generateText({ model: asks() as never, prompt: "go", tools, ...settings });
  const part = steps[0]?.content.find(({ type }) => type === "tool-call");
  return part?.type === "tool-call" && part.providerMetadata?.suite !== undefined;
}

describe("only a call that may have to wait carries a ticket", () => {
  const execute = () => "sent";

  for (const status of [
    "approved",
    "not-applicable",
    "denied",
    { type: "approved" },
    { type: "denied", reason: "no" },
  ]) {
    it(`none where toolApproval decides beforehand: ${JSON.stringify(status)}`, async () => {
      const settings = { toolApproval: { send: status } };
      expect(await carriesTicket({ execute }, settings)).toBe(false);
      expect(await carriesTicket({ execute, needsApproval: true }, { ...settings, stopWhen: ai.stepCountIs(1) })).toBe(
        false,
      );
    });
  }

  it("none if a tool declares that it needs no approval, or another tool needs one", async () => {
    expect(await carriesTicket({ execute, needsApproval: false })).toBe(false);
    expect(await carriesTicket({ execute }, { toolApproval: { other: "user-approval" } })).toBe(false);
  });

  it("one that needs a person, that may need one, or whose tool runs elsewhere", async () => {
    for (const status of ["user-approval", { type: "user-approval" }, () => "approved"]) {
      expect(await carriesTicket({ execute }, { toolApproval: { send: status } })).toBe(true);
    }
    expect(await carriesTicket({ execute }, { toolApproval: () => "approved" })).toBe(true);
    for (const needsApproval of [true, () => false]) expect(await carriesTicket({ execute, needsApproval })).toBe(true);
    expect(await carriesTicket({})).toBe(true);
    expect(await carriesTicket({}, { toolApproval: { send: "approved" } })).toBe(true);
  });
});

describe("a turn begins as soon as without the suite", () => {
  const idle: Plugin = definePlugin({
    name: "idle",
    agent: (_, callNext) => callNext(),
    model: (_, callNext) => callNext(),
  });

  it("generateText is called before the caller goes on", async () => {
    let called = false;
    const generateText: typeof ai.generateText = (settings) => {
      called = true;
      return ai.generateText(settings);
    };
    const wrapped = withPlugins({ ...ai, generateText }, [idle]);
    const result = wrapped.generateText({ model: scripted([textResult("done")]).model as never, prompt: "go" });
    expect(called).toBe(true);
    expect((await result).text).toBe("done");
  });

  it("the agent layers of streamText have entered before the caller goes on", async () => {
    const entered: string[] = [];
    const agent = definePlugin({
      name: "agent",
      agent: (invocation, callNext) => {
        entered.push(invocation.kind);
        return callNext();
      },
    });
    const { streamText } = withPlugins(ai, [agent]);
    const { text } = streamText({ model: scripted([textChunks("done")]).model as never, prompt: "go" });
    expect(entered).toEqual(["agent"]);
    expect(await text).toBe("done");
  });
});
