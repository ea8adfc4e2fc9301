import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { approvals, humanInTheLoop } from "@suite/approval";
import { memoryStateStore } from "@suite/kit/store";
import { type ModelServer, startModelServer } from "@suite/testkit";
import { agentSubject } from "../../packages/agent/test/subject.js";
import { both, describeAsked } from "../asked-of-ai-sdk.js";
import { formsOfMcp } from "../asked-of-mcp.js";
import { leftBehind, rowOf } from "../left-behind.js";

describeAsked("the AI SDK 6", both);

describe("a question of MCP leaves what the README lists", () => {
  it.each(Object.keys(formsOfMcp))("%s", async (name) => expect(await formsOfMcp[name]?.()).toEqual(rowOf(name)));
});

describe("a question of @suite/agent leaves what the README lists", () => {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());

  it.each(["approve", "edit", "reject", "respond"] as const)("a front end stores a decision: %s", async (decision) => {
    const watched = leftBehind();
    const [store, keys] = [memoryStateStore(), [{ id: "1", secret: "s".repeat(32) }]];
    let id = "";
    const ask = (request: { readonly id: string }) => {
      id = request.id;
      return undefined;
    };
    const { resume } = await agentSubject(() => server).run({
      plugins: [...watched.plugins, humanInTheLoop({ refund: true }, { store, keys, ask })],
      answers: [{ toolCalls: [{ id: "call_r", name: "refund", arguments: {} }] }, { text: "Done." }],
      input: "Refund it.",
      tools: [{ name: "refund", description: "refunds", parameters: { type: "object" }, execute: () => "refunded" }],
      stream: false,
    });
    const more = {
      approve: {},
      edit: { arguments: { eur: 1 } },
      reject: { message: "No." },
      respond: { response: "no" },
    };
    await approvals({ store, keys }).decide(id, { decision, by: "ann", ...more[decision] } as never);
    await resume?.([{ id: "call_r", type: "approve" }]);
    expect(await watched.left()).toEqual(rowOf(`Front ends: a stored decision, \`${decision}\``));
  });
});
