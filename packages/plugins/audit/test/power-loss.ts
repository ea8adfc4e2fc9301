import { randomBytes } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { openLog } from "../src/index.js";
import { logFiles } from "./support.js";

/** A write that was synced, and then acknowledged: a commit, or the mark of a file that was closed. */
interface Write {
  readonly file: string;
  readonly from: number;
  readonly to: number;
  readonly records: number;
}

/** A log as it was written, and in which order. */
export interface Written {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly writes: readonly Write[];
  /** The bytes of a file of the same log that was removed: its sectors may be given to others. */
  readonly removed: Buffer;
}

/** Two processes' worth of commits in one directory: of 1 record to 40, of 1 byte to 64 KiB, through several files. */
const steps: readonly (readonly [writer: 0 | 1, ...sizes: number[]])[] = [
  [0, 1],
  [1, 400, 400, 400],
  [0, ...Array.from({ length: 40 }, (_, n) => n * 13)],
  [1, 9000, 1],
  [0, 65_000],
  [1, 3000],
  [0, 1, 2, 3],
  [1, 20_000, 511, 512, 513],
  [1, 30_000],
  [0, 4096, 4095],
  [1, 1],
  [1, 700],
  [0, 2048],
];

/** Writes the log, with real files. */
export async function writtenLog(dir: string): Promise<Written> {
  const logs = await Promise.all([openLog({ dir, maxFileBytes: 50_000 }), openLog({ dir, maxFileBytes: 50_000 })]);
  const files = new Map<string, Buffer>();
  const writes: Write[] = [];
  const look = async () => {
    for (const file of await logFiles(dir)) {
      const bytes = await readFile(join(dir, file));
      writes.push(...writesOf(file, bytes, files.get(file)?.length ?? 0));
      files.set(file, bytes);
    }
  };
  for (const [writer, ...sizes] of steps) {
    await Promise.all(
      sizes.map((size) => logs[writer].append({ text: randomBytes(size).toString("base64").slice(-size) })),
    );
    await look();
  }
  for (const log of logs) {
    await log.close();
    await look();
  }
  return { files, writes, removed: await removedFile(dir) };
}

/** Another file of the same key, with small commits: whole records and signed checkpoints in one sector. */
async function removedFile(dir: string): Promise<Buffer> {
  const log = await openLog({ dir });
  const { file } = await log.append({ n: 0 });
  for (let n = 1; n < 60; n++) await log.append({ n });
  await log.close();
  const bytes = await readFile(join(dir, file));
  await rm(join(dir, file));
  return bytes;
}

function writesOf(file: string, bytes: Buffer, begin: number): Write[] {
  const writes: Write[] = [];
  let records = 0;
  for (let at = begin, from = begin; at < bytes.length; ) {
    const end = bytes.indexOf("\n", at) + 1;
    if (bytes[at] === 0x22) {
      writes.push({ file, from, to: end, records });
      from = end;
      records = 0;
    } else records++;
    at = end;
  }
  return writes;
}

/** The fate of a sector that was on its way to the disk. Stale: what a removed file had left there. */
export type Fate = "kept" | "zero" | "garbage" | "stale";

/** A moment at which the power fails, and what it leaves. Numbers are taken modulo what there is. */
export interface Crash {
  /** The number of writes that had been acknowledged. */
  readonly at: number;
  readonly sectorBytes: number;
  /** The fates of the sectors, over and over. */
  readonly fates: readonly [Fate, ...Fate[]];
  /** The end of the file, counted in what was on its way; undefined: it has grown to its new size. */
  readonly cut: number | undefined;
  /** Whether the name of a file in which nothing was acknowledged is still there. */
  readonly named: boolean;
}

/** The files on the disk after the crash. */
export function afterCrash({ files, writes, removed }: Written, crash: Crash): Map<string, Buffer> {
  const done = crash.at % (writes.length + 1);
  const disk = new Map<string, Buffer>();
  for (const { file, to } of writes.slice(0, done)) disk.set(file, bytesOf(files, file).subarray(0, to));
  for (const write of onTheWay(writes.slice(done))) {
    if (write.from === 0 && !crash.named) continue;
    const left = torn(bytesOf(files, write.file), write, crash, removed);
    disk.set(write.file, Buffer.concat([bytesOf(files, write.file).subarray(0, write.from), left]));
  }
  return disk;
}

const bytesOf = (files: Written["files"], file: string): Buffer => files.get(file) ?? Buffer.of();

/** The next write of each process, unless it says what the other one's next write did. */
function onTheWay([next, ...later]: readonly Write[]): Write[] {
  if (!next) return [];
  const other = later.find(({ file }) => file !== next.file);
  return other && other.from > 0 ? [next, other] : [next];
}

/** The rest of one write. The bytes before it stay as they are, also those that share a sector with it. */
function torn(bytes: Buffer, { from, to }: Write, { at, sectorBytes, fates, cut }: Crash, stale: Buffer): Buffer {
  const after = Buffer.from(bytes);
  const first = from - (from % sectorBytes);
  for (let sector = first, n = 0; sector < to; sector += sectorBytes, n++) {
    const [begin, end] = [Math.max(sector, from), Math.min(sector + sectorBytes, to)];
    const fate = fates[n % fates.length];
    if (fate === "zero") after.fill(0, begin, end);
    if (fate === "garbage") randomBytes(end - begin).copy(after, begin);
    if (fate === "stale") {
      const source = ((at + n) % Math.floor(stale.length / sectorBytes)) * sectorBytes + begin - sector;
      stale.copy(after, begin, source, source + end - begin);
    }
  }
  return after.subarray(from, cut === undefined ? to : from + (cut % (to - from + 1)));
}
