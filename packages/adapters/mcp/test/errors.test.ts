import { describe, expect, it } from "@jest/globals";
import { McpError, UrlElicitationRequiredError } from "@modelcontextprotocol/sdk/types.js";
import { definePlugin, type Invocation, type Plugin } from "@suite/core";
import { pii } from "@suite/pii";
import { pair } from "./pair.js";

const MAIL = "jane.doe@example.com";
const look = definePlugin({ name: "look", tool: (_: Invocation<"tool">, callNext) => callNext() });
const guard = () => pii({ email: "redact" }, { apply: { toolResults: true, errors: true } });

const failing = (error: Error, plugins: Parameters<typeof pair>[1]) =>
  pair((server) => {
    server.registerResource("lost", "note://1", {}, () => {
      throw error;
    });
    server.registerTool("lost", {}, () => {
      throw error;
    });
  }, plugins);
const thrown = async (asking: Promise<unknown>) => {
  const error = await asking.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof McpError)) throw error ?? new Error("It was answered.");
  return { is: error.constructor.name, code: error.code, message: error.message, data: error.data };
};

describe.each(["client", "server"] as const)("an error of the protocol, with plugins at the %s,", (side) => {
  const at = (plugin: Plugin) => (side === "client" ? { atClient: [plugin] } : { atServer: [plugin] });

  it("is the one that it is without plugins", async () => {
    const error = new McpError(-32099, "closed", { until: "noon" });
    const [plain, guarded] = [await failing(error, {}), await failing(error, at(look))];
    for (const ask of [
      ({ client }: typeof plain) => client.readResource({ uri: "note://1" }),
      ({ client }: typeof plain) => client.readResource({ uri: "note://2" }),
      ({ client }: typeof plain) => client.getPrompt({ name: "none" }),
    ]) {
      expect(await thrown(ask(guarded))).toEqual(await thrown(ask(plain)));
    }
    const unknown = { name: "none" };
    expect(await guarded.client.callTool(unknown)).toEqual(await plain.client.callTool(unknown));
  });

  it("is one of which a guard has taken out what it had to, also in its data", async () => {
    const elicitation = { mode: "url", url: "https://x.example", elicitationId: "1", message: `For ${MAIL}` } as const;
    const { client } = await failing(new UrlElicitationRequiredError([elicitation], `Ask ${MAIL}`), at(guard()));
    for (const asking of [client.callTool({ name: "lost" }), client.readResource({ uri: "note://1" })]) {
      const error = await thrown(asking);
      expect(error).toMatchObject({ is: "UrlElicitationRequiredError", code: -32042 });
      expect(error.message).toContain("Ask [REDACTED_EMAIL]");
      expect(JSON.stringify(error.data)).toContain("For [REDACTED_EMAIL]");
    }
  });
});
