import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { tokensIn } from "./conversation.js";

/** A server with Google's protocol, and its requests. */
export interface Gemini {
  readonly url: string;
  readonly requests: { readonly body: unknown }[];
  close(): Promise<void>;
}

/** Starts a server that answers with the token of the request, as JSON or as events. */
export async function startGemini(): Promise<Gemini> {
  const requests: { readonly body: unknown }[] = [];
  const server = createServer(async (request, response) => {
    const body = await json(request);
    requests.push({ body });
    const parts = [{ text: `Your address is ${tokensIn([{ body }]).at(-1) ?? "unknown"}.` }];
    const answer = JSON.stringify({
      candidates: [{ content: { role: "model", parts }, index: 0, finishReason: "STOP" }],
    });
    const stream = request.url?.includes(":streamGenerateContent") ?? false;
    response.setHeader("content-type", stream ? "text/event-stream" : "application/json");
    response.end(stream ? `data: ${answer}\r\n\r\n` : answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}
