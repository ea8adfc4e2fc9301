import type { RecordStage, RecordType } from "./record.js";

/** The records that a rule applies to. Every member that is set must match. */
export interface Match {
  readonly type?: RecordType | readonly RecordType[];
  readonly stage?: RecordStage;
  /** Name of the tool, model, agent or guard. A name that ends with `*` matches by prefix. */
  readonly target?: string | readonly string[];
}

/** The members of a record that rules match. */
export interface Matched {
  readonly type: RecordType;
  readonly stage: RecordStage;
  readonly target?: string | undefined;
}

/** Compiles rules. Returns a function that finds the first matching one. */
export function firstMatch<R extends Match>(rules: readonly R[]): (record: Matched) => R | undefined {
  const compiled = rules.map((rule) => ({ rule, matches: compile(rule) }));
  return (record) => compiled.find(({ matches }) => matches(record))?.rule;
}

function compile({ type, stage, target }: Match): (record: Matched) => boolean {
  const types = type === undefined ? undefined : new Set([type].flat());
  const names = target === undefined ? undefined : [target].flat().map(nameTest);
  return (record) =>
    (types === undefined || types.has(record.type)) &&
    (stage === undefined || stage === record.stage) &&
    (names === undefined || names.some((matches) => record.target !== undefined && matches(record.target)));
}

function nameTest(pattern: string): (name: string) => boolean {
  if (!pattern.endsWith("*")) return (name) => name === pattern;
  const prefix = pattern.slice(0, -1);
  return (name) => name.startsWith(prefix);
}
