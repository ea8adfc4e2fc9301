/** One file of a log, in any storage. */
export interface LogFileSource {
  readonly name: string;
  /** The size in bytes, if it is known before the end is read. */
  readonly size?: number;
  /** True for a source that can be read only once. */
  readonly once?: true;
  read(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** One file of a log's directory, passed as its bytes. */
export interface GivenFile {
  /** The name of the file in the directory. A renamed file does not verify. */
  readonly name: string;
  /** The bytes. An iterable is read once, piece by piece. A `File` of a browser is a `Blob`. */
  readonly bytes: Uint8Array | Blob | AsyncIterable<Uint8Array>;
}

const PIECE_BYTES = 1024 * 1024;

/** Converts a passed file to a source. */
export function sourceOf({ name, bytes }: GivenFile): LogFileSource {
  if (bytes instanceof Uint8Array) return { name, size: bytes.length, read: () => [bytes] };
  if ("slice" in bytes) return { name, size: bytes.size, read: () => piecesOf(bytes) };
  return { name, once: true, read: () => bytes };
}

/** Reads slices, since not every runtime can iterate the stream of a blob. */
async function* piecesOf(blob: Blob): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < blob.size; from += PIECE_BYTES) {
    yield new Uint8Array(await blob.slice(from, from + PIECE_BYTES).arrayBuffer());
  }
}
