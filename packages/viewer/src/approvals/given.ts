import { access } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { ViewerError } from "../errors.js";
import type { Approvals } from "./desk.js";

/** The exports of a module of `--approve`. */
export interface ApproveModule {
  readonly approvals: Approvals;
  /** Closes the store when the viewer ends. */
  readonly close?: () => unknown;
}

/**
 * Loads the module of `--approve`. It exports the result of `approvals({ store, keys })` of `@suite/approval` as
 * `approvals` or as default. Errors that the module throws pass through.
 *
 * @throws ViewerError `ERR_VIEWER_OPTION`
 */
export async function loadApprovals(path: string): Promise<ApproveModule> {
  const file = resolve(path);
  await access(file).catch((cause: unknown) => {
    throw new ViewerError("ERR_VIEWER_OPTION", "The module of --approve does not exist.", { cause });
  });
  const loaded = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  const approvals = loaded.approvals ?? loaded.default;
  if (!isApprovals(approvals))
    throw new ViewerError(
      "ERR_VIEWER_OPTION",
      "The module of --approve must export `approvals`: the result of approvals({ store, keys }) of @suite/approval.",
    );
  const { close } = loaded;
  return { approvals, ...(typeof close === "function" && { close: () => close() as unknown }) };
}

/** Returns true if a value has the shape of the result of `approvals()`. */
export const isApprovals = (value: unknown): value is Approvals =>
  typeof value === "object" &&
  value !== null &&
  ["get", "decision", "decide"].every((name) => typeof (value as Record<string, unknown>)[name] === "function");
