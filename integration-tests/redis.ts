import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "@jest/globals";
import { freePort } from "../scripts/free-port.mjs";
import { isThere } from "../scripts/needs.mjs";

const isHere = isThere("redis-server", "the tests of Redis");

/** Tests that need a real Redis server. */
export const withRedis = isHere ? describe : describe.skip;

/** A server on loopback that writes each change to the disk before it answers. */
export interface Redis {
  readonly port: number;
  readonly url: string;
  /** Kills the server, at once. */
  kill(): Promise<void>;
  /** Starts the server that was killed, with what it had made durable. */
  restart(): Promise<void>;
  /** Stops the server's process: it is reachable, and answers nothing. */
  pause(): void;
  resume(): void;
  stop(): Promise<void>;
}

/** Starts one, with nothing in it, and waits until it is up. @param args further arguments of the server. */
export async function startRedis(...args: readonly string[]): Promise<Redis> {
  const dir = mkdtempSync(join(tmpdir(), "redis-"));
  const port = await freePort();
  const durable = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(
      "redis-server",
      ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", dir, ...durable, ...args],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    let said = "";
    await new Promise<void>((resolve, reject) => {
      child.stdout.on("data", (text: Buffer) => {
        said += text.toString();
        if (said.includes("Ready to accept connections")) resolve();
      });
      child.once("exit", () => reject(new Error(`The Redis server did not start: ${said}`)));
      child.once("error", reject);
    });
    return child;
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  let child = await start();
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    kill: () => end("SIGKILL"),
    async restart() {
      child = await start();
    },
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    async stop() {
      await end("SIGKILL");
      rmSync(dir, { recursive: true });
    },
  };
}
