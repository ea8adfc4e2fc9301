import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "redis";
import { onPath } from "../../../scripts/needs.mjs";

/** Whether there is a Redis server on this machine: groups that need one are left out without. */
export const hasRedis = onPath(["redis-server"]).length > 0;

/** A client of a Redis server that was started for it, on a socket, without persistence; and what ends both. */
export async function startRedis() {
  const dir = await mkdtemp(join(tmpdir(), "suite-bench-redis-"));
  const path = join(dir, "socket");
  const server = spawn("redis-server", ["--port", "0", "--unixsocket", path, "--dir", dir, "--save", ""], {
    stdio: "ignore",
  });
  const client = createClient({ socket: { path, tls: false } });
  client.on("error", () => {}); // until the server is up
  await client.connect();
  return {
    client,
    async close(): Promise<void> {
      await client.close();
      server.kill();
      await rm(dir, { recursive: true });
    },
  };
}
