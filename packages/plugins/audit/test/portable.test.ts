import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "@jest/globals";
import { build } from "esbuild";
import { openLog, verify } from "../src/index.js";
import { type GivenFile, verifyFiles } from "../src/verify.js";
import { linesOf, logFiles, temporaryDirectory, writeLines } from "./support.js";

it("@suite/audit/verify reaches nothing of Node", async () => {
  const entry = join(import.meta.dirname, "..", "src", "verify.ts");
  // For browsers esbuild refuses what Node has built in. Without comments, what is left is code.
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    format: "esm",
    platform: "browser",
    minifyWhitespace: true,
    legalComments: "none",
    write: false,
  });
  expect(outputFiles[0]?.text).not.toMatch(/\b(?:Buffer|require)\b|\bprocess\./);
  expect(outputFiles[0]?.text).toContain("verifyFiles");
});

describe("verifyFiles", () => {
  let dir = "";
  let anchor = "";

  beforeAll(async () => {
    dir = await temporaryDirectory();
    for (const text of ["first", "sécond"]) {
      const log = await openLog({ dir });
      for (let n = 0; n < 3; n++) await log.append({ n, text });
      anchor = log.checkpoint ?? "";
      await log.close();
    }
  });

  const given = async (bytes: (content: Buffer<ArrayBuffer>) => GivenFile["bytes"]): Promise<GivenFile[]> =>
    Promise.all((await readdir(dir)).map(async (name) => ({ name, bytes: bytes(await readFile(join(dir, name))) })));
  const key = () => readFile(join(dir, "key.pub"), "utf8");
  async function* pieces(content: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < content.length; at += length) yield content.subarray(at, at + length);
  }

  it.each<[string, (content: Buffer<ArrayBuffer>) => GivenFile["bytes"]]>([
    ["bytes", (content) => new Uint8Array(content)],
    ["a blob", (content) => new Blob([content])],
    ["a stream", (content) => new Blob([content]).stream()],
    ["pieces of any length", (content) => pieces(content, 7)],
  ])("returns for %s the verdict of verify for the directory", async (_name, bytes) => {
    for (const options of [{}, { key: await key() }, { anchor }]) {
      expect(await verifyFiles(await given(bytes), options)).toEqual(await verify(dir, options));
    }
  });

  it("gives the same verdict of a damaged log", async () => {
    const [file = ""] = await logFiles(dir);
    const lines = await linesOf(dir, file);
    await writeLines(dir, lines.with(3, '{"n":7}'), file);
    const verdict = await verifyFiles(await given((content) => content));
    expect(verdict).toEqual(await verify(dir));
    expect(verdict).toMatchObject({ ok: false, problems: [{ kind: "record_altered", line: 4 }] });
    await writeLines(dir, lines, file);
  });

  it("reports a missing log file or key", async () => {
    await expect(verifyFiles([])).rejects.toMatchObject({ code: "ERR_AUDIT_NO_LOG" });
    const files = (await given((content) => content)).filter(({ name }) => name !== "key.pub");
    await expect(verifyFiles(files)).rejects.toMatchObject({ code: "ERR_AUDIT_NO_KEY" });
  });

  it("reports its progress, and the total if it is known", async () => {
    const told: unknown[] = [];
    const onProgress = (progress: unknown) => void told.push(progress);
    await verifyFiles(await given((content) => content), { onProgress });
    const sizes = await Promise.all(
      (await logFiles(dir)).map(async (name) => (await readFile(join(dir, name))).length),
    );
    const [first = 0, second = 0] = sizes;
    expect(told).toEqual([
      { bytes: first, totalBytes: first + second },
      { bytes: first + second, totalBytes: first + second },
    ]);
    told.length = 0;
    await verifyFiles(await given((content) => pieces(content, 1_000_000)), { onProgress });
    expect(told).toEqual([{ bytes: first }, { bytes: first + second }]);
  });

  it.each<[string, () => Partial<Crypto>]>([
    ["no WebCrypto", () => ({})],
    ["one without Ed25519", () => ({ subtle: { importKey: () => Promise.reject(new Error("no")) } as never })],
  ])("says clearly that a runtime with %s cannot verify", async (_name, replacement) => {
    const own = Object.getOwnPropertyDescriptor(globalThis, "crypto") ?? {};
    Object.defineProperty(globalThis, "crypto", { value: replacement(), configurable: true });
    try {
      const files = await given((content) => content);
      await expect(verifyFiles(files, { key: await key() })).rejects.toMatchObject({ code: "ERR_AUDIT_UNSUPPORTED" });
    } finally {
      Object.defineProperty(globalThis, "crypto", own);
    }
  });
});
