import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Returns a free port of the local address. It is below the range of ports that systems assign by themselves, so that no
 * connection or server takes it before the caller does.
 *
 * @returns {Promise<number>}
 */
export async function freePort() {
  const port = randomInt(20_000, 32_768);
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EADDRINUSE") return freePort();
    throw error;
  }
  server.close();
  await once(server, "close");
  return port;
}
