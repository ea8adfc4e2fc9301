import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "@jest/globals";
import { type Receiver, startReceiver } from "../receiver.js";

let child: ChildProcess | undefined;
let receiver: Receiver | undefined;
afterEach(async () => {
  child?.kill("SIGKILL");
  await receiver?.stop();
});

/** A program of its own, on the built package, that has ended one span and does `then`. */
const start = async (then: string, options = "", env: Record<string, string> = {}) => {
  receiver = await startReceiver();
  const program = `
    import { trace } from "@opentelemetry/api";
    import { setupTracing } from "./dist/node.js";
    setupTracing({ endpoint: "http://127.0.0.1:${receiver.port}", metrics: false, ${options} });
    trace.getTracer("t").startSpan("last words").end();
    ${then}
    console.log("ready");`;
  child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    cwd: join(import.meta.dirname, "../.."),
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const running = child;
  let errors = "";
  running.stderr?.on("data", (data) => {
    errors += data;
  });
  const ended = once(running, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  running.stdout?.resume();
  await Promise.race([running.stdout && once(running.stdout, "data"), ended]);
  return { running, ended, sent: () => receiver?.bodies.join("") ?? "", said: () => errors };
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

it("does nothing if it is disabled", async () => {
  const { running, ended, sent } = await start(STAY, "flushOnExit: false");
  running.kill("SIGTERM");
  expect(await ended).toEqual([null, "SIGTERM"]);
  expect(sent()).toBe("");
});

const refused = `new Promise((_, reject) => reject(new Error("crashed")));`;
const thrown = `setTimeout(() => { throw new Error("crashed"); });`;
const redacts = `redactor: { redact: (text) => text.replaceAll("words", "[WORDS]"), value: (value) => value },`;

describe("an error that nobody catches", () => {
  it.each([
    ["thrown", thrown, ""],
    ["a rejection", refused, ""],
    ["thrown where all is redacted", thrown, redacts],
    ["thrown where OTLP is protobuf", thrown, `protocol: "http/protobuf",`],
  ])("ends the program as ever, and what has ended is sent before: %s", async (_, crash, options) => {
    const { ended, sent, said } = await start(`${STAY} ${crash}`, options);
    expect(await ended).toEqual([1, null]);
    expect(said()).toContain("Error: crashed");
    expect(sent()).toContain(options === redacts ? "last [WORDS]" : "last words");
  });

  it("sends what the exporter had begun to send, too, and hundreds of spans in several batches", async () => {
    const many = `for (let i = 0; i < 600; i++) trace.getTracer("t").startSpan("span " + i).end();`;
    const { ended, sent } = await start(
      `${STAY} ${many} setTimeout(() => { ${many} throw new Error("crashed"); }, 0);`,
    );
    expect(await ended).toEqual([1, null]);
    expect(new Set(sent().match(/span \d+(?=")/g)).size).toBe(600);
  });

  it("sends the headers of the environment and of code, and those of code win", async () => {
    const { ended } = await start(`${STAY} ${thrown}`, `headers: { two: "code" },`, {
      OTEL_EXPORTER_OTLP_HEADERS: "one=a%20b,two=c",
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: "three=d",
    });
    expect(await ended).toEqual([1, null]);
    const [request] = receiver?.requests ?? [];
    expect(request).toMatchObject({ type: "application/json", path: "/v1/traces" });
    expect(request?.headers).toMatchObject({ one: "a b", two: "code", three: "d" });
  });

  it("leaves a program alone that has a handler for it", async () => {
    const { ended, sent } = await start(`process.on("uncaughtException", () => console.log("handled")); ${thrown}`);
    expect(await ended).toEqual([0, null]);
    expect(sent()).toContain("last words");
  });

  it("delays the exit by at most two seconds if no server responds", async () => {
    const { running, ended, said } = await start(`${STAY} ${thrown}`, `endpoint: "http://127.0.0.1:1",`);
    const begun = performance.now();
    expect(await ended).toEqual([1, null]);
    expect(running.signalCode).toBeNull();
    expect(said()).toContain("Error: crashed");
    expect(performance.now() - begun).toBeLessThan(8_000);
  });
});
