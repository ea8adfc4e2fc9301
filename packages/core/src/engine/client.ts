import type { Request } from "../contract/kinds.js";
import { CoreError } from "../errors.js";

/** @throws CoreError `ERR_CLIENT_NOT_SERVED`: the answer would be another model's than the layer asked for. */
export function checkClient({ client }: Request<"model">): void {
  if (client === undefined) return;
  throw new CoreError("ERR_CLIENT_NOT_SERVED", "This adapter cannot ask a layer's client. Name a `model`.");
}
