import { describe, expect, it } from "@jest/globals";
import { CreateMessageRequestSchema, ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { pii } from "@suite/pii";
import { z } from "zod";
import { pair } from "./pair.js";

const MAIL = "jane.doe@example.com";
const everywhere = () =>
  pii(
    { email: "redact" },
    {
      apply: {
        output: true,
        toolArguments: true,
        toolResults: true,
        systemPrompt: true,
        humanInput: true,
        errors: true,
      },
    },
  );
const content = (text: string) => ({ content: [{ type: "text" as const, text }] });

describe.each(["client", "server"] as const)("personal data is taken out at the %s", (side) => {
  const plugins = side === "client" ? { atClient: [everywhere()] } : { atServer: [everywhere()] };

  it("of a tool's arguments and results", async () => {
    const got: unknown[] = [];
    const { client } = await pair((server) => {
      server.registerTool("look_up", { inputSchema: { who: z.string() } }, ({ who }) => {
        got.push(who);
        return content(`wrote to ${MAIL}`);
      });
    }, plugins);
    const result = await client.callTool({ name: "look_up", arguments: { who: MAIL } });
    expect(got).toEqual(["[REDACTED_EMAIL]"]);
    expect(result).toEqual(content("wrote to [REDACTED_EMAIL]"));
  });

  it("of what a tool says when it fails", async () => {
    const { client } = await pair((server) => {
      server.registerTool("look_up", {}, () => {
        throw new Error(`no such customer: ${MAIL}`);
      });
    }, plugins);
    const result = await client.callTool({ name: "look_up", arguments: {} });
    expect(result).toEqual({ ...content("no such customer: [REDACTED_EMAIL]"), isError: true });
  });

  it("of resources, prompts, and errors of these", async () => {
    const { client } = await pair((server) => {
      server.registerResource("note", "note://1", {}, (uri) => ({ contents: [{ uri: uri.href, text: MAIL }] }));
      server.registerResource("lost", "note://2", {}, () => {
        throw new Error(`lost by ${MAIL}`);
      });
      server.registerPrompt("greet", { argsSchema: { who: z.string() } }, ({ who }) => ({
        messages: [{ role: "user", content: { type: "text", text: `Greet ${who} and ${MAIL}` } }],
      }));
    }, plugins);
    expect(await client.readResource({ uri: "note://1" })).toEqual({
      contents: [{ uri: "note://1", text: "[REDACTED_EMAIL]" }],
    });
    await expect(client.readResource({ uri: "note://2" })).rejects.toThrow("lost by [REDACTED_EMAIL]");
    const prompt = await client.getPrompt({ name: "greet", arguments: { who: MAIL } });
    expect(prompt.messages[0]?.content).toEqual({ type: "text", text: "Greet [REDACTED_EMAIL] and [REDACTED_EMAIL]" });
  });

  it("of what a model is asked through the client, and of its answer", async () => {
    const asked: unknown[] = [];
    const { client } = await pair((server, plain) => {
      plain.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
        asked.push(params.systemPrompt, params.messages);
        return { role: "assistant", model: "m", content: { type: "text", text: `Wrote to ${MAIL}` } };
      });
      server.registerTool("ask", {}, async () => {
        const { content: answer } = await server.server.createMessage({
          systemPrompt: `You serve ${MAIL}.`,
          messages: [{ role: "user", content: { type: "text", text: `Write to ${MAIL}` } }],
          maxTokens: 10,
        });
        return content(JSON.stringify(answer));
      });
    }, plugins);
    const result = await client.callTool({ name: "ask", arguments: {} });
    expect(JSON.stringify([asked, result])).not.toContain(MAIL);
    expect(JSON.stringify(asked)).toContain("You serve [REDACTED_EMAIL].");
    expect(JSON.stringify(result)).toContain("Wrote to [REDACTED_EMAIL]");
  });

  it("of what a person is asked, and of their answer", async () => {
    const asked: unknown[] = [];
    const { client } = await pair((server, plain) => {
      plain.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        asked.push(params.message);
        return { action: "accept", content: { address: MAIL } };
      });
      server.registerTool("ask", {}, async () => {
        const answer = await server.server.elicitInput({
          message: `Is it ${MAIL}?`,
          requestedSchema: { type: "object", properties: { address: { type: "string" } } },
        });
        return content(JSON.stringify(answer));
      });
    }, plugins);
    const result = await client.callTool({ name: "ask", arguments: {} });
    expect(asked).toEqual(["Is it [REDACTED_EMAIL]?"]);
    expect(result).toEqual(content('{"action":"accept","content":{"address":"[REDACTED_EMAIL]"}}'));
  });

  it("of every block of a result, of its structured content and its _meta", async () => {
    const { client } = await pair((server) => {
      server.registerTool("look_up", {}, () => ({
        content: [
          { type: "resource", resource: { uri: "note://1", text: MAIL, _meta: { of: MAIL } } },
          { type: "resource_link", uri: "note://2", name: MAIL, description: `of ${MAIL}` },
          { type: "image", data: "aGk=", mimeType: "image/png", _meta: { alt: MAIL } },
          { type: "text", text: MAIL, annotations: { audience: ["user"] } },
        ],
        structuredContent: { [MAIL]: { deep: [MAIL] } },
        _meta: { of: MAIL },
      }));
    }, plugins);
    const result = await client.callTool({ name: "look_up", arguments: {} });
    expect(JSON.stringify(result)).not.toContain(MAIL);
    expect(JSON.stringify(result).match(/REDACTED_EMAIL/g)).toHaveLength(9);
  });

  it("of tools' results, calls and answers in what a model is asked", async () => {
    const asked: unknown[] = [];
    const { client } = await pair((server, plain) => {
      plain.setRequestHandler(CreateMessageRequestSchema, ({ params }) => {
        asked.push(params);
        const use = { type: "tool_use" as const, id: "2", name: "mail", input: { to: MAIL } };
        return { role: "assistant", model: "m", stopReason: "toolUse", content: [{ type: "text", text: MAIL }, use] };
      });
      server.registerTool("ask", {}, async () => {
        const answer = await server.server.createMessage({
          messages: [
            { role: "user", content: { type: "text", text: MAIL } },
            { role: "assistant", content: [{ type: "tool_use", id: "1", name: "mail", input: { to: MAIL } }] },
            {
              role: "user",
              content: [
                { type: "tool_result", toolUseId: "1", structuredContent: { to: MAIL }, ...content(`sent to ${MAIL}`) },
              ],
            },
          ],
          tools: [{ name: "mail", inputSchema: { type: "object" } }],
          toolChoice: { mode: "required" },
          maxTokens: 10,
        });
        return content(JSON.stringify(answer));
      });
    }, plugins);
    const result = await client.callTool({ name: "ask", arguments: {} });
    expect(JSON.stringify([asked, result])).not.toContain(MAIL);
    expect(asked).toMatchObject([{ toolChoice: { mode: "required" }, tools: [{ name: "mail" }] }]);
    expect(JSON.stringify(result)).toContain("toolUse");
  });
});
