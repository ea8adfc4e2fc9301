import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, describe, expect, it } from "@jest/globals";
import { root } from "../../../scripts/workspaces.mjs";

const folder = mkdtempSync(join(tmpdir(), "desk-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Input {
  readonly args?: readonly string[];
  readonly stdin?: string;
  readonly env?: Record<string, string>;
}

/** Starts the main job, as `npm start` runs it after the build. */
function started({ args = [], stdin, env = {} }: Input = {}) {
  const program = join(root, "examples/dist/support-desk/main.js");
  const { OPENAI_API_KEY: _, OPENAI_BASE_URL: __, OTEL_EXPORTER_OTLP_ENDPOINT: ___, ...clean } = process.env;
  const stdio = [stdin === undefined ? "ignore" : "pipe", "pipe", "pipe"] as const;
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { ...clean, ...env },
    stdio: [...stdio],
  });
  child.stdin?.end(stdin);
  return child;
}

/** Runs the main job to its end. */
async function desk(input: Input = {}) {
  const child = started(input);
  const exited = new Promise<number | null>((resolve) => child.on("exit", resolve));
  const streams = [child.stdout, child.stderr].map((stream) => (stream === null ? "" : text(stream)));
  const [out = "", err = "", code] = await Promise.all([...streams, exited] as const);
  return { out: String(out), err: String(err), code };
}

const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content);
  return name;
};
const personal =
  /jane\.doe@|omar@|li\.wei@|4111 1111 1111 1111|203\.0\.113\.42|198\.51\.100\.7|00:1A:2B|shop\.example\.com/;

describe("the support desk", () => {
  it("answers the tickets, shows the spans, and verifies its log, without personal data", async () => {
    const { out, err, code } = await desk();
    expect(code).toBe(0);
    expect(out).toMatch(/^Model: a fake model server at http:\/\/127\.0\.0\.1:\d+, scripted/);
    expect(out).toContain("Done: order 1002 was refunded to card ****-****-****-1111.");
    expect(out).toContain("execute_tool refund [external]");
    expect(out).toMatch(/audit: \d+ records, verified/);
    expect(out + err).not.toMatch(personal);
  });

  it("shows what verify says of a log in which one byte was changed", async () => {
    const { out, code } = await desk({ args: ["--tamper"] });
    expect(code).toBe(0);
    expect(out).toMatch(/changed byte \d+ of .*\nverify: NOT verified\n {2}audit-.*\.jsonl:\d+: /);
  });

  it("shows the changed copy of the log on the page, if both are requested", async () => {
    const child = started({ args: ["--tamper", "--view"] });
    let out = "";
    for await (const piece of child.stdout ?? []) {
      out += String(piece);
      if (/The page stays at \S+ until/.test(out)) break;
    }
    const page = new URL(/The page stays at (\S+)/.exec(out)?.[1] ?? "");
    const headers = { authorization: `Bearer ${page.searchParams.get("token")}` };
    const at = async (path: string) => (await fetch(new URL(path, page), { headers })).json();
    const { runs } = (await at("/api/runs")) as { readonly runs: readonly { readonly traceId: string }[] };
    const log = await at(`/api/audit/${runs[0]?.traceId}`);
    child.kill("SIGINT");
    await once(child, "exit");
    expect(log).toMatchObject({ verdict: { found: "damaged" } });
    expect(out).toContain("The page shows this copy.");
  });

  it("takes a ticket from standard input", async () => {
    const { out, code } = await desk({ stdin: "Where is order 1003? omar@example.org" });
    expect(code).toBe(0);
    expect(out).toContain("stdin  Where is order 1003? [REDACTED_EMAIL]");
  });

  it("takes a file, and answers what it can of a bad one", async () => {
    const bad = file("bad.jsonl", 'not json\n{"id":"T-9","text":"Where is order 1001?"}\n{"id":1}\n');
    const { out, err, code } = await desk({ args: [bad] });
    expect(code).toBe(1);
    expect(out).toContain("T-9  Where is order 1001?");
    expect(err).toContain("bad.jsonl:1: not a ticket");
    expect(err).toContain("bad.jsonl:3: not a ticket");
  });

  it.each([
    ["no such file", ["missing.jsonl"], /^There is no file missing\.jsonl\.\n$/],
    ["a folder", ["."], /^That is a folder; .*\n$/],
    ["an empty file", [file("empty.jsonl", "")], /^empty\.jsonl holds no tickets\n$/],
    ["an unknown option", ["--nope"], /^Unknown option '--nope'.*\n$/],
  ])("says of %s what is wrong, in one line", async (_name, args, line) => {
    const { out, err, code } = await desk({ args });
    expect({ out, err, code }).toEqual({ out: "", err: expect.stringMatching(line), code: 1 });
  });

  it("says of a port in use what to do, in one line", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { err, code } = await desk({ env: { MODEL_PORT: String((taken.address() as AddressInfo).port) } });
    taken.close();
    expect({ err, code }).toEqual({
      err: expect.stringMatching(/^Port \d+ on .* in use\. .*MODEL_PORT\.\n$/),
      code: 1,
    });
  });

  it("sends its spans to a collector where one is named", async () => {
    const bodies: string[] = [];
    const collector: Server = createServer(async (request, response) => {
      bodies.push(await text(request));
      response.setHeader("content-type", "application/json").end("{}");
    });
    await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
    const { out, code } = await desk({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });
    collector.close();
    expect(code).toBe(0);
    expect(out).toContain(`spans: also sent to ${endpoint}`);
    const sent = bodies.join("");
    expect(sent).toContain('"execute_tool refund"');
    expect(sent).not.toMatch(personal);
  });
});
