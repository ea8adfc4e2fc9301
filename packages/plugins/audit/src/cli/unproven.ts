import type { Found } from "../query/found.js";

/** Leaves out, and counts, the records that nothing shows to be the log's. */
export class Unproven {
  #left = 0;

  async *leftOut(records: AsyncIterable<Found>): AsyncGenerator<Found> {
    for await (const found of records) {
      if (found.unproven) this.#left++;
      else yield found;
    }
  }

  /** Says on the error output how many there were. */
  tell(option = ""): void {
    if (this.#left > 0) tellUnproven(this.#left, option);
  }
}

/** Says on the error output how many records were left out. */
export function tellUnproven(records: number, option = ""): void {
  const what = records === 1 ? "1 record stands" : `${records} records stand`;
  console.error(
    `Left out: ${what} behind the last signed checkpoint of a file. A process that was killed leaves such, and so does whoever adds to the file.${option}`,
  );
}

/** The mark of an unproven record that is shown all the same. */
export const UNPROVEN = "UNPROVEN";
