import { basename, dirname } from "node:path";
import type { SystemCall } from "./trace.js";

/**
 * The disk that a power failure would leave: of a file, what a successful sync covers, if its name was synced too. Nothing
 * is believed of a file after a sync of it has failed.
 */
export class SyncedDisk {
  readonly #calls: readonly SystemCall[];

  constructor(calls: readonly SystemCall[]) {
    this.#calls = calls;
  }

  /** The number of bytes of a file that are safe at a line of the trace. */
  bytesOf(file: string, at: number): number {
    let safe = 0;
    for (const sync of this.#on(file, /^(fdatasync|fsync)$/)) {
      // Interrupted is not failed: libuv asks again.
      if (sync.error !== undefined && sync.error !== "EINTR") break;
      if (sync.result !== 0 || sync.end >= at) continue;
      for (const write of this.#on(file, /^pwrite64$/)) {
        const [, offset = "0"] = /, (\d+)$/.exec(write.args) ?? [];
        if (write.end < sync.start) safe = Math.max(safe, Number(offset) + (write.result ?? 0));
      }
    }
    return this.#isNamed(file, at) ? safe : 0;
  }

  /** The calls on a descriptor of a file, by the name of the file. */
  #on(file: string, names: RegExp): readonly SystemCall[] {
    return this.#calls.filter(({ name, args }) => names.test(name) && basename(pathOf(args)) === file);
  }

  #isNamed(file: string, at: number): boolean {
    const created = this.#calls.find(
      ({ name, args, result }) =>
        name === "openat" && args.includes(`/${file}"`) && args.includes("O_CREAT") && (result ?? -1) >= 0,
    );
    if (!created) return false;
    const dir = dirname(/"([^"]+)"/.exec(created.args)?.[1] ?? "");
    return this.#calls.some(
      ({ name, args, result, start, end }) =>
        name === "fsync" && pathOf(args) === dir && result === 0 && start > created.end && end < at,
    );
  }
}

/** The path of the descriptor that is the first argument. */
const pathOf = (args: string): string => /^\d+<([^>]*)>/.exec(args)?.[1] ?? "";
