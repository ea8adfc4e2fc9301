/** One thing found, in UTF-16 units of the text as given. */
export interface Match {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  /** How sure it is, 0 to 1. */
  readonly score: number;
}

/** Takes what a recogniser finds. */
export type Report = (start: number, end: number, score: number) => void;

/** Characters that may stand on both sides of a space inside one value: `4111 1111`. Digits of other scripts count as `0`. */
export interface Joins {
  readonly before: string;
  readonly after: string;
}

/**
 * Finds one type of value. The shared pass over the text calls `look` at each of its trigger characters, and
 * nowhere else; a recogniser then reads as far as it must on both sides.
 *
 * To add a type: one file with one of these, and one line in `registry.ts`.
 */
export interface Recogniser {
  readonly type: string;
  /** Characters, all ASCII, without which there is no match. */
  readonly triggers: string;
  readonly joins?: Joins;
  /**
   * Looks around the trigger at `at`, and reports matches that lie within `[from, to)`. Of what lies outside it may
   * read two units on each side. Gives the position from which it wants to be called again, so that no unit is read
   * more than a fixed number of times.
   */
  look(text: string, at: number, from: number, to: number, report: Report): number;
  /** What the strategy `mask` leaves of a value. Must not itself be a match. */
  mask(value: string): string;
}

/** A recogniser without a trigger (a user's pattern or function): it walks along the text by itself. */
export interface Walker {
  /** How far before the position it gave back last it still reads. */
  readonly context: number;
  /**
   * Reads on in `text`, which begins `base` units into the stream and has grown, and reports (in units of the
   * stream) what more text cannot change. Gives the position, in units of the stream, before which no more will start.
   */
  advance(text: string, base: number, end: boolean, report: WalkerReport): number;
}

/** `silent`: the tail of a match that was longer than its bound; taken out with it. */
export type WalkerReport = (start: number, end: number, score: number, silent?: boolean) => void;
