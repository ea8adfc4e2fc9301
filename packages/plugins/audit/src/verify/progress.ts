import type { LogFileSource } from "./sources.js";

/** The progress of a verification. */
export interface VerifyProgress {
  /** Bytes read so far. They may exceed the total if the log is being written to. */
  readonly bytes: number;
  /** Total bytes at the beginning. Absent if the size of a file is not known before its end. */
  readonly totalBytes?: number;
}

/** Adds a number of bytes to the count. */
export type Count = (bytes: number) => void;

/** Creates a counter of bytes over several files, which reports the progress to a listener. */
export function counter(files: readonly LogFileSource[], onProgress?: (progress: VerifyProgress) => void): Count {
  if (!onProgress) return () => {};
  const totalBytes = files.reduce((total, { size }) => total + (size ?? Number.NaN), 0);
  let bytes = 0;
  return (more) => {
    bytes += more;
    onProgress({ bytes, ...(!Number.isNaN(totalBytes) && { totalBytes }) });
  };
}
