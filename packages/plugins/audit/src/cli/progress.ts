import type { VerifyProgress } from "../verify/progress.js";

/** The time before progress is shown, in milliseconds: of what is over sooner, nobody wants to read. */
const QUIET_MS = 1000;
const EVERY_MS = 200;
const CLEAR_LINE = "\r\u001b[K";

export interface ProgressLine {
  readonly tell: (progress: VerifyProgress) => void;
  /** Takes the line off the terminal. */
  end(): void;
}

/** A terminal, or what stands for one. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * The progress, on one line of a terminal that is written anew; elsewhere, where it was asked for, a line for each tenth.
 * Undefined where nobody is to be told.
 */
export function progressLine(
  output: ProgressOutput,
  asked: boolean,
  doing = "verifying",
  now = () => performance.now(),
): ProgressLine | undefined {
  if (output.isTTY) return onTerminal(output, asked ? 0 : QUIET_MS, now, doing);
  return asked ? inLines(output, doing) : undefined;
}

function onTerminal(output: ProgressOutput, quietMs: number, now: () => number, doing: string): ProgressLine {
  let next = now() + quietMs;
  let shown = false;
  return {
    tell(progress) {
      if (now() < next) return;
      next = now() + EVERY_MS;
      shown = true;
      output.write(CLEAR_LINE + textOf(progress, doing));
    },
    end() {
      if (shown) output.write(CLEAR_LINE);
    },
  };
}

function inLines(output: ProgressOutput, doing: string): ProgressLine {
  let tenths = 0;
  return {
    tell(progress) {
      const reached = Math.floor(share(progress) * 10);
      if (reached > tenths) output.write(`${textOf(progress, doing)}\n`);
      tenths = reached;
    },
    end() {},
  };
}

/** A log that is being written to grows meanwhile. */
const share = ({ bytes, totalBytes = bytes }: VerifyProgress): number =>
  totalBytes === 0 ? 1 : Math.min(1, bytes / totalBytes);

const textOf = (progress: VerifyProgress, doing: string): string =>
  `${doing}: ${Math.floor(share(progress) * 100)} % of ${megabytes(progress.totalBytes ?? progress.bytes)} MB`;

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
