import type { CallId, Pending } from "@suite/core";
import type { RecordStage, RecordType, Target } from "./record.js";

/** The facts to record, as they were met: nothing of them is redacted, bounded or even read yet. */
export interface Facts {
  readonly stage: RecordStage;
  readonly type: RecordType;
  readonly operation: string;
  readonly call?: CallId | undefined;
  readonly target?: Target | undefined;
  readonly decision?: string | undefined;
  readonly ended?: Ended | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
  /** Called only where the content rules let something through. */
  readonly content?: (() => unknown) | undefined;
}

/** The way in which something ended: core's settlement, without its final value. */
export type Ended =
  | { readonly status: "completed" }
  | { readonly status: "failed"; readonly error?: unknown }
  | { readonly status: "cancelled" }
  | { readonly status: "suspended"; readonly pending: readonly Pending[] };

/** The details of what is waited for, without what it holds. */
export const pendingDetails = (pending: readonly Pending[]): readonly Record<string, unknown>[] =>
  pending.map(({ reason, part }) => ({ reason, id: part.id, name: part.name }));
