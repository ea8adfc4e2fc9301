import { afterEach, describe, expect, it, jest } from "@jest/globals";
import { inputRequired, type McpServer } from "@modelcontextprotocol/server";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { definePlugin, type Invocation } from "@suite/core";
import { pii } from "@suite/pii";
import { tracing } from "@suite/tracing";
import { type Link, links, pair2 } from "./pair2.js";

jest.spyOn(console, "warn").mockImplementation(() => {});
const MAIL = "jane.doe@example.com";
const text = (content: string) => ({ content: [{ type: "text" as const, text: content }] });

const rounds: unknown[] = [];
afterEach(() => {
  rounds.length = 0;
});

/** A tool that asks a person before it sends a mail. Its state holds an address, and must come back unchanged. */
const shop = (server: McpServer) =>
  server.registerTool("send_mail", {}, async ({ mcpReq }) => {
    rounds.push([mcpReq.requestState(), mcpReq.inputResponses]);
    const answer = mcpReq.inputResponses?.sure as { action: string; content?: object } | undefined;
    if (answer !== undefined) return text(`${answer.action} ${JSON.stringify(answer.content)}`);
    return inputRequired({
      requestState: `to ${MAIL}`,
      inputRequests: {
        sure: inputRequired.elicit({
          mode: "form",
          message: `Write to ${MAIL}?`,
          requestedSchema: { type: "object", properties: { note: { type: "string" } } },
        }),
      },
    });
  });

/** Records the calls of both kinds, and how they settled. */
function spy() {
  const calls: string[] = [];
  const plugin = definePlugin({
    name: "spy",
    async tool(invocation: Invocation<"tool">, callNext) {
      const name = `tool ${invocation.request.tool.name}`;
      await callNext();
      invocation.pipe({ settle: ({ status }) => void calls.push(`${name} ${status}`) });
    },
    async humanInput(invocation: Invocation<"humanInput">, callNext) {
      const name = `human ${invocation.request.question}`;
      await callNext();
      invocation.pipe({ settle: ({ status }) => void calls.push(`${name} ${status}`) });
    },
  });
  return { calls, plugin };
}

describe.each<Link>([...links])("a tool that asks for input, over %s", (link) => {
  const person = (action: "accept" | "decline" | "cancel", asked: string[] = []) => ({
    onClient: (client: Parameters<NonNullable<NonNullable<Parameters<typeof pair2>[1]>["onClient"]>>[0]) =>
      client.setRequestHandler("elicitation/create", ({ params }) => {
        asked.push(params.message);
        return action === "accept" ? { action, content: { note: `call ${MAIL}` } } : { action };
      }),
  });

  it.each(["client", "server"])("the question and the answer pass the layers of the %s", async (side) => {
    const guard = () => pii({ email: "redact" }, { apply: { humanInput: true } });
    const asked: string[] = [];
    const { client } = await pair2(shop, {
      ...(side === "client" ? { atClient: [guard()] } : { atServer: [guard()] }),
      link,
      ...person("accept", asked),
    });
    const result = await client.callTool({ name: "send_mail" });
    expect(asked).toEqual(["Write to [REDACTED_EMAIL]?"]);
    expect(result).toMatchObject(text('accept {"note":"call [REDACTED_EMAIL]"}'));
    expect(rounds[1]).toMatchObject([`to ${MAIL}`, { sure: { content: { note: "call [REDACTED_EMAIL]" } } }]);
    expect(rounds.length).toBe(2);
  });

  it.each(["accept", "decline", "cancel"] as const)(
    "the person's answer %s reaches the tool with idle layers",
    async (action) => {
      const idle = () =>
        definePlugin({
          name: "idle",
          tool: async (_: Invocation<"tool">, callNext) => {
            await callNext();
          },
          humanInput: async (_: Invocation<"humanInput">, callNext) => {
            await callNext();
          },
          model: async (_: Invocation<"model">, callNext) => {
            await callNext();
          },
        });
      const plain = await pair2(shop, { link, ...person(action) });
      const before = await plain.client.callTool({ name: "send_mail" });
      const { client } = await pair2(shop, { atClient: [idle()], atServer: [idle()], link, ...person(action) });
      expect(await client.callTool({ name: "send_mail" })).toEqual(before);
    },
  );

  it.each(["client", "server"])("a layer of the %s answers in place of the person, who is not asked", async (side) => {
    const deciding = definePlugin({
      name: "deciding",
      humanInput: async (invocation: Invocation<"humanInput">) => invocation.respond({ value: { action: "decline" } }),
    });
    const asked: string[] = [];
    const plugins = side === "client" ? { atClient: [deciding] } : { atServer: [deciding] };
    const { client } = await pair2(shop, { ...plugins, link, ...person("accept", asked) });
    expect(await client.callTool({ name: "send_mail" })).toMatchObject(text("decline undefined"));
    expect(asked).toEqual([]);
    expect(rounds.length).toBe(2);
  });
});

