import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, jest } from "@jest/globals";
import { ed25519Signer, generatePrivateKey, openLog } from "../../src/index.js";
import { run, runHere } from "../cli/run.js";
import { logFiles, temporaryDirectory } from "../support.js";

it("suite-audit retain says what it would delete, deletes it, and verify still finds nothing wrong", async () => {
  const dir = await temporaryDirectory();
  const old = new Date(Date.now() - 300 * 24 * 60 * 60 * 1000);
  jest.useFakeTimers({ now: old, doNotFake: ["nextTick", "setImmediate", "queueMicrotask", "performance"] });
  const log = await openLog({ dir });
  await log.append({ n: 1 });
  await log.close();
  jest.useRealTimers();
  const [file = ""] = await logFiles(dir);
  await utimes(join(dir, file), old, old);

  expect((await run(["retain", dir, "--older-than", "100d"])).code).toBe(2);
  expect(await run(["retain", dir, "--older-than", "184d", "--dry-run"])).toMatchObject({
    code: 0,
    out: `would be deleted: ${file}, 2 records\n`,
  });
  expect(await run(["retain", dir, "--older-than", "184d"])).toMatchObject({
    code: 0,
    out: `deleted: ${file}, 2 records\n`,
  });
  expect(await run(["retain", dir, "--older-than", "184d"])).toMatchObject({
    code: 0,
    out: "No file is old enough.\n",
  });
  const verdict = await run(["verify", dir]);
  expect(verdict).toMatchObject({ code: 0, out: expect.stringContaining("1 file deleted by retention") });
});

it("suite-audit retain --dry-run needs no signing key, also of a log that is signed by one from elsewhere", async () => {
  const dir = await temporaryDirectory();
  const log = await openLog({ dir, signer: ed25519Signer(generatePrivateKey()) });
  await log.append({ n: 1 });
  await log.close();
  const args = ["retain", dir, "--older-than", "184d"];
  expect(await runHere([...args, "--dry-run"])).toMatchObject({ code: 0, out: "No file is old enough.\n" });
  expect(await runHere(args)).toMatchObject({ code: 2, err: expect.stringContaining("--signing-key") });
});
