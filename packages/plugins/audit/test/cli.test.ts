import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "@jest/globals";
import { ed25519Signer, generatePrivateKey, openLog } from "../src/index.js";
import { run, runHere } from "./cli/run.js";
import { linesOf, logFiles, temporaryDirectory, writeLines } from "./support.js";

let dir = "";
beforeEach(async () => {
  dir = await temporaryDirectory();
});

async function makeLog(options: { signer?: ReturnType<typeof ed25519Signer> } = {}): Promise<string> {
  const log = await openLog({ dir, ...options });
  for (let n = 0; n < 3; n++) await log.append({ n, text: "\u009b31m\u202e" });
  const { checkpoint = "" } = log;
  await log.close();
  return checkpoint;
}

describe("suite-audit verify", () => {
  it("prints one line with the proven part of a healthy log, then the unproven part", async () => {
    await makeLog();
    const { code, out } = await run(["verify", dir]);
    const [first, ...limits] = out.trim().split("\n");
    expect(code).toBe(0);
    expect(first).toBe("verified: 4 records in 1 file, all unchanged and in order");
    expect(limits).toEqual([
      expect.stringContaining("self-attested"),
      expect.stringContaining("cannot be detected without an anchor"),
    ]);
  });

  it("locates and describes the damage of a bad log, and exits with 1", async () => {
    await makeLog();
    await writeLines(
      dir,
      (await linesOf(dir)).map((line) => line.replace('"n":1', '"n":7')),
    );
    const { code, out } = await run(["verify", dir]);
    expect(code).toBe(1);
    expect(out).toContain("NOT VERIFIED: 1 problem");
    expect(out).toContain(`${(await logFiles(dir))[0]}, line 4, record 2: record_altered.`);
  });

  it("reports first that no file is signed by the key, if it is the key of another log", async () => {
    const key = join(await temporaryDirectory(), "other");
    await run(["keygen", key, "--name", "example.com/other"]);
    await makeLog();
    const own = (await readFile(join(dir, "key.pub"), "utf8")).trim().split("+").slice(0, 2).join("+");
    const other = (await readFile(`${key}.pub`, "utf8")).trim().split("+").slice(0, 2).join("+");
    const { code, out } = await run(["verify", dir, "--key", `${key}.pub`]);
    expect(code).toBe(1);
    expect(out.split("\n")[0]).toBe(
      `NOT VERIFIED: no file is signed by ${other}. The log's directory names ${own}. Is this the key of another log?`,
    );
  });

  it("takes a key and an anchor from elsewhere", async () => {
    const key = join(await temporaryDirectory(), "signing");
    const made = await run(["keygen", key, "--name", "example.com/x"]);
    expect(made).toMatchObject({ code: 0 });
    expect(made.out).toContain(`verifier key: ${(await readFile(`${key}.pub`, "utf8")).trim()}\n`);
    expect((await stat(key)).mode & 0o777).toBe(0o600);
    const anchor = await makeLog({ signer: ed25519Signer(await readFile(key, "utf8")) });
    await writeFile(`${key}.anchor`, anchor);
    const { code, out } = await run(["verify", dir, "--key", `${key}.pub`, "--anchor", `${key}.anchor`]);
    expect(code).toBe(0);
    expect(out).toContain("An anchor covers 4 of the 4 records.");
    expect(out).not.toMatch(/self-attested|without an anchor/);
  });
});

describe("suite-audit anchor", () => {
  it("prints a checkpoint that holds the whole log", async () => {
    await makeLog();
    await makeLog();
    const kept = join(await temporaryDirectory(), "anchor.txt");
    expect(await run(["anchor", dir, "--out", kept])).toMatchObject({ code: 0, out: "" });
    const { code, out } = await run(["verify", dir, "--anchor", kept]);
    expect(code).toBe(0);
    // Two logs of an opening and three records each, and what the anchor itself writes.
    expect(out).toContain("An anchor covers 10 of the 10 records.");
    expect(out).toContain("Records written after the anchor can have been cut off.");
  });

  it("is refused where there is no log, or the key is elsewhere", async () => {
    expect(await runHere(["anchor", dir])).toMatchObject({ code: 2 });
    await makeLog({ signer: ed25519Signer(generatePrivateKey()) });
    expect(await runHere(["anchor", dir])).toMatchObject({ code: 2, err: expect.stringContaining("--signing-key") });
  });
});

describe("suite-audit verifier-key", () => {
  it("prints one for each file of a log, and of a checkpoint its own", async () => {
    const anchor = await makeLog();
    await makeLog();
    const { code, out } = await runHere(["verifier-key", dir]);
    expect(code).toBe(0);
    const origins = (await logFiles(dir)).map((name) => expect.stringContaining(`/${name.slice(0, -6)}+`));
    expect(out.trim().split("\n")).toEqual(origins);
    const kept = join(await temporaryDirectory(), "anchor.txt");
    await writeFile(kept, anchor);
    const one = await runHere(["verifier-key", kept, "--key", join(dir, "key.pub")]);
    expect(one).toMatchObject({ code: 0, out: `${out.split("\n")[0]}\n` });
  });

  it("is refused without a key, with one that did not sign, and for what is no checkpoint", async () => {
    const kept = join(dir, "anchor.txt");
    await writeFile(kept, await makeLog());
    expect(await runHere(["verifier-key", kept])).toMatchObject({ code: 2, out: "" });
    await run(["keygen", join(dir, "other")]);
    const other = ["--key", join(dir, "other.pub")];
    expect(await runHere(["verifier-key", kept, ...other])).toMatchObject({ code: 2, out: "" });
    expect(await runHere(["verifier-key", dir, ...other])).toMatchObject({ code: 2, out: "" });
    expect(await runHere(["verifier-key", join(dir, "other.pub"), ...other])).toMatchObject({ code: 2, out: "" });
  });
});

describe("suite-audit tail", () => {
  it("prints the last records, and nothing that a terminal would obey", async () => {
    await makeLog();
    const { code, out } = await run(["tail", dir, "--lines", "2", "--json"]);
    expect(code).toBe(0);
    expect(out).toBe('{"n":1,"text":"\\u009b31m\\u202e"}\n{"n":2,"text":"\\u009b31m\\u202e"}\n');
  });
});

describe("suite-audit", () => {
  it.each([
    [[]],
    [["verify"]],
    [["frob"]],
    [["verify", "a", "b"]],
    [["verify", "--wrong", "x"]],
    [["tail", ".", "--lines", "0"]],
    [["verify", "/no/such/place"]],
    [["verify", ".", "--key", "/no/such/key"]],
  ])("ends %j with 2, and one clear line", async (args) => {
    const { code, out, err } = await runHere(args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err.trim()).not.toBe("");
  });

  it.each(["k", "k.pub"])("never writes over a key, and leaves nothing half made where %s is there", async (there) => {
    const key = join(dir, "k");
    await writeFile(join(dir, there), "mine");
    expect(await runHere(["keygen", key])).toMatchObject({ code: 2 });
    expect(await readdir(dir)).toEqual([there]);
    expect(await readFile(join(dir, there), "utf8")).toBe("mine");
  });

  it("says its version", async () => {
    const { version } = JSON.parse(await readFile(join(import.meta.dirname, "..", "package.json"), "utf8")) as {
      version: string;
    };
    expect(await run(["--version"])).toMatchObject({ code: 0, out: `${version}\n` });
  });
});
