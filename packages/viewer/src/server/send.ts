import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

/** The characters that are collected for one write. */
const PIECE = 64 * 1024;

/**
 * Sends an object as JSON, the values of its lists one by one: one string for everything could exceed the runtime's
 * longest string.
 */
export async function sendJson(response: ServerResponse, value: object): Promise<void> {
  response.writeHead(200, { "content-type": "application/json" });
  await pipeline(Readable.from(gathered(jsonPieces(value))), response);
}

/** Yields an object as JSON, piece by piece. */
export function* jsonPieces(value: object): Generator<string> {
  let before = "{";
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    if (Array.isArray(member)) yield* listPieces(member);
    else yield JSON.stringify(member);
    before = ",";
  }
  yield before === "{" ? "{}" : "}";
}

function* listPieces(list: readonly unknown[]): Generator<string> {
  yield "[";
  for (const [at, each] of list.entries()) yield `${at === 0 ? "" : ","}${JSON.stringify(each) ?? "null"}`;
  yield "]";
}

function* gathered(pieces: Iterable<string>): Generator<Buffer> {
  let piece = "";
  for (const each of pieces) {
    piece += each;
    if (piece.length < PIECE) continue;
    yield Buffer.from(piece);
    piece = "";
  }
  yield Buffer.from(piece);
}
