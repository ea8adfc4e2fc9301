import type { Head } from "../log/heads.js";

/** A head that another file (`by`) recorded, or an anchor. */
export interface Claim extends Head {
  readonly by?: string;
}
