import { describe, expect, it } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import { humanInTheLoop } from "@suite/approval";
import { definePlugin, type Plugin } from "@suite/core";
import { memoryStateStore } from "@suite/kit/store";
import * as ai from "ai";
import { ending, scripted, textResult } from "../packages/adapters/ai-sdk/test/support.js";
import { leftBehind, rowOf } from "./left-behind.js";

interface Form {
  readonly tool?: object;
  readonly settings?: object;
  readonly plugins?: readonly Plugin[];
  /** The person's answer. Without one, the turn does not wait. */
  readonly approved?: boolean;
  /** The result of a tool that runs elsewhere. */
  readonly output?: string;
}

const userApproval = { toolApproval: { refund: "user-approval" } };
const deciding = definePlugin({
  name: "deciding",
  humanInput: async (invocation) => invocation.respond({ value: true }),
});

/** The forms of both versions, by the name of their row. */
export const both: Readonly<Record<string, Form>> = {
  "AI SDK 6, 7: `needsApproval`, approved": { tool: { needsApproval: true }, approved: true },
  "AI SDK 6, 7: `needsApproval`, denied": { tool: { needsApproval: true }, approved: false },
  "AI SDK 6, 7: `needsApproval`, a layer decides": { tool: { needsApproval: true }, plugins: [deciding] },
  "AI SDK 6, 7: a tool without `execute`": { tool: { execute: undefined }, output: "refunded" },
};

/** The forms of version 7. */
export const ofSeven: Readonly<Record<string, Form>> = {
  "AI SDK 7: `toolApproval` with `user-approval`, approved": { settings: userApproval, approved: true },
  "AI SDK 7: `toolApproval` with `user-approval`, denied": { settings: userApproval, approved: false },
  "AI SDK 7: `toolApproval` with `denied`": { settings: { toolApproval: { refund: "denied" } } },
  "AI SDK 7: `toolApproval` with `approved`": { settings: { toolApproval: { refund: "approved" } } },
};

/** Approvals of the plugin, with the framework's means to answer. The guard has a new store in each test. */
const guarded = (): Form => ({
  plugins: [humanInTheLoop({ refund: true }, { store: memoryStateStore() })],
  approved: true,
});

/** Describes what each form leaves behind in the version that is installed. */
export function describeAsked(version: string, forms: Readonly<Record<string, Form>>): void {
  describe(`a question of ${version} leaves what the README lists`, () => {
    it.each(Object.keys(forms))("%s", async (name) => expect(await asked(forms[name] as Form)).toEqual(rowOf(name)));
    const plugin = "AI SDK 6, 7: `humanInTheLoop` of this package, approved";
    it(plugin, async () => expect(await asked(guarded())).toEqual(rowOf(plugin)));
  });
}

async function asked({ tool = {}, settings = {}, plugins = [], approved, output }: Form) {
  const watched = leftBehind();
  const { generateText } = withPlugins(ai, [...watched.plugins, ...plugins] as readonly Plugin[]);
  const call = { type: "tool-call" as const, toolCallId: "call_r", toolName: "refund", input: "{}" };
  const { model } = scripted([{ content: [call], ...ending("tool-calls"), warnings: [] }, textResult("Done.")]);
  const inputSchema = ai.jsonSchema({ type: "object" });
  const refund = ai.tool({ inputSchema, execute: () => "refunded", ...tool } as never);
  const turn = { model: model as never, tools: { refund }, stopWhen: ai.stepCountIs(2), ...settings };
  const question = { role: "user" as const, content: "Refund it." };
  const { response, content } = await generateText({ ...turn, messages: [question] });
  const answer =
    output !== undefined
      ? {
          type: "tool-result" as const,
          toolCallId: "call_r",
          toolName: "refund",
          output: { type: "text", value: output },
        }
      : { type: "tool-approval-response" as const, approvalId: approvalIn(content), approved };
  if (approved !== undefined || output !== undefined) {
    const messages = [question, ...response.messages, { role: "tool" as const, content: [answer as never] }];
    await generateText({ ...turn, messages });
  }
  return watched.left();
}

const approvalIn = (content: readonly object[]): string | undefined =>
  content.flatMap((part) => ("approvalId" in part ? [String(part.approvalId)] : []))[0];
