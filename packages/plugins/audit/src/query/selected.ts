import { matches, type RecordFilter } from "./filter.js";
import { type Found, readRecord } from "./found.js";
import { logFilesOf, recordsOfFile } from "./records-of.js";
import { SignedEnds } from "./signed-end.js";

/** Returns the records of a log that match a filter, file by file in their order. Nothing is verified. */
export async function* selectedRecords(dir: string, filter: RecordFilter): AsyncGenerator<Found> {
  const ends = await SignedEnds.of(dir);
  for (const { name, bytes } of await logFilesOf(dir)) {
    const end = await ends.endOf(name, bytes);
    for await (const records of recordsOfFile(dir, name, bytes)) {
      for (const record of records) {
        const found = readRecord(record, end);
        if (found && matches(filter, found)) yield found;
      }
    }
  }
}
