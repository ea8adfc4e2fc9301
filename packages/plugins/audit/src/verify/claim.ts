import type { Head } from "../log/heads.js";

/** A head that another file (`by`) says it saw, or an anchor. */
export interface Claim extends Head {
  readonly by?: string;
}
