/** One file of a log, wherever it is. */
export interface LogFileSource {
  readonly name: string;
  /** The bytes in it, where they are known before the end is read. */
  readonly size?: number;
  /** A source whose bytes come once: `read` gives nothing the second time. */
  readonly once?: true;
  read(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** One file of a log's directory, given as its bytes. */
export interface GivenFile {
  /** The name that it has in the directory: a file of another name does not verify. */
  readonly name: string;
  /** The bytes: those that iterate are read once, a piece at a time. A `File` of a browser is a `Blob`. */
  readonly bytes: Uint8Array | Blob | AsyncIterable<Uint8Array>;
}

const PIECE_BYTES = 1024 * 1024;

/** A given file as a source. */
export function sourceOf({ name, bytes }: GivenFile): LogFileSource {
  if (bytes instanceof Uint8Array) return { name, size: bytes.length, read: () => [bytes] };
  if ("slice" in bytes) return { name, size: bytes.size, read: () => piecesOf(bytes) };
  return { name, once: true, read: () => bytes };
}

/** Slices, since not every runtime can iterate the stream of a blob. */
async function* piecesOf(blob: Blob): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < blob.size; from += PIECE_BYTES) {
    yield new Uint8Array(await blob.slice(from, from + PIECE_BYTES).arrayBuffer());
  }
}
