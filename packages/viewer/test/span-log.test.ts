import { appendFile, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, jest } from "@jest/globals";
import { startViewer } from "@suite/viewer";
import { main } from "../src/cli/main.js";
import { ask, folder, requestOf, send, span, viewer } from "./support.js";

const dataFolder = async (): Promise<string> => join(await folder(), "spans");

const runsOf = async (shown: Awaited<ReturnType<typeof viewer>>): Promise<readonly string[]> => {
  const { runs } = (await (await ask(shown, "/api/runs")).json()) as { runs: { traceId: string }[] };
  return runs.map(({ traceId }) => traceId);
};

describe("spans on disk", () => {
  it("are available after a restart, and later spans are appended", async () => {
    const data = await dataFolder();
    const [one, other] = [span(), span({ start: 1_700_000_001_000, end: 1_700_000_001_100 })];
    const first = await startViewer({ port: 0, otlpPort: 0, data });
    await send(first, requestOf(one));
    await first.close();
    const second = await startViewer({ port: 0, otlpPort: 0, data });
    await send(second, requestOf(other));
    await second.close();
    expect(await runsOf(await viewer({ data }))).toEqual([other.traceId, one.traceId]);
  });

  it("are written when the request is answered: a viewer that is killed has lost none", async () => {
    const data = await dataFolder();
    const shown = await viewer({ data });
    const one = span();
    await send(shown, requestOf(one));
    expect(await runsOf(await viewer({ data }))).toEqual([one.traceId]);
  });

  it("of a line that was cut off, or is none, lose that line alone", async () => {
    const data = await dataFolder();
    const [one, other] = [span(), span({ start: 1_700_000_001_000, end: 1_700_000_001_100 })];
    const first = await startViewer({ port: 0, otlpPort: 0, data });
    await send(first, requestOf(one));
    await first.close();
    await appendFile(join(data, "spans.jsonl"), '[{"traceId":"cut');
    const second = await startViewer({ port: 0, otlpPort: 0, data });
    await send(second, requestOf(other));
    await second.close();
    await appendFile(join(data, "spans.jsonl"), '[null]\n{"a":1}\n[{"traceId":1}]\n');
    expect(await runsOf(await viewer({ data }))).toEqual([other.traceId, one.traceId]);
  });

  it.each([
    ["an event without attributes", { events: [{ name: "e", time: 1 }] }],
    ["an event that is none", { events: [null] }],
    ["a link without attributes", { links: [{ traceId: "a", spanId: "b" }] }],
    ["no attributes", { attributes: null }],
    ["no resource", { resource: null }],
    ["a name that is none", { name: 5 }],
    ["no scope", { scope: undefined }],
  ])("with %s are passed over", async (_, more) => {
    const data = await dataFolder();
    const good = span();
    await (await startViewer({ port: 0, otlpPort: 0, data })).close();
    const lines = [[{ ...span(), ...more }], [good]].map((spans) => JSON.stringify(spans));
    await writeFile(join(data, "spans.jsonl"), `${lines.join("\n")}\n`);
    expect(await runsOf(await viewer({ data }))).toEqual([good.traceId]);
  });

  it("of one request are several lines, if one would be long", async () => {
    const data = await dataFolder();
    const shown = await viewer({ data, maxBytes: 1e9 });
    const spans = Array.from({ length: 6 }, () => span({ attributes: { text: "x".repeat(600_000) } }));
    await send(shown, requestOf(...spans));
    const text = await readFile(join(data, "spans.jsonl"), "utf8");
    expect(text.trim().split("\n")).toHaveLength(3);
    expect(await runsOf(await viewer({ data, maxBytes: 1e9 }))).toHaveLength(6);
  });

  it("take no more room than they may: the older half makes room", async () => {
    const data = await dataFolder();
    const shown = await viewer({ data, maxBytes: 20_000 });
    for (let n = 0; n < 200; n++) await send(shown, requestOf(span()));
    const files = (await readdir(data)).filter((name) => name.startsWith("spans"));
    const sizes = await Promise.all(files.map(async (name) => (await stat(join(data, name))).size));
    expect(sizes).toHaveLength(2);
    for (const size of sizes) expect(size).toBeLessThan(11_000);
    expect((await runsOf(await viewer({ data }))).length).toBeGreaterThan(20);
  });

  it("in a folder that cannot be written to are a clear error", async () => {
    const data = await dataFolder();
    await writeFile(data, "a file");
    await expect(startViewer({ port: 0, otlpPort: 0, data })).rejects.toMatchObject({ code: "ERR_VIEWER_DATA" });
  });

  it("are printed as runs, a line of JSON each", async () => {
    const data = await dataFolder();
    const shown = await viewer({ data });
    await send(shown, requestOf(span(), span({ start: 1_700_000_001_000, end: 1_700_000_001_100 })));
    let out = "";
    const write = jest.spyOn(process.stdout, "write").mockImplementation(((text: string) => {
      out += text;
      return true;
    }) as never);
    expect(await main(["runs", "--json", "--data", data])).toBe(0);
    write.mockRestore();
    const printed = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as object);
    expect(printed).toMatchObject([
      { name: "support", spans: 1 },
      { name: "support", spans: 1 },
    ]);
  });
});