describe.each<Link>(["channel", "http"])("the calls of a tool that asks for input, over %s", (link) => {
  const accept = {
    onClient: (client: {
      setRequestHandler: (name: "elicitation/create", handler: () => { action: "accept" }) => void;
    }) => client.setRequestHandler("elicitation/create", () => ({ action: "accept" })),
  };

  it("are suspended for the question and completed with the answer", async () => {
    const [atClient, atServer] = [spy(), spy()];
    const { client } = await pair2(shop, { atClient: [atClient.plugin], atServer: [atServer.plugin], link, ...accept });
    await client.callTool({ name: "send_mail" });
    expect(atClient.calls).toEqual([
      "tool send_mail suspended",
      `human Write to ${MAIL}? completed`,
      "tool send_mail completed",
    ]);
    expect(atServer.calls).toEqual([
      `human Write to ${MAIL}? suspended`,
      "tool send_mail suspended",
      "human sure completed",
      "tool send_mail completed",
    ]);
  });

  it("pass the layers if the caller answers the question itself", async () => {
    const guard = pii({ email: "redact" }, { apply: { humanInput: true } });
    const { client } = await pair2(shop, { atClient: [guard], link, autoFulfill: false });
    const asked = await client.callTool({ name: "send_mail" }, { allowInputRequired: true });
    expect(asked).toMatchObject({
      requestState: `to ${MAIL}`,
      inputRequests: { sure: { params: { message: "Write to [REDACTED_EMAIL]?" } } },
    });
    const inputResponses = { sure: { action: "accept", content: { note: MAIL } } };
    const params = { name: "send_mail", inputResponses, requestState: `to ${MAIL}` };
    expect(await client.callTool(params)).toMatchObject(text('accept {"note":"[REDACTED_EMAIL]"}'));
  });

  it("are refused by name if a layer answers a question that the caller answers itself", async () => {
    const deciding = definePlugin({
      name: "deciding",
      humanInput: async (invocation: Invocation<"humanInput">) => invocation.respond({ value: { action: "decline" } }),
    });
    const { client } = await pair2(shop, { atClient: [deciding], link, autoFulfill: false });
    await expect(client.callTool({ name: "send_mail" }, { allowInputRequired: true })).rejects.toMatchObject({
      code: "ERR_MCP_INPUT",
    });
  });

  it("ask for the input that no layer has answered, and the tool receives both answers", async () => {
    const deciding = definePlugin({
      name: "deciding",
      async humanInput(invocation: Invocation<"humanInput">, callNext) {
        if (invocation.request.question !== "Now?") return callNext();
        invocation.respond({ value: { action: "decline" } });
      },
    });
    const asked: string[] = [];
    const { client } = await pair2(
      (server) =>
        server.registerTool("send_mail", {}, async ({ mcpReq: { inputResponses = {} } }) => {
          const ask = (message: string) =>
            inputRequired.elicit({ mode: "form", message, requestedSchema: { type: "object", properties: {} } });
          const inputRequests = {
            ...(!("to" in inputResponses) && { to: ask("To whom?") }),
            ...(!("now" in inputResponses) && { now: ask("Now?") }),
          };
          return Object.keys(inputRequests).length > 0
            ? inputRequired({ inputRequests })
            : text(JSON.stringify(inputResponses));
        }),
      {
        atServer: [deciding],
        link,
        onClient: (client) =>
          client.setRequestHandler("elicitation/create", ({ params }) => {
            asked.push(params.message);
            return { action: "accept" };
          }),
      },
    );
    const result = await client.callTool({ name: "send_mail" });
    expect(asked).toEqual(["To whom?"]);
    expect(result).toMatchObject(text('{"to":{"action":"accept"},"now":{"action":"decline"}}'));
  });

  it("pass the model layers if a tool asks the client's model", async () => {
    const guard = () => pii({ email: "redact" }, { apply: { output: true } });
    const seen: unknown[] = [];
    for (const side of ["atClient", "atServer"] as const) {
      const { client } = await pair2(
        (server) =>
          server.registerTool("write", {}, async ({ mcpReq: { inputResponses } }) =>
            inputResponses?.draft === undefined
              ? inputRequired({
                  inputRequests: {
                    draft: inputRequired.createMessage({
                      messages: [{ role: "user", content: { type: "text", text: `To ${MAIL}` } }],
                      maxTokens: 10,
                    }),
                  },
                })
              : text(JSON.stringify(inputResponses.draft)),
          ),
        {
          [side]: [guard()],
          link,
          onClient: (client) =>
            client.setRequestHandler("sampling/createMessage", ({ params }) => {
              seen.push(params.messages[0]?.content);
              return { role: "assistant", model: "m", content: { type: "text", text: `Dear ${MAIL}` } };
            }),
        },
      );
      const { content } = await client.callTool({ name: "write" });
      expect(JSON.stringify(content)).toContain("Dear [REDACTED_EMAIL]");
      expect(seen.pop()).toMatchObject({ text: "To [REDACTED_EMAIL]" });
    }
  });

  it("have spans, and the question has one on each side", async () => {
    const exporter = new InMemorySpanExporter();
    const tracerProvider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    const [atClient, atServer] = [[tracing({ tracerProvider })], [tracing({ tracerProvider })]];
    const { client } = await pair2(shop, { atClient, atServer, link, ...accept });
    await client.callTool({ name: "send_mail" });
    const spans = exporter.getFinishedSpans();
    expect(spans.map(({ name, kind, attributes }) => [name, kind, attributes["suite.status"]])).toEqual([
      ["suite.human_input", 0, "suspended"],
      ["tools/call send_mail", 1, "suspended"],
      ["tools/call send_mail", 2, "suspended"],
      ["suite.human_input", 0, undefined],
      ["suite.human_input", 0, undefined],
      ["tools/call send_mail", 1, undefined],
      ["tools/call send_mail", 2, undefined],
    ]);
    for (const { status } of spans) expect(status.code).not.toBe(2);
  });
});
