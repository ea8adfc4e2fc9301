import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "@jest/globals";
import { fileSink, fileSubjectKeys } from "../../src/index.js";
import { EMAIL, scenario, toolRequest } from "../scenario.js";
import { logFiles, temporaryDirectory } from "../support.js";
import { run, runHere } from "./run.js";

let [dir, keys] = ["", ""];
beforeEach(async () => {
  [dir, keys] = [await temporaryDirectory(), await temporaryDirectory()];
  const sink = fileSink({ dir });
  const one = await scenario({ sink, subjects: fileSubjectKeys({ dir: keys }), policy: { content: "full" } });
  await one.act("tool", toolRequest, async (tool) => tool.respond({ value: "done" }), { userId: "user-jane" });
  await one.stack.close();
});

const show = (command: string, ...options: string[]) => run([command, dir, "--json", ...options], { cache: keys });

it.each(["tail", "query"])("%s shows encrypted content as it is stored, and in clear with --keys", async (command) => {
  expect((await show(command)).out).not.toContain(EMAIL);
  const { code, out, err } = await show(command, "--keys", keys);
  expect({ code, err }).toEqual({ code: 0, err: "" });
  expect(out).toContain(EMAIL);
  expect(out).toContain("user-jane");
});

it("the record of a subject whose key was erased is printed as it is stored", async () => {
  expect(await runHere(["erase", dir, "--keys", keys, "--subject", "user-jane"])).toMatchObject({ code: 0 });
  const { code, out } = await show("tail", "--keys", keys);
  expect(code).toBe(0);
  expect(out).toContain("ciphertext");
  expect(out).not.toContain(EMAIL);
});

it.each(["tail", "query"])(
  "%s says which record its key does not open, shows the others, and ends with 1",
  async (command) => {
    const [name = ""] = await logFiles(dir);
    const text = await readFile(join(dir, name), "utf8");
    await writeFile(join(dir, name), text.replace('"stage":"intent"', '"stage":"outcome"'));
    const { code, out, err } = await show(command, "--keys", keys);
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/^The encrypted content of record \S+ cannot/),
    });
    expect(out).toContain("done");
  },
);

it("no directory is taken that is not there: all keys would look erased", async () => {
  expect(await runHere(["tail", dir, "--keys", join(keys, "no")])).toMatchObject({ code: 2, out: "" });
});
