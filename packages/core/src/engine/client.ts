import type { Request } from "../contract/kinds.js";
import { CoreError } from "../errors.js";

/** @throws CoreError `ERR_CLIENT_NOT_SERVED`: the answer would be another model's than the layer asked for. */
export function checkClient({ client }: Request<"model">): void {
  if (client === undefined) return;
  throw new CoreError(
    "ERR_CLIENT_NOT_SERVED",
    "A layer named another model client for this call, which this adapter cannot ask. Name another `model`, or use @suite/agent.",
  );
}
