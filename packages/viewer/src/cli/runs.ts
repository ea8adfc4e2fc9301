import { ViewerError } from "../errors.js";
import { spansOnDisk } from "../store/span-log.js";
import { SpanStore } from "../store/spans.js";

/** The runs that a folder of `--data` has, the newest first, a line of JSON each: for scripts and coding agents. */
export async function printRuns(folder: string | undefined): Promise<void> {
  if (folder === undefined) throw new ViewerError("ERR_VIEWER_OPTION", "runs takes the folder of --data DIR.");
  const store = new SpanStore({ spans: Number.MAX_SAFE_INTEGER, bytes: Number.MAX_SAFE_INTEGER });
  for await (const { spans, bytes } of spansOnDisk(folder)) store.add(spans, bytes);
  store.close();
  for (const run of store.runs(Number.MAX_SAFE_INTEGER)) process.stdout.write(`${JSON.stringify(run)}\n`);
}
