import type { StateStore } from "@suite/core";
import {
  type Check,
  type CheckOptions,
  type CommonOptions,
  isObject,
  oneOf,
  optionsChecker,
} from "@suite/core/options";
import { LimitsError } from "./errors.js";

/** The options that every limit has. */
export interface LimitOptions extends CommonOptions {
  /** The name on spans and in records. Default: the function's name with its limits, so that two limits of one list are two. */
  readonly name?: string;
}

/** The options of limits that count for more than one run. */
export interface StoreOptions {
  /** The store of the counts, common to all processes that share it. Default: this process's memory. */
  readonly store?: StateStore;
  /**
   * The fail mode, where the store fails. `closed`, the default: the call fails with the store's error. `open`: it passes, and
   * a `decision` tells it.
   */
  readonly onStoreError?: "closed" | "open";
}

const store: Check = (value) =>
  isObject(value) && typeof value.add === "function" ? undefined : "a StateStore, as memoryStateStore() makes one";

/** The checks of a limit's options that counts in a store. */
export const stored: Readonly<Record<keyof StoreOptions, Check>> = { store, onStoreError: oneOf("closed", "open") };

/** An error about an option, for checks that a plugin makes itself. */
export const invalid = (message: string): LimitsError => new LimitsError("ERR_LIMITS_OPTION", message);

/** Checks the options of a limit. @throws {LimitsError} `ERR_LIMITS_OPTION` */
export const checkOptions: CheckOptions = optionsChecker(invalid);
