import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe } from "@jest/globals";

const program = (process.env.PATH ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "redis-server"))
  .find((path) => existsSync(path));

if (program === undefined) {
  const lacks = "No Redis server on this machine: its tests";
  if (process.env.CI) throw new Error(`${lacks} cannot run`);
  console.error(`${lacks} are skipped`);
}

/** Tests that need a real Redis server. */
export const withRedis = program === undefined ? describe.skip : describe;

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
  if (program === undefined) throw new Error("no Redis server");
  const dir = mkdtempSync(join(tmpdir(), "redis-"));
  const port = await freePort();
  const durable = ["--appendonly", "yes", "--appendfsync", "always", "--save", ""];
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(program, ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", dir, ...durable, ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
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

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
