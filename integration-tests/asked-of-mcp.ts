import { CreateMessageRequestSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { inputRequired } from "@modelcontextprotocol/server";
import { pair } from "../packages/adapters/mcp/test/pair.js";
import { type Link, pair2 } from "../packages/adapters/mcp/test/pair2.js";
import { type Left, leftBehind } from "./left-behind.js";

const text = (content: string) => ({ content: [{ type: "text" as const, text: content }] });
const question = { message: "Refund it?", requestedSchema: { type: "object" as const, properties: {} } };
const draft = { messages: [{ role: "user" as const, content: text("Write.").content[0] as never }], maxTokens: 10 };
const accepted = { action: "accept" as const, content: {} };
const written = { role: "assistant" as const, model: "m", content: { type: "text" as const, text: "Dear" } };

type Tool = "ask" | "sample";
/** The plugins of both sides. */
const sides = () => {
  const kinds = ["tool", "humanInput", "model"] as const;
  return { client: leftBehind(kinds), server: leftBehind(kinds) };
};

async function version1(tool: Tool) {
  const { client: atClient, server: atServer } = sides();
  const { client } = await pair(
    (shop, desk) => {
      shop.registerTool("ask", {}, async () => text((await shop.server.elicitInput(question)).action));
      shop.registerTool("sample", {}, async () => text((await shop.server.createMessage(draft)).role));
      desk.setRequestHandler(ElicitRequestSchema, () => accepted);
      desk.setRequestHandler(CreateMessageRequestSchema, () => written);
    },
    { atClient: atClient.plugins, atServer: atServer.plugins },
  );
  await client.callTool({ name: tool });
  return { atClient, atServer };
}

async function version2(tool: Tool, link: Link, byCaller = false) {
  const { client: atClient, server: atServer } = sides();
  const { client } = await pair2(
    (shop) => {
      shop.registerTool("ask", {}, ({ mcpReq: { inputResponses } }) =>
        inputResponses?.sure === undefined
          ? inputRequired({ inputRequests: { sure: inputRequired.elicit({ mode: "form", ...question }) } })
          : text("done"),
      );
      shop.registerTool("sample", {}, ({ mcpReq: { inputResponses } }) =>
        inputResponses?.draft === undefined
          ? inputRequired({ inputRequests: { draft: inputRequired.createMessage(draft) } })
          : text("done"),
      );
    },
    {
      atClient: atClient.plugins,
      atServer: atServer.plugins,
      link,
      autoFulfill: !byCaller,
      onClient: (desk) => {
        desk.setRequestHandler("elicitation/create", () => accepted);
        desk.setRequestHandler("sampling/createMessage", () => written);
      },
    },
  );
  if (byCaller) {
    await client.callTool({ name: tool }, { allowInputRequired: true });
    const answered = { name: tool, inputResponses: { sure: accepted } };
    await client.callTool(answered);
  } else await client.callTool({ name: tool });
  return { atClient, atServer };
}

const asks = "`elicitation/create`";
const samples = "`sampling/createMessage`";
const runs = {
  [`MCP SDK 1: ${asks}`]: () => version1("ask"),
  [`MCP SDK 1: ${samples}`]: () => version1("sample"),
  [`MCP SDK 2, 2025-11-25: ${asks}`]: () => version2("ask", "legacy"),
  [`MCP SDK 2, 2025-11-25: ${samples}`]: () => version2("sample", "legacy"),
  "MCP SDK 2, 2026-07-28: `inputRequired.elicit`": () => version2("ask", "http"),
  "MCP SDK 2, 2026-07-28: `inputRequired.createMessage`": () => version2("sample", "http"),
  "MCP SDK 2, 2026-07-28: the caller answers": () => version2("ask", "http", true),
};

/** The parts that each form of MCP leaves behind on each side, by the name of its row. */
export const formsOfMcp: Readonly<Record<string, () => Promise<Left>>> = Object.fromEntries(
  Object.entries(runs).flatMap(([name, run]) => [
    [`${name}, client`, async () => (await run()).atClient.left()],
    [`${name}, server`, async () => (await run()).atServer.left()],
  ]),
);
