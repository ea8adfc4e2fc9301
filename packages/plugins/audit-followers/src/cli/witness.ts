import { readFile } from "node:fs/promises";
import { commandSigner, parse, UsageError, verifierKeyOfLog, wholeNumber } from "@suite/audit/internal";
import { printable } from "@suite/kit/text";
import { AuditFollowersError } from "../errors.js";
import { witnessLog } from "../witness/witness-log.js";
import type { ExitCode } from "./exit-code.js";

/**
 * `suite-audit-witness DIR --witnesses FILE [--policy N] [--timeout SECONDS] [--signing-key FILE]`, or with
 * `--verifier-key`: has witnesses cosign a head that covers the whole log.
 */
export async function witnessCommand(args: readonly string[]): Promise<ExitCode> {
  const { path, last, has } = parse(args, ["witnesses", "policy", "timeout", "signing-key"], ["verifier-key"]);
  const { signer } = await commandSigner(path, last("signing-key"));
  if (has("verifier-key")) {
    console.log(printable(await verifierKeyOfLog(path, signer)));
    return 0;
  }
  const [file, policy, timeout] = [last("witnesses"), last("policy"), last("timeout")];
  if (file === undefined) throw new UsageError("--witnesses FILE is required: one verifier key and URL per line.");
  const options = {
    witnesses: await readFile(file, "utf8"),
    ...(signer && { signer }),
    ...(policy !== undefined && { policy: wholeNumber("policy", policy, 1, 1000) }),
    ...(timeout !== undefined && { timeoutMs: 1000 * wholeNumber("timeout", timeout, 1, 3600) }),
  };
  try {
    const { by, failures } = await witnessLog(path, options);
    for (const { name, time } of by) console.log(printable(`cosigned: ${name}, ${time.toISOString()}`));
    for (const { message } of failures) console.error(printable(message));
    return 0;
  } catch (error) {
    if (!AuditFollowersError.is(error) || !error.code.startsWith("ERR_AUDIT_FOLLOWERS_WITNESS_")) throw error;
    console.error(printable(error.message));
    return 1;
  }
}
