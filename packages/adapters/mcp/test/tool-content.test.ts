import { expect, it } from "@jest/globals";
import { definePlugin, type Invocation } from "@suite/core";
import { toolContent } from "@suite/core/messages";
import { redacting } from "@suite/testkit";
import { pair } from "./pair.js";

const image = { type: "image" as const, data: "iVBORw0KGgo=", mimeType: "image/png" };

it.each(["client", "server"] as const)(
  "content that a layer at the %s answers with is blocks of the protocol",
  async (side) => {
    const answers = definePlugin({
      name: "answers",
      async tool(invocation: Invocation<"tool">) {
        const value = toolContent([
          "Seen:",
          { type: "blob", modality: "image", mimeType: "image/png", content: image.data },
          { type: "blob", modality: "document", mimeType: "application/pdf", content: "JVBERi0=" },
          { type: "uri", modality: "image", uri: "https://example.org/a.png" },
        ]);
        invocation.respond({ value });
      },
    });
    const { client } = await pair(
      (server) => void server.registerTool("look", {}, () => ({ content: [] })),
      side === "client" ? { atClient: [answers] } : { atServer: [answers] },
    );
    expect((await client.callTool({ name: "look" })).content).toEqual([
      { type: "text", text: "Seen:" },
      image,
      { type: "resource", resource: { uri: "urn:document", mimeType: "application/pdf", blob: "JVBERi0=" } },
      { type: "resource_link", uri: "https://example.org/a.png", name: "image" },
    ]);
  },
);

it.each(["client", "server"] as const)(
  "a guard checks the text of a result at the %s, and its image passes unchanged",
  async (side) => {
    const guard = { ...redacting(), whereOffered: ["model", "agent", "reasoning", "embedding"] as const };
    const { client } = await pair(
      (server) =>
        void server.registerTool("look", {}, () => ({
          content: [{ type: "text", text: "Of ada@mail.example!" }, image],
        })),
      side === "client" ? { atClient: [guard] } : { atServer: [guard] },
    );
    expect((await client.callTool({ name: "look" })).content).toEqual([{ type: "text", text: "Of [EMAIL]!" }, image]);
  },
);
