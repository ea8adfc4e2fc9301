import { join } from "node:path";
import { expect } from "@jest/globals";
import { verify } from "../../src/index.js";
import { linesOf } from "../support.js";

export const fixture = (name: string): string => join(import.meta.dirname, "..", "fixtures", name);

/** The ends of the proofs of a file's records: for the record with index `i`, the end of its commit in bytes. */
export async function commitEnds(dir: string, file: string, size: number): Promise<readonly number[]> {
  const ends: number[] = [];
  let records = 0;
  let end = 0;
  for (const line of await linesOf(dir, file)) {
    end += Buffer.byteLength(line) + 1;
    if (line.startsWith("{")) records++;
    else while (ends.length < Math.min(records, size)) ends.push(end);
  }
  return ends;
}

/** The proven records of a directory whose log must verify: their ids, by file and index. */
export async function provenRecords(dir: string): Promise<ReadonlyMap<string, readonly unknown[]>> {
  const { ok, problems, files } = await verify(dir);
  expect({ ok, problems }).toEqual({ ok: true, problems: [] });
  const proven = new Map<string, readonly unknown[]>();
  for (const { file, size } of files) {
    const records = (await linesOf(dir, file)).filter((line) => line.startsWith("{")).slice(0, size);
    proven.set(
      file,
      records.map((record) => (JSON.parse(record) as { id: unknown }).id),
    );
  }
  return proven;
}

/** Ids of all proven records of a directory. */
export async function provenIds(dir: string): Promise<ReadonlySet<unknown>> {
  return new Set([...(await provenRecords(dir)).values()].flat());
}
