import { execFile } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "@jest/globals";
import { verify } from "@suite/audit";
import { root } from "../../scripts/workspaces.mjs";

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly service: string;
}

const folder = mkdtempSync(join(tmpdir(), "mcp-example-"));
afterAll(() => rmSync(folder, { recursive: true }));

const exported: string[] = [];
let out = "";
let spans: Span[] = [];

beforeAll(async () => {
  const receiver = createServer(async (request, response) => {
    exported.push(await text(request));
    response.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const ran = await promisify(execFile)(process.execPath, [join(root, "examples/dist/mcp/client.js")], {
    cwd: folder,
    env: { ...process.env, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, NODE_OPTIONS: "" },
  });
  receiver.close();
  out = ran.stdout + ran.stderr;
  spans = exported.flatMap(spansIn);
}, 30_000);

/** The spans of one export, with the service that they are of. */
function spansIn(body: string): Span[] {
  const { resourceSpans = [] } = JSON.parse(body);
  return resourceSpans.flatMap(({ resource, scopeSpans }: never) => {
    const attributes = (resource as { attributes: { key: string; value: { stringValue?: string } }[] }).attributes;
    const service = attributes.find(({ key }) => key === "service.name")?.value.stringValue ?? "";
    return (scopeSpans as { spans: Omit<Span, "service">[] }[]).flatMap((scope) =>
      scope.spans.map((span) => ({ ...span, service })),
    );
  });
}

const nameOf = (id: string | undefined) => {
  const span = spans.find(({ spanId }) => spanId === id);
  return span && `${span.service}: ${span.name}`;
};

describe("a client and a server of MCP in two processes", () => {
  it("have one trace for each call, in which the server's span is below the client's", () => {
    const tools = spans.filter(({ service, name }) => service === "shop" && name.startsWith("tools/call"));
    expect(tools.map(({ name }) => name)).toEqual(
      ["find_order", "send_mail", "find_order"].map((n) => `tools/call ${n}`),
    );
    expect(tools.map(({ parentSpanId }) => nameOf(parentSpanId))).toEqual(
      ["find_order", "send_mail", "find_order"].map((name) => `desk: tools/call ${name}`),
    );
  });

  it("have a question to a person, which the server asks through the client, in the trace of the tool that asks", () => {
    const asked = spans.filter(({ name }) => name === "suite.human_input");
    const server = asked.find(({ service }) => service === "shop");
    const client = asked.find(({ service }) => service === "desk");
    expect(nameOf(server?.parentSpanId)).toBe("shop: tools/call send_mail");
    expect(nameOf(client?.parentSpanId)).toBe("shop: suite.human_input");
    expect(new Set([server?.traceId, client?.traceId]).size).toBe(1);
  });

  it("give out no personal data: on the terminal, in spans, in the records of either", async () => {
    const sides = ["client", "server"].map((side) => join(folder, "mcp-output", side));
    const records = sides.flatMap((dir) =>
      readdirSync(dir).flatMap((name) => (name.endsWith(".jsonl") ? readFileSync(join(dir, name), "utf8") : [])),
    );
    expect(records).toHaveLength(2);
    for (const told of [out, ...exported, ...records]) expect(told).not.toContain("jane.doe@");
    expect(out).toContain("find_order: ");
    expect(out).toContain("[REDACTED_EMAIL]");
    for (const dir of sides) expect(await verify(dir)).toMatchObject({ ok: true, tail: 0 });
  });
});
