import { printable } from "@suite/kit/text";
import { ViewerError } from "../errors.js";
import { duration, named, plural } from "../run/format.js";
import { fieldNames, queryOf } from "../run/query.js";
import type { Run } from "../run/run.js";
import { hasSpans, spansOnDisk } from "../store/span-log.js";
import { SpanStore } from "../store/spans.js";

/**
 * Prints the runs in a folder of `--data` that match a query, the newest first: one line each for people, or one line
 * of JSON each for scripts and coding agents.
 */
export async function printRuns(folder: string | undefined, json: boolean, query: string): Promise<void> {
  if (folder === undefined) throw new ViewerError("ERR_VIEWER_OPTION", "runs requires --data DIR.");
  if (!(await hasSpans(folder)))
    throw new ViewerError(
      "ERR_VIEWER_DATA",
      "The folder of --data contains no spans. Run the viewer with --data first.",
    );
  const { unknown } = queryOf(query);
  if (unknown.length > 0)
    process.stderr.write(
      `${visible(unknown.join(" "))}: unknown field, searched as a word. Fields: ${fieldNames.join(", ")}.\n`,
    );
  const store = new SpanStore({ spans: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER });
  for await (const { spans, bytes } of spansOnDisk(folder)) store.add(spans, bytes);
  store.close();
  for (const run of store.search(query, Number.MAX_SAFE_INTEGER)) {
    if (!process.stdout.writable) return;
    process.stdout.write(`${json ? JSON.stringify(run) : lineOf(run)}\n`);
  }
}

/** Returns a run as a line for people: time, duration, end, usage, name, and the id of its trace. */
function lineOf({ start, end, state, errors, inputTokens, outputTokens, name, traceId }: Run): string {
  const cells = [
    new Date(start).toISOString(),
    duration(end - start).padStart(10),
    state.padEnd(9),
    plural(errors, "error").padStart(9),
    ((inputTokens ?? outputTokens) === undefined
      ? "- tokens"
      : plural((inputTokens ?? 0) + (outputTokens ?? 0), "token")
    ).padStart(13),
    visible(named(name)).padEnd(24),
    visible(traceId),
  ];
  return cells.join("  ");
}

/** Returns the beginning of a string, without control sequences of terminals. */
const visible = (text: string): string => printable(text.slice(0, 80));
