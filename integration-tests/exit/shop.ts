import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { everything, planted } from "../planted.mjs";

/** A web server that answers with planted data in its headers, redirects to it, fails with it, or breaks off. */
export async function startShop(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://shop.test");
    response.setHeader("x-canary", [everything, ...Object.values(planted)]);
    if (pathname === "/broken") request.socket.destroy();
    else if (pathname === "/redirect") response.writeHead(302, { location: planted.url }).end();
    else response.writeHead(pathname === "/500" ? 500 : 200).end(everything);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}
