import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { isObject } from "@suite/kit";
import { ViewerError } from "../errors.js";
import type { Span } from "../run/span.js";

/** The names of the files, the older one first. */
const OLDER = "spans.older.jsonl";
const NEWER = "spans.jsonl";

/**
 * Spans on disk: lines of JSON, one or more for each request, only appended. There are two files, and the older one is
 * dropped when space is needed.
 */
export class SpanLog {
  readonly #folder: string;
  readonly #most: number;
  #file: FileHandle;
  #length: number;
  #writing: Promise<void> = Promise.resolve();

  private constructor(folder: string, most: number, file: FileHandle, length: number) {
    this.#folder = folder;
    this.#most = most;
    this.#file = file;
    this.#length = length;
  }

  /**
   * @param most bytes of one file.
   * @throws ViewerError `ERR_VIEWER_DATA` if the folder is not writable.
   */
  static async open(folder: string, most: number): Promise<SpanLog> {
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = await open(join(folder, NEWER), "a", 0o600);
      const { size } = await file.stat();
      // Ends a line that was cut off in a crash, so that the next line is intact.
      if (size > 0) await file.appendFile("\n");
      return new SpanLog(folder, most, file, size);
    } catch (error) {
      throw new ViewerError("ERR_VIEWER_DATA", "The folder for data cannot be written to.", { cause: error });
    }
  }

  /** Appends the spans of one request. Rejects if the disk refuses. */
  append(spans: readonly Span[]): Promise<void> {
    const written = this.#writing.then(async () => {
      for (const line of linesOf(spans)) await this.#write(line);
    });
    this.#writing = written.catch(() => {});
    return written;
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#file.close();
  }

  async #write(line: string): Promise<void> {
    if (this.#length > this.#most) await this.#begin();
    try {
      await this.#file.appendFile(line);
    } catch (error) {
      throw new ViewerError("ERR_VIEWER_DATA", "The spans could not be written to disk.", { cause: error });
    }
    this.#length += Buffer.byteLength(line);
  }

  /** Starts a new file. The previous one replaces the older one. */
  async #begin(): Promise<void> {
    await this.#file.close();
    await rename(join(this.#folder, NEWER), join(this.#folder, OLDER));
    this.#file = await open(join(this.#folder, NEWER), "a", 0o600);
    this.#length = 0;
  }
}

/** The characters after which a line ends, since one string for all spans of a request could be too long. */
const LINE = 1024 * 1024;

/** Yields spans as lines of JSON, each a list. */
function* linesOf(spans: readonly Span[]): Generator<string> {
  let line = "";
  for (const span of spans) {
    line += `${line === "" ? "[" : ","}${JSON.stringify(span)}`;
    if (line.length < LINE) continue;
    yield `${line}]\n`;
    line = "";
  }
  if (line !== "") yield `${line}]\n`;
}

/**
 * Reads the spans in a folder, request by request, the oldest first. Invalid lines, for example after a crash, are
 * skipped.
 */
export async function* spansOnDisk(
  folder: string,
): AsyncGenerator<{ readonly spans: readonly Span[]; readonly bytes: number }> {
  for (const name of [OLDER, NEWER]) {
    const path = join(folder, name);
    if ((await stat(path).catch(() => undefined)) === undefined) continue;
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
      const spans = spansIn(line);
      if (spans !== undefined) yield { spans, bytes: line.length };
    }
  }
}

/** Returns true if a folder contains a file of spans. */
export const hasSpans = async (folder: string): Promise<boolean> =>
  (await Promise.all([OLDER, NEWER].map((name) => stat(join(folder, name)).catch(() => undefined)))).some(
    (found) => found !== undefined,
  );

function spansIn(line: string): readonly Span[] | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return Array.isArray(value) && value.every(isSpan) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isSpan = (value: Partial<Span> | null): value is Span =>
  typeof value?.traceId === "string" &&
  typeof value.spanId === "string" &&
  typeof value.name === "string" &&
  typeof value.scope === "string" &&
  typeof value.start === "number" &&
  typeof value.end === "number" &&
  isObject(value.attributes) &&
  isObject(value.resource) &&
  Array.isArray(value.events) &&
  value.events.every((event) => isObject(event) && isObject(event.attributes) && typeof event.name === "string") &&
  Array.isArray(value.links) &&
  value.links.every((link) => isObject(link) && isObject(link.attributes) && typeof link.traceId === "string");
