import { createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";

/** A request for an approval, as the webhook brings it. */
interface Asked {
  readonly data: { readonly id: string; readonly toolName: string; readonly arguments: { readonly eur: number } };
}

/** Signs a message as the Standard Webhooks specification has it. */
export function signed(secret: string, body: string): Record<string, string> {
  const id = `msg_${randomUUID()}`;
  const time = Math.floor(Date.now() / 1000);
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`${id}.${time}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": `${time}`, "webhook-signature": `v1,${signature}` };
}

/**
 * A person in another program: is told of requests by webhook, and answers by one, some time later.
 *
 * @param answerTo the address that takes decisions.
 */
export async function person(secret: string, answerTo: () => string) {
  const server = createServer(async (request: IncomingMessage, response) => {
    const { data } = (await json(request)) as Asked;
    response.writeHead(202).end();
    console.log(`ann is asked: ${data.toolName} ${JSON.stringify(data.arguments)}`);
    const decision = data.arguments.eur <= 100 ? "approve" : "reject";
    const body = JSON.stringify({ data: { id: data.id, decision, by: "ann" } });
    const answer = await fetch(answerTo(), { method: "POST", body, headers: signed(secret, body) });
    console.log(`ann says ${decision}: ${answer.status}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}
