import { once } from "node:events";
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";

/**
 * The fate of one request: it is passed on, after milliseconds; or answered by a status; or its connection breaks; or nobody
 * answers.
 */
export type Turn =
  | "pass"
  | "silence"
  | "cut request"
  | "cut answer"
  | { readonly after: number }
  | { readonly status: number; readonly retryAfter?: string };

/** Stands before a collector and is trouble. */
export interface Front {
  readonly url: string;
  /** The fates of the next requests; when they are used up, `rest` applies. */
  turns: Turn[];
  rest: Turn;
  /** The time at which each request came, in milliseconds. */
  readonly times: readonly number[];
  /** Each body that was passed on, as it came. */
  readonly passed: readonly string[];
  close(): Promise<void>;
}

/** @param port where the collector is. */
export async function startFront(collectorUrl: string): Promise<Front> {
  const times: number[] = [];
  const passed: string[] = [];
  const front = { turns: [] as Turn[], rest: "pass" as Turn };

  const meet = async (incoming: IncomingMessage, answer: ServerResponse): Promise<void> => {
    times.push(performance.now());
    const turn = front.turns.shift() ?? front.rest;
    if (turn === "cut request") {
      await once(incoming, "data");
      incoming.socket.resetAndDestroy();
      return;
    }
    const body = await buffer(incoming);
    if (turn === "silence") return;
    if (typeof turn === "object" && "status" in turn) {
      answer.writeHead(turn.status, turn.retryAfter === undefined ? {} : { "retry-after": turn.retryAfter }).end();
      return;
    }
    if (typeof turn === "object") await wait(turn.after);
    passed.push(body.toString());
    const real = await passOn(collectorUrl, incoming, body);
    if (turn === "cut answer") {
      answer.writeHead(real.status, { "content-length": real.body.length + 10 }).write(real.body);
      await wait(20);
      answer.socket?.resetAndDestroy();
    } else answer.writeHead(real.status, real.headers).end(real.body);
  };
  const server = createServer((incoming, answer) => {
    meet(incoming, answer).catch(() => answer.destroy());
  });
  const url = await listen(server);
  const close = async (): Promise<void> => {
    await new Promise((resolve) => server.close(resolve).closeAllConnections());
  };
  return Object.assign(front, { url, times, passed, close });
}

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
}

async function passOn(collectorUrl: string, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  const sent = request(new URL(url ?? "", collectorUrl), { method, headers }).end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
