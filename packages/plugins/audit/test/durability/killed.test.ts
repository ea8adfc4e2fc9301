import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "@jest/globals";
import { temporaryDirectory } from "../support.js";
import { fixture, provenIds } from "./proof.js";

const LONG = process.env.TEST_LONG !== undefined;
const KILLS = LONG ? 2000 : 36;
/** At the same time, and one after the other in one directory. */
const LANES = 4;
const KILLS_PER_DIRECTORY = 40;

/** Kills one process at a moment drawn anew: now and then while it starts. Gives what it had said was acknowledged. */
async function killed(dir: string, kill: number): Promise<string[]> {
  const writers = [1, 16, 256][kill % 3] ?? 1;
  const child = spawn(process.execPath, [fixture("writer.mjs"), dir, String(writers)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let printed = "";
  child.stdout.on("data", (text: Buffer) => {
    printed += text.toString();
  });
  const ended = once(child, "close");
  if (kill % 6 === 5) await sleep(Math.random() * 100);
  else {
    await Promise.race([once(child.stdout, "data"), ended]);
    await sleep(Math.random() * 40);
  }
  child.kill("SIGKILL");
  await ended;
  return printed.split("\n").slice(0, -1);
}

/** Kills a writer so many times in one directory; tells how many records were acknowledged, and which of them are not proven. */
async function lane(kills: number): Promise<{ readonly acknowledged: number; readonly lost: readonly string[] }> {
  const dir = await temporaryDirectory();
  const ids: string[] = [];
  for (let kill = 0; kill < kills; kill++) ids.push(...(await killed(dir, kill)));
  const proven = await provenIds(dir);
  return { acknowledged: ids.length, lost: ids.filter((id) => !proven.has(id)) };
}

describe("a process that is killed", () => {
  it(`loses no acknowledged record, ${KILLS} times`, async () => {
    const start = performance.now();
    let acknowledged = 0;
    const lost: string[] = [];
    for (let left = KILLS; left > 0; left -= LANES * KILLS_PER_DIRECTORY) {
      const kills = Math.min(Math.ceil(left / LANES), KILLS_PER_DIRECTORY);
      for (const ended of await Promise.all(Array.from({ length: LANES }, () => lane(kills)))) {
        acknowledged += ended.acknowledged;
        lost.push(...ended.lost);
      }
    }
    expect(lost).toEqual([]);
    expect(acknowledged).toBeGreaterThan(KILLS);
    const seconds = Math.round((performance.now() - start) / 1000);
    if (LONG) console.info(`${KILLS} kills, ${acknowledged} records acknowledged, none lost, ${seconds} s`);
  }, 1_800_000);
});
