import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "@jest/globals";
import { generatePrivateKey } from "@suite/audit";
import { type ExportForm, type ExportOptions, exportRecords, exportTiles } from "@suite/audit/export";
import { ed25519Signer } from "../../src/index.js";
import { formatPublicKey } from "../../src/signing/key.js";
import { nodeCryptography } from "../../src/signing/node-cryptography.js";
import { forge } from "../forge.js";
import { temporaryDirectory } from "../support.js";

const signer = ed25519Signer(generatePrivateKey("example.com/x"));

/** A log of two records under a checkpoint, and one behind it. */
async function log(): Promise<string> {
  const dir = await temporaryDirectory();
  const records = ['{"id":"1","type":"tool"}', '{"id":"2","type":"model"}'];
  const lines = [...(await forge(signer, "audit-1.jsonl", records)), '{"id":"3","type":"tool"}'];
  await writeFile(join(dir, "audit-1.jsonl"), lines.map((line) => `${line}\n`).join(""));
  return dir;
}

async function exported(form: ExportForm, options?: ExportOptions): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of exportRecords(await log(), form, options)) lines.push(line);
  return lines;
}

describe("exportRecords", () => {
  it("returns the lines of the log, and the number of lines without a checkpoint", async () => {
    const left: number[] = [];
    expect(await exported("jsonl", { onUnproven: (records) => left.push(records) })).toEqual([
      '{"id":"1","type":"tool"}',
      '{"id":"2","type":"model"}',
    ]);
    expect(left).toEqual([1]);
  });

  it("gives the records that a filter passes, as a table with its header", async () => {
    const [header, ...rows] = await exported("csv", { filter: { type: "model" } });
    expect(header).toContain("type");
    expect(rows).toHaveLength(1);
  });

  it("gives events of OCSF", async () => {
    const events = (await exported("ocsf")).map((line) => JSON.parse(line) as object);
    expect(events).toEqual([
      expect.objectContaining({ class_uid: 6003 }),
      expect.objectContaining({ class_uid: 6003 }),
    ]);
  });

  it("refuses a form that there is not", async () => {
    await expect(exported("xml" as ExportForm)).rejects.toMatchObject({ code: "ERR_AUDIT_INVALID_OPTION" });
  });
});

describe("exportTiles", () => {
  it("writes a folder for each file, by the key that is given", async () => {
    const out = await temporaryDirectory();
    await exportTiles(await log(), out, { key: formatPublicKey(signer, nodeCryptography.sha256) });
    expect(await readdir(join(out, "audit-1"))).toContain("checkpoint");
  });

  it("refuses where there is no key", async () => {
    await expect(exportTiles(await log(), await temporaryDirectory())).rejects.toMatchObject({
      code: "ERR_AUDIT_NO_KEY",
    });
  });
});
