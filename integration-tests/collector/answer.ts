import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";
import type { OtlpRequest } from "./requests.js";

/** The answer to a request: whether all of it was taken, with the status and the content type. */
export interface Answer {
  readonly taken: boolean;
  readonly status: number;
  readonly type: string | undefined;
}

/** The most bytes of an answer in protobuf that says nothing: an empty message, or one with an empty message in it. */
const EMPTY = 2;

/** Sends a request as it stands, each on a connection of its own. Spans that the answer says are rejected are not taken. */
export const answerTo = (endpoint: string, { path, method = "POST", headers, body }: OtlpRequest): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(endpoint);
    const options = { hostname, port, path, method, headers: { ...headers }, agent: false };
    const sent = httpRequest(options, (response) => {
      text(response).then((said) => {
        const { statusCode: status = 0, headers: answered } = response;
        const type = answered["content-type"];
        const rejected = type === "application/json" ? /"rejected\w+":"?[1-9]/.test(said) : said.length > EMPTY;
        resolve({ taken: status === 200 && !rejected, status, type });
      }, reject);
    });
    sent.on("error", reject).end(body);
  });
