import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, expect, it } from "@jest/globals";
import { type Receiver, startReceiver } from "./receiver.js";

let child: ChildProcess | undefined;
let receiver: Receiver | undefined;
afterEach(async () => {
  child?.kill("SIGKILL");
  await receiver?.stop();
});

/** A program of its own, on the built package, that has ended one span and does `then`. */
const start = async (then: string, options = "") => {
  receiver = await startReceiver();
  const program = `
    import { trace } from "@opentelemetry/api";
    import { setupTracing } from "./dist/node.js";
    setupTracing({ endpoint: "http://127.0.0.1:${receiver.port}", metrics: false, ${options} });
    trace.getTracer("t").startSpan("last words").end();
    ${then}
    console.log("ready");`;
  child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    cwd: join(import.meta.dirname, ".."),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const running = child;
  const ended = once(running, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  await Promise.race([running.stdout && once(running.stdout, "data"), ended]);
  return { running, ended, sent: () => receiver?.bodies.join("") ?? "" };
};
const STAY = "setInterval(() => {}, 1000);";

it("sends what is left when a program has nothing more to do", async () => {
  const { ended, sent } = await start("");
  expect(await ended).toEqual([0, null]);
  expect(sent()).toContain("last words");
});

it.each(["SIGTERM", "SIGINT"] as const)("sends what is left on %s, and ends by that signal as ever", async (signal) => {
  const { running, ended, sent } = await start(STAY);
  running.kill(signal);
  expect(await ended).toEqual([null, signal]);
  expect(sent()).toContain("last words");
});

it("leaves the end to the program's own handler, also one that is set for one time and takes longer", async () => {
  const { running, ended, sent } = await start(
    `${STAY} process.once("SIGTERM", () => setTimeout(() => process.exit(7), 300));`,
  );
  running.kill("SIGTERM");
  expect(await ended).toEqual([7, null]);
  expect(sent()).toContain("last words");
});

it("takes no part where it was told not to", async () => {
  const { running, ended, sent } = await start(STAY, "flushOnExit: false");
  running.kill("SIGTERM");
  expect(await ended).toEqual([null, "SIGTERM"]);
  expect(sent()).toBe("");
});
