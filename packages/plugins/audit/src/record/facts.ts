import type { CallId } from "@suite/core";
import type { Pending } from "@suite/core/contract";
import type { RecordStage, RecordType, Target } from "./record.js";

/** The facts to record, in their original form: not redacted, not bounded, and not even read yet. */
export interface Facts {
  readonly stage: RecordStage;
  readonly type: RecordType;
  readonly operation: string;
  readonly call?: CallId | undefined;
  readonly target?: Target | undefined;
  readonly decision?: string | undefined;
  readonly ended?: Ended | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** Called only if the content rules allow content. */
  readonly content?: (() => unknown) | undefined;
}

/** The end of a call: core's settlement, without its final value. */
export type Ended =
  | { readonly status: "completed" }
  | { readonly status: "failed"; readonly error?: unknown }
  | { readonly status: "cancelled" }
  | { readonly status: "suspended"; readonly pending: readonly Pending[] };

/** Returns the details of pending calls, without their content. */
export const pendingDetails = (pending: readonly Pending[]): readonly Record<string, unknown>[] =>
  pending.map(({ reason, part }) => ({ reason, id: part.id, name: part.name }));
