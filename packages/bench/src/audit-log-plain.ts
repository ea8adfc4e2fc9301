import { type FileHandle, open } from "node:fs/promises";
import { canonicalJson } from "@suite/audit";

/** Appends a record; resolves when it is synced. */
export interface Appender {
  append(record: object): Promise<unknown>;
  close(): Promise<void>;
}

const encode = (record: object): Buffer => Buffer.from(`${canonicalJson(record)}\n`);

/** One write and one fdatasync for each record, one record after the other. */
export async function syncEach(path: string): Promise<Appender> {
  const file = await open(path, "wx");
  let last = Promise.resolve();
  let end = 0;
  const commit = async (line: Buffer): Promise<void> => {
    end += await writeAt(file, line, end);
    await file.datasync();
  };
  return {
    append(record) {
      const line = encode(record);
      last = last.then(() => commit(line));
      return last;
    },
    close: () => file.close(),
  };
}

/** One write and one fdatasync for all records that came meanwhile: the log, without tree, signature and limits. */
export async function syncGroups(path: string): Promise<Appender> {
  const file = await open(path, "wx");
  let waiting: { readonly line: Buffer; resolve(): void; reject(error: unknown): void }[] = [];
  let running = false;
  let end = 0;
  const run = async (): Promise<void> => {
    running = true;
    while (waiting.length > 0) {
      // As in the log: a writer appends again after its acknowledgement, and joins the next batch.
      await new Promise((resolve) => setImmediate(resolve));
      const batch = waiting;
      waiting = [];
      try {
        end += await writeAt(file, Buffer.concat(batch.map(({ line }) => line)), end);
        await file.datasync();
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    running = false;
  };
  return {
    append: (record) =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ line: encode(record), resolve, reject });
        if (!running) void run();
      }),
    close: () => file.close(),
  };
}

async function writeAt(file: FileHandle, bytes: Buffer, position: number): Promise<number> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
  return bytes.length;
}
