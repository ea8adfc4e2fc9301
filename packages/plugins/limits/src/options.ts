import type { StateStore } from "@suite/core";
import { isObject } from "@suite/kit";
import { type Check, type CheckOptions, type CommonOptions, oneOf, optionsChecker } from "@suite/kit/options";
import { LimitsError } from "./errors.js";

/** The common options of all limits. */
export interface LimitOptions extends CommonOptions {
  /**
   * The name on spans and in records. Default: the function's name and its limits, so that two limits in one list have
   * different names.
   */
  readonly name?: string;
}

/** The options of limits that count across runs. */
export interface StoreOptions {
  /** The store of the counts, shared by all processes that use it. Default: this process's memory. */
  readonly store?: StateStore;
  /**
   * Behavior if the store fails. `closed` (default): the call fails with the store's error. `open`: the call
   * passes, and a `decision` is reported.
   */
  readonly onStoreError?: "closed" | "open";
}

const store: Check = (value) =>
  isObject(value) && typeof value.add === "function" ? undefined : "a StateStore, such as memoryStateStore()";

/** The checks of `StoreOptions`. */
export const stored: Readonly<Record<keyof StoreOptions, Check>> = { store, onStoreError: oneOf("closed", "open") };

/** Creates an option error, for checks that a plugin makes itself. */
export const invalid = (message: string): LimitsError => new LimitsError("ERR_LIMITS_OPTION", message);

/** Checks the options of a limit. @throws {LimitsError} `ERR_LIMITS_OPTION` */
export const checkOptions: CheckOptions = optionsChecker(invalid);
