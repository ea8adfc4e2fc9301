import type { Found } from "../query/found.js";

/** Removes and counts the records after the last signed checkpoint, which nothing proves to belong to the log. */
export class Unproven {
  #omitted = 0;

  async *withoutUnproven(records: AsyncIterable<Found>): AsyncGenerator<Found> {
    for await (const found of records) {
      if (found.unproven) this.#omitted++;
      else yield found;
    }
  }

  /** Reports the number of removed records on standard error. */
  report(option = ""): void {
    if (this.#omitted > 0) warnUnproven(this.#omitted, option);
  }
}

/** Reports the number of omitted records on standard error. */
export function warnUnproven(records: number, option = ""): void {
  const what = records === 1 ? "1 record stands" : `${records} records stand`;
  console.error(
    `Left out: ${what} after the last signed checkpoint of a file. They are left by a killed process, or were added to the file by another program.${option}`,
  );
}

/** The mark of an unproven record that is shown. */
export const UNPROVEN = "UNPROVEN";
