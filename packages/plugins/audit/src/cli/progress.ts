import type { VerifyProgress } from "../verify/progress.js";

/** The time before progress is shown, in milliseconds. Shorter commands show none. */
const QUIET_MS = 1000;
const EVERY_MS = 200;
const CLEAR_LINE = "\r\u001b[K";

export interface ProgressLine {
  readonly tell: (progress: VerifyProgress) => void;
  /** Removes the line from the terminal. */
  end(): void;
}

/** A terminal, or a substitute for one. */
export interface ProgressOutput {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/**
 * Creates a progress display. A terminal gets one line that is rewritten, other outputs a line for each tenth. Returns
 * `undefined` if the output is not a terminal and progress was not requested.
 */
export function progressLine(
  output: ProgressOutput,
  requested: boolean,
  doing = "verifying",
  now = () => performance.now(),
): ProgressLine | undefined {
  if (output.isTTY) return onTerminal(output, requested ? 0 : QUIET_MS, now, doing);
  return requested ? inLines(output, doing) : undefined;
}

function onTerminal(output: ProgressOutput, quietMs: number, now: () => number, doing: string): ProgressLine {
  let next = now() + quietMs;
  let visible = false;
  return {
    tell(progress) {
      if (now() < next) return;
      next = now() + EVERY_MS;
      visible = true;
      output.write(CLEAR_LINE + textOf(progress, doing));
    },
    end() {
      if (visible) output.write(CLEAR_LINE);
    },
  };
}

function inLines(output: ProgressOutput, doing: string): ProgressLine {
  let tenths = 0;
  return {
    tell(progress) {
      const tenth = Math.floor(share(progress) * 10);
      if (tenth > tenths) output.write(`${textOf(progress, doing)}\n`);
      tenths = tenth;
    },
    end() {},
  };
}

/** The log may grow during the command. */
const share = ({ bytes, totalBytes = bytes }: VerifyProgress): number =>
  totalBytes === 0 ? 1 : Math.min(1, bytes / totalBytes);

const textOf = (progress: VerifyProgress, doing: string): string =>
  `${doing}: ${Math.floor(share(progress) * 100)} % of ${megabytes(progress.totalBytes ?? progress.bytes)} MB`;

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);
