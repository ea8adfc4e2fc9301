import type { Capability, Subject } from "./subject.js";
import { attempt, type Trial, type TrialOptions } from "./trial.js";

/** One promise of the contract, as a plain function. It rejects if the promise does not hold. */
export interface Scenario {
  readonly name: string;
  /** The capabilities that it requires of a subject. */
  readonly needs: readonly Capability[];
  run(subject: Subject): Promise<void>;
}

export type Try = (options: TrialOptions) => Promise<Trial>;
type Body = (tryIt: Try, subject: Subject) => Promise<void>;

export const scenario = (name: string, needs: readonly Capability[], body: Body): Scenario => ({
  name,
  needs,
  run: (subject) => body((options) => attempt(name, subject, options), subject),
});

/** Creates the scenarios of one promise: for a plain answer and for a streamed one. */
export const inBothModes = (name: string, needs: readonly Capability[], body: Body): readonly Scenario[] => [
  scenario(`${name}, plain`, needs, body),
  scenario(`${name}, streamed`, [...needs, "stream"], (tryIt, subject) =>
    body((options) => tryIt({ stream: true, ...options }), subject),
  ),
];
