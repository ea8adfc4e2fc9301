import { CreateMessageRequestSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import type { Plugin } from "@suite/core";
import { pair } from "../../../packages/adapters/mcp/test/pair.js";
import { text } from "./planted-attempts.js";
import type { Programs } from "./programs.js";

const content = { content: [{ type: "text" as const, text }] };

/** A server that answers, fails, and asks the client's model and its user, in each of the ways that MCP has. */
const connected = (plugins: Parameters<typeof pair>[1]) =>
  pair((server, client) => {
    server.registerTool("tell", {}, () => ({
      ...content,
      structuredContent: { text },
    }));
    server.registerTool("fail", {}, () => {
      throw new Error(text);
    });
    server.registerTool("sample", {}, async () => {
      const messages = [{ role: "user" as const, content: { type: "text" as const, text } }];
      await server.server.createMessage({ systemPrompt: text, messages, maxTokens: 10 });
      return content;
    });
    server.registerTool("elicit", {}, async () => {
      const requestedSchema = { type: "object" as const, properties: { note: { type: "string" as const } } };
      await server.server.elicitInput({ message: text, requestedSchema });
      return content;
    });
    server.registerResource("note", "note://1", {}, () => ({ contents: [{ uri: "note://1", text }] }));
    server.registerPrompt("greet", {}, () => ({
      messages: [{ role: "user", content: { type: "text", text } }],
    }));
    client.setRequestHandler(CreateMessageRequestSchema, () => ({
      role: "assistant",
      model: "m",
      content: { type: "text", text },
    }));
    client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { note: text } }));
  }, plugins);

/** Every request of MCP that a plugin sees, with personal data in it and in its answer; the plugins at either side, and at both. */
export const mcpPrograms: Programs = Object.fromEntries(
  [["client"], ["server"], ["client", "server"]].map((sides) => [
    `plugins at the ${sides.join(" and the ")}`,
    async (plugins: readonly Plugin[]) => {
      const { client } = await connected({
        ...(sides.includes("client") && { atClient: plugins }),
        ...(sides.includes("server") && { atServer: plugins }),
      });
      await client.callTool({ name: "tell", arguments: { of: text } });
      for (const name of ["fail", "sample", "elicit", "nobody has it"]) await client.callTool({ name });
      await client.readResource({ uri: "note://1" });
      await client.getPrompt({ name: "greet", arguments: { who: text } });
    },
  ]),
);
