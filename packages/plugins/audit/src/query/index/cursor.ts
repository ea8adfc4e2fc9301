import { type FileHandle, open, stat } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { MAX_COMMIT_BYTES } from "../../log/format.js";
import { checkpointIn, linesBack } from "../../log/lines-back.js";
import { logFilesOf } from "../records-of.js";

/** The indexed part of a log file, with marks that identify the file. */
export interface Cursor {
  readonly id: number;
  readonly name: string;
  /** Indexed bytes and records, up to the end of a line. */
  readonly offset: number;
  readonly records: number;
  /** Number of lines among these records that are not JSON objects and are not in the index. */
  readonly unreadable: number;
  /** Size, and time of the last change of the file or its entry (ctime, in ms), when the file was read. */
  readonly size: number;
  readonly changed: number;
  /** Checksums of the first bytes, and of the last bytes before `offset`. */
  readonly head: number;
  readonly tail: number;
}

/** A log file in its current state. */
export interface Present {
  readonly name: string;
  readonly size: number;
  readonly changed: number;
}

const WINDOW = 4096;

/** @throws AuditError `ERR_AUDIT_NO_LOG` */
export async function presentFiles(dir: string): Promise<readonly Present[]> {
  const looked = (await logFilesOf(dir)).map(({ name }) =>
    stat(join(dir, name)).then(
      ({ size, ctimeMs }) => [{ name, size, changed: ctimeMs }],
      // Retention may have deleted it in the meantime.
      () => [],
    ),
  );
  return (await Promise.all(looked)).flat();
}

/**
 * Returns true if the file still begins with the indexed part. Returns false if it does not, or if fewer records were
 * indexed than the last checkpoint there counts: then the index omitted some, or the file is damaged.
 */
export async function isSame(dir: string, cursor: Cursor, present: Present): Promise<boolean> {
  if (present.size === cursor.size && present.changed !== cursor.changed) return false;
  const path = join(dir, cursor.name);
  const { head, tail } = await marksOf(path, cursor.offset);
  return head === cursor.head && tail === cursor.tail && cursor.records >= (await signedSize(path, cursor));
}

/** Returns the size in the last checkpoint of the indexed part of a file. It is usually the last line. */
async function signedSize(path: string, { name, offset }: Cursor): Promise<number> {
  const file = await open(path, "r");
  try {
    for await (const { bytes } of linesBack(file, offset, Math.max(0, offset - MAX_COMMIT_BYTES))) {
      const found = checkpointIn(bytes, name);
      if (found) return found.size;
    }
    return 0;
  } finally {
    await file.close();
  }
}

/** Returns checksums that identify the first `offset` bytes of a file. */
export async function marksOf(path: string, offset: number): Promise<{ head: number; tail: number }> {
  const file = await open(path, "r");
  try {
    const length = Math.min(WINDOW, offset);
    return { head: await checksum(file, 0, length), tail: await checksum(file, offset - length, length) };
  } finally {
    await file.close();
  }
}

async function checksum(file: FileHandle, from: number, length: number): Promise<number> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
  return crc32(buffer.subarray(0, bytesRead));
}
