import { matches, type RecordFilter } from "./filter.js";
import { type Found, readRecord } from "./found.js";
import { logFilesOf, recordsOfFile } from "./records-of.js";

/** The records of a log for which all that is given holds, in the order of files and in them. Nothing is verified. */
export async function* selectedRecords(dir: string, filter: RecordFilter): AsyncGenerator<Found> {
  for (const { name } of await logFilesOf(dir)) {
    for await (const records of recordsOfFile(dir, name)) {
      for (const record of records) {
        const found = readRecord(record);
        if (found && matches(filter, found)) yield found;
      }
    }
  }
}
