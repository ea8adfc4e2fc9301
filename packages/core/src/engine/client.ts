import type { Request } from "../contract/kinds.js";
import { CoreError } from "../errors.js";

/**
 * Rejects a client that the adapter does not support: another model than the layer's would answer.
 *
 * @throws CoreError `ERR_CLIENT_NOT_SERVED`
 */
export function checkClient({ client }: Request<"model">): void {
  if (client === undefined) return;
  throw new CoreError("ERR_CLIENT_NOT_SERVED", "This adapter cannot ask a layer's client. Name a `model`.");
}
