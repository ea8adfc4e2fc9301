import type { LogFileSource } from "./sources.js";

/** The progress of a verification. */
export interface VerifyProgress {
  /** Bytes that were read. Of a log that is being written to, more than there were in the beginning. */
  readonly bytes: number;
  /** Bytes that there were in the beginning; absent where the size of a file is not known before its end. */
  readonly totalBytes?: number;
}

/** Takes that so many more bytes were read. */
export type Count = (bytes: number) => void;

/** Adds up what was read of some files, and tells whoever asked. */
export function counter(files: readonly LogFileSource[], tell?: (progress: VerifyProgress) => void): Count {
  if (!tell) return () => {};
  const totalBytes = files.reduce((total, { size }) => total + (size ?? Number.NaN), 0);
  let bytes = 0;
  return (more) => {
    bytes += more;
    tell({ bytes, ...(!Number.isNaN(totalBytes) && { totalBytes }) });
  };
}
