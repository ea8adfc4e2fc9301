import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Verdict, verify } from "@suite/audit";

/** Returns the folder of the copy of a log that is changed. */
export const copyOf = (dir: string): string => `${dir}-tampered`;

/** Changes one byte in a copy of the log. Returns the place of that byte and the verdict of `verify` on the copy. */
export async function tamper(dir: string): Promise<{ readonly changed: string; readonly verdict: Verdict }> {
  const copy = copyOf(dir);
  await rm(copy, { recursive: true, force: true });
  await cp(dir, copy, { recursive: true });
  const [file] = (await readdir(copy))
    .filter((name) => name.endsWith(".jsonl"))
    .sort()
    .slice(-1);
  if (file === undefined) throw new Error(`There is no log in ${dir}.`);
  const path = join(copy, file);
  const bytes = await readFile(path);
  const at = bytes.indexOf('"outcome"');
  bytes[at + 1] = (bytes[at + 1] as number) ^ 1;
  await writeFile(path, bytes);
  return { changed: `byte ${at + 1} of ${path}`, verdict: await verify(copy) };
}
