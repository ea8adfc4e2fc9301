import { describe, expect, it } from "@jest/globals";
import {
  answer,
  approve,
  askPerson,
  createAgent,
  defineTool,
  type PendingCall,
  type PendingState,
  reject,
  respond,
  result,
  workflow,
} from "@suite/agent";
import { anthropic } from "@suite/agent/anthropic";
import { openai, openaiResponses } from "@suite/agent/openai";
import { scripted } from "./support.js";

const model = scripted();
const agent = createAgent({ name: "a", model });
const call: PendingCall = { id: "1", name: "f", arguments: {}, reason: "approval", digest: "d", handedOutAt: 0 };
const typo = { plugin: "secret" } as object;

describe("an option that does not exist is refused by", () => {
  it.each<[string, () => unknown]>([
    ["createAgent", () => createAgent({ name: "a", model, ...typo })],
    ["resume", () => createAgent({ name: "a", model, resume: typo })],
    ["run", () => agent.run("q", typo)],
    ["stream", () => agent.stream("q", typo).result],
    ["expire", () => agent.expire({} as PendingState, typo)],
    ["asTool", () => agent.asTool({ description: "d", ...typo })],
    ["handoff", () => agent.handoff({ description: "d", ...typo })],
    ["defineTool", () => defineTool({ name: "f", ...typo })],
    ["needsApproval", () => defineTool({ name: "f", needsApproval: typo })],
    ["retrieval", () => defineTool({ name: "f", retrieval: typo })],
    ["memory", () => defineTool({ name: "f", memory: { operation: "search_memory", ...typo } })],
    ["askPerson", () => askPerson(typo)],
    ["workflow", () => workflow("w", () => 1, typo)],
    ["workflow", () => workflow("w", () => 1)("q", typo)],
    ["approve", () => approve(call, typo)],
    ["reject", () => reject(call, "no", typo)],
    ["respond", () => respond(call, 1, typo)],
    ["result", () => result(call, 1, typo)],
    ["answer", () => answer(call, 1, typo)],
    ["openai", () => openai("m", { apiKey: "none", ...typo })],
    ["openaiResponses", () => openaiResponses("m", { apiKey: "none", sendReasoning: true } as object)],
    ["anthropic", () => anthropic("m", { apiKey: "none", ...typo })],
  ])("%s", async (name, use) => {
    const failed = await (async () => use())().catch((error: unknown) => error);
    expect(failed).toMatchObject({ name: "AgentError", code: "ERR_AGENT_OPTIONS" });
    expect(failed).toMatchObject({ message: expect.stringContaining(name) });
    expect(String(failed)).not.toContain("secret");
  });
});
