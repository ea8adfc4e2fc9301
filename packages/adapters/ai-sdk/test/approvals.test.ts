import { expect, it } from "@jest/globals";
import { withPlugins } from "@suite/ai-sdk";
import { definePlugin, type Notification } from "@suite/core";
import * as ai from "ai";
import { ending, scripted, textResult } from "./support.js";

const call = { type: "tool-call" as const, toolCallId: "call_r", toolName: "refund", input: "{}" };

/** A plugin that asks for approvals. It accepts those of the framework, or refuses them. */
const deciding = (accepts: boolean) =>
  definePlugin({
    name: "deciding",
    approval: ({ approved }) => (approved !== undefined && accepts ? undefined : { question: "May it?" }),
  });

it.each([
  ["refuses it", false, []],
  ["leaves it to the framework", true, [{ toolCallId: "call_r", toolName: "refund", decision: "approved" }]],
] as const)(
  "an approval of the AI SDK is reported as approved only if it counts: the plugin that asks for it %s",
  async (_, accepts, expected) => {
    const told: Notification[] = [];
    const seeing = definePlugin({ name: "seeing", observe: (notification) => void told.push(notification) });
    let refunds = 0;
    const refund = ai.tool({
      inputSchema: ai.jsonSchema({ type: "object" }),
      needsApproval: true,
      execute: () => `refunded ${++refunds}`,
    });
    const { model } = scripted([{ content: [call], ...ending("tool-calls"), warnings: [] }, textResult("Done.")]);
    const { generateText } = withPlugins(ai, [deciding(accepts), seeing]);
    const asked = { model: model as never, tools: { refund } };
    const question = { role: "user" as const, content: "Refund it." };
    const { response, content } = await generateText({ ...asked, messages: [question] });
    const request = content.find(({ type }) => type === "tool-approval-request") as { readonly approvalId: string };
    const approval = { type: "tool-approval-response" as const, approvalId: request.approvalId, approved: true };
    await generateText({
      ...asked,
      messages: [question, ...response.messages, { role: "tool", content: [approval] }],
    });
    expect(refunds).toBe(accepts ? 1 : 0);
    const approvals = told.filter(({ type }) => type === "approval");
    expect(approvals).toHaveLength(expected.length);
    expect(approvals).toMatchObject(expected);
  },
);
