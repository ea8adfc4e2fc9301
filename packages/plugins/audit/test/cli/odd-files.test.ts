import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { anchorLog, openLog, verify } from "../../src/index.js";
import { temporaryDirectory } from "../support.js";
import { run, runHere } from "./run.js";

const odd = "audit-2020-01-01T00-00-00-000Z-0000000000000000.jsonl";
const withFifo = process.platform === "win32" ? describe.skip : describe;

let dir = "";
beforeEach(async () => {
  dir = await temporaryDirectory();
  const log = await openLog({ dir });
  await log.append({ type: "deployment" });
  await log.close();
});

withFifo("a pipe with the name of a log file", () => {
  it("holds up neither a log that is opened, nor an anchor, nor a command", async () => {
    execFileSync("mkfifo", [join(dir, odd)]);
    const log = await openLog({ dir });
    await log.append({ n: 1 });
    await log.close();
    await anchorLog(dir);
    expect(await verify(dir)).toMatchObject({ ok: true, files: [{}, {}, {}] });
    for (const command of ["verify", "tail", "anchor"])
      expect(await run([command, dir], { cache: dir })).toMatchObject({ code: 0 });
  }, 30_000);
});

describe("a directory with the name of a log file", () => {
  it("is no file of the log", async () => {
    await mkdir(join(dir, odd));
    expect(await verify(dir)).toMatchObject({ ok: true, files: [{}] });
  });
});

describe("suite-audit keygen", () => {
  it("reports that a file is there, and writes over neither", async () => {
    const path = join(dir, "signing");
    await writeFile(path, "mine");
    const { code, err } = await runHere(["keygen", path]);
    expect([code, err.split("\n")[0]]).toEqual([
      2,
      `${path} already exists, and keys are not overwritten. Use another name.`,
    ]);
    expect(await runHere(["keygen", join(dir, "key")])).toMatchObject({ code: 2 });
  });
});

it("an unknown option is reported without the advice of Node", async () => {
  expect((await runHere(["verify", dir, "--colour"])).err.split("\n")[0]).toBe("Unknown option '--colour'.");
});
