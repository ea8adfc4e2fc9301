import type {
  AnyInvocation,
  CallId,
  CallNext,
  Notification,
  Plugin,
  RunSettlement,
  RuntimeContext,
  Settlement,
} from "@suite/core";
import { kinds } from "@suite/core/adapter";

/** The status with which a call or a run ended. */
export type Status = Settlement<unknown>["status"];

/** An event of one call that one layer saw, in one order for all layers. */
export interface RecordedEvent {
  readonly layer: string;
  readonly call: CallId;
  readonly runtime: RuntimeContext;
  /** `enter` before callNext, `leave` after it, `end` when the call settled or callNext threw. */
  readonly type: "enter" | "leave" | "chunk" | "end";
  /** The request, the chunk, the final value, or the error. */
  readonly value?: unknown;
  readonly status?: Status;
  /** True if the answer was a failure. */
  readonly isError?: boolean;
}

/** The end of a run, as one plugin received it. */
export interface RecordedEnd {
  readonly layer: string;
  readonly runtime: RuntimeContext;
  readonly settlement: RunSettlement;
}

/** The record of all calls that passed through the layers of one attempt. */
export class Recording {
  readonly events: RecordedEvent[] = [];
  readonly ends: RecordedEnd[] = [];
  /** The notifications that the layer `notified` received, in order. */
  readonly told: Notification[] = [];

  /** A plugin that watches every kind, changes nothing, and is accepted everywhere. */
  layer(name: string, notified = false): Plugin {
    const watch = async (invocation: AnyInvocation, callNext: CallNext): Promise<void> => {
      const { call, runtime } = invocation;
      const note = (
        type: RecordedEvent["type"],
        more: Pick<RecordedEvent, "value" | "status" | "isError"> = {},
      ): void => {
        this.events.push({ layer: name, call, runtime, type, ...more });
      };
      note("enter", { value: invocation.request });
      try {
        await callNext();
      } catch (error) {
        note("end", { status: runtime.signal.aborted ? "cancelled" : "failed", value: error });
        throw error;
      }
      note("leave");
      invocation.pipe({
        chunk(chunk: never, emit: (chunk: never) => void) {
          note("chunk", { value: chunk });
          emit(chunk);
        },
        settle(settlement: Settlement<unknown>) {
          const isError = invocation.result?.isError === true;
          note("end", { status: settlement.status, value: resultOf(settlement), ...(isError && { isError }) });
        },
      });
    };
    const end = (runtime: RuntimeContext, settlement: RunSettlement): void => {
      this.ends.push({ layer: name, runtime, settlement });
    };
    const hooks = Object.fromEntries(kinds.map((kind) => [kind, watch]));
    const observe = (notification: Notification): void => void this.told.push(notification);
    return { name: `recorder-${name}`, whereOffered: kinds, end, ...(notified && { observe }), ...hooks };
  }
}

function resultOf(settlement: Settlement<unknown>): unknown {
  if (settlement.status === "completed") return settlement.final;
  if (settlement.status === "failed") return settlement.error;
  return settlement.status === "suspended" ? settlement.pending : settlement.reason;
}

/** One call, as its outermost layer saw it. */
export interface RecordedCall {
  readonly call: CallId;
  readonly runtime: RuntimeContext;
  readonly request: unknown;
  readonly status: Status | undefined;
  /** The final value, the error, the pending calls, or the reason. */
  readonly value: unknown;
  /** True if the answer was a failure. */
  readonly isError: boolean;
}

/** Returns the calls of these events, in order of their beginning. */
export function callsOf(events: readonly RecordedEvent[], layer: string): readonly RecordedCall[] {
  const mine = events.filter((event) => event.layer === layer);
  return mine
    .filter((event) => event.type === "enter")
    .map(({ call, runtime, value: request }) => {
      const end = mine.find((event) => event.type === "end" && event.call.id === call.id);
      return { call, runtime, request, status: end?.status, value: end?.value, isError: end?.isError === true };
    });
}
