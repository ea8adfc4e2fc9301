import { CreateMessageRequestSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { inputRequired } from "@modelcontextprotocol/server";
import type { Plugin } from "@suite/core";
import { z } from "zod";
import { pair } from "../../../packages/adapters/mcp/test/pair.js";
import { links, pair2 } from "../../../packages/adapters/mcp/test/pair2.js";
import { text } from "./planted-attempts.js";
import type { Programs } from "./programs.js";

const messages = [{ role: "user" as const, content: { type: "text" as const, text } }];
const requestedSchema = { type: "object" as const, properties: { note: { type: "string" as const } } };
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
      await server.server.createMessage({ systemPrompt: text, messages, maxTokens: 10 });
      return content;
    });
    server.registerTool("elicit", {}, async () => {
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

/** The sides of a connection that have plugins. */
const sides = [["client"], ["server"], ["client", "server"]] as const;
const at = (plugins: readonly Plugin[], where: readonly string[]) => ({
  ...(where.includes("client") && { atClient: plugins }),
  ...(where.includes("server") && { atServer: plugins }),
});

/** Every request of MCP that a plugin sees, with personal data in it and in its answer; the plugins at either side, and at both. */
export const mcpPrograms: Programs = Object.fromEntries(
  sides.map((where) => [
    `plugins at the ${where.join(" and the ")}`,
    async (plugins: readonly Plugin[]) => {
      const { client } = await connected(at(plugins, where));
      await client.callTool({ name: "tell", arguments: { of: text } });
      for (const name of ["fail", "sample", "elicit", "nobody has it"]) await client.callTool({ name });
      await client.readResource({ uri: "note://1" });
      await client.getPrompt({ name: "greet", arguments: { who: text } });
    },
  ]),
);

/** A server of version 2, and what its client asks of it. */
type Desk = Awaited<ReturnType<typeof pair2>>["client"];
const requests: Readonly<Record<string, (client: Desk) => Promise<unknown>>> = {
  "an answer": (client) => client.callTool({ name: "tell", arguments: { of: text } }),
  "a tool that fails": (client) => client.callTool({ name: "fail" }),
  "a question to a person": (client) => client.callTool({ name: "elicit" }),
  "a question to a model": (client) => client.callTool({ name: "sample" }),
  "a resource": (client) => client.readResource({ uri: "note://1" }),
  "a prompt": (client) => client.getPrompt({ name: "greet" }),
};

/** Each request of version 2 of the SDK, over each connection, with the plugins at either side and at both. */
export const mcpPrograms2: Programs = Object.fromEntries(
  links.flatMap((link) =>
    sides.flatMap((where) =>
      Object.entries(requests).map(([what, ask]) => [
        `SDK 2, ${link}: ${what}, plugins at the ${where.join(" and the ")}`,
        async (plugins: readonly Plugin[]) => {
          const { client } = await pair2(serve2, { ...at(plugins, where), link, onClient: answer2 });
          await ask(client);
        },
      ]),
    ),
  ),
);

function serve2(server: Parameters<Parameters<typeof pair2>[0]>[0]): void {
  server.registerTool("tell", { inputSchema: z.object({ of: z.string() }) }, () => content);
  server.registerTool("fail", {}, () => ({ ...content, isError: true }));
  server.registerTool("elicit", {}, ({ mcpReq: { inputResponses } }) =>
    inputResponses?.sure === undefined
      ? inputRequired({
          inputRequests: { sure: inputRequired.elicit({ mode: "form", message: text, requestedSchema }) },
        })
      : content,
  );
  server.registerTool("sample", {}, ({ mcpReq: { inputResponses } }) =>
    inputResponses?.draft === undefined
      ? inputRequired({ inputRequests: { draft: inputRequired.createMessage({ messages, maxTokens: 10 }) } })
      : content,
  );
  server.registerResource("note", "note://1", {}, () => ({ contents: [{ uri: "note://1", text }] }));
  server.registerPrompt("greet", {}, () => ({ messages }));
}

function answer2(client: Parameters<NonNullable<NonNullable<Parameters<typeof pair2>[1]>["onClient"]>>[0]): void {
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: { note: text } }));
  client.setRequestHandler("sampling/createMessage", () => ({
    role: "assistant",
    model: "m",
    content: { type: "text", text },
  }));
}
