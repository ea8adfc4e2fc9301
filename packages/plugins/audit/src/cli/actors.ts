import type { RecordFilter } from "../query/filter.js";
import type { AuditRecord } from "../record/record.js";
import { KeyDirectory } from "../subjects/key-directory.js";
import { encryptedOf } from "../subjects/sealed.js";
import { UsageError } from "./usage.js";
import type { Query } from "./words.js";

/** Maximum number of records that are read to find out whether users are encrypted. */
const MOST_RECORDS = 1000;

/**
 * Adds the id of a user's key to the filter, since encrypted records contain it in place of the user.
 *
 * @param keys the directory of `--keys`
 */
export async function withKeyOf(filter: RecordFilter, keys: string | undefined): Promise<RecordFilter> {
  const { actor } = filter;
  if (keys === undefined || typeof actor !== "string") return filter;
  const kid = await new KeyDirectory(keys).kidOf(actor);
  return kid === undefined ? filter : { ...filter, actor: [actor, kid] };
}

/**
 * Reports that a user could not be searched for, since the result then means nothing.
 *
 * @throws UsageError if users of this log are encrypted and no keys were passed
 */
export async function checkUsersFound({ actor }: RecordFilter, keys: string | undefined, query: Query): Promise<void> {
  if (actor === undefined) return;
  let remaining = MOST_RECORDS;
  for await (const { record } of query({})) {
    if (remaining-- === 0) return;
    if (encryptedOf(record as unknown as AuditRecord) === undefined) continue;
    if (keys === undefined)
      throw new UsageError("Users are encrypted in this log: --actor finds a user only with --keys KEYS.");
    if (typeof actor === "string")
      console.error("KEYS contains no key of this user: no records exist, or the key was erased.");
    return;
  }
}
