import { anchorLog, type Log, type Signer } from "@suite/audit";
import {
  type Cosignature,
  checkPolicy,
  cosignaturesOf,
  formatNote,
  HeadsLog,
  type Note,
  nodeCryptography,
  type OptionChecks,
  object,
  parseNote,
  parseWitnesses,
  string,
  type Witness,
} from "@suite/audit/internal";
import { count, name, time } from "@suite/kit/options";
import { AuditFollowersError } from "../errors.js";
import { checkArgument, checkOptions } from "../options.js";
import { addCheckpoint } from "./add-checkpoint.js";

/** The options of `witnessLog`. */
export interface WitnessOptions {
  /** The witnesses, one per line: a verifier key of type 4 (cosignature/v1), a space, and its URL. */
  readonly witnesses: string;
  /** The number of witnesses that must cosign. Default: all. */
  readonly policy?: number;
  /** Signs the heads. Default: the key in the directory. */
  readonly signer?: Signer;
  /** An open log, whose last checkpoint is used. Without one, an anchor is written to a new file. */
  readonly log?: Pick<Log, "checkpoint">;
  /** Timeout of one request, in milliseconds. Default 10,000. */
  readonly timeoutMs?: number;
  /** Cancels the requests when it aborts. */
  readonly signal?: AbortSignal;
}

/** The checks of the options, also for functions with additional options. */
export const witnessChecks: OptionChecks<WitnessOptions> = {
  witnesses: string,
  policy: count,
  signer: object,
  log: object,
  timeoutMs: time,
  signal: (value) => (value instanceof AbortSignal ? undefined : "an AbortSignal"),
};

/** A head that witnesses have cosigned. */
export interface Witnessed {
  /** The cosigned head, a C2SP checkpoint. It is also stored in the log's `heads` folder. */
  readonly checkpoint: string;
  /** The witnesses that cosigned it, with the time by their clocks. */
  readonly by: readonly { readonly name: string; readonly time: Date }[];
  /** The errors of the other witnesses. */
  readonly failures: readonly AuditFollowersError[];
}

/** Maximum number of requests to a witness that reports another size each time. */
const TRIES = 4;

/**
 * Sends the head of a log to witnesses, and stores their cosignatures next to it. They then cover all records that any
 * process wrote before.
 *
 * @throws AuditFollowersError `ERR_AUDIT_FOLLOWERS_WITNESS_FAILED` if fewer cosigned than the policy requires,
 * `ERR_AUDIT_FOLLOWERS_WITNESS_CONFLICT` if one has seen a longer or different history; the errors of `anchorLog`
 *
 * @example
 * ```ts
 * await witnessLog("/var/log/agent", { signer, witnesses: await readFile("witnesses.txt", "utf8"), policy: 2 });
 * ```
 */
export async function witnessLog(dir: string, options: WitnessOptions): Promise<Witnessed> {
  options = checkOptions("witnessLog", options, witnessChecks, ["witnesses"]);
  const { heads, witnesses, policy } = await prepared(dir, options);
  const { signer, log, timeoutMs = 10_000, signal } = options;
  await heads.add(log?.checkpoint ?? (await anchorLog(dir, signer ? { signer } : {})));
  let note = await heads.head();
  const { size } = heads;
  const failures: AuditFollowersError[] = [];
  const requests = witnesses.map((witness) =>
    submit(heads, size, witness, note, timeoutMs, signal).catch((error: unknown) => {
      if (!AuditFollowersError.is(error)) throw error;
      failures.push(error);
      return undefined;
    }),
  );
  const cosignatures = (await Promise.all(requests)).filter((cosignature) => cosignature !== undefined);
  note = { text: note.text, signatures: [...note.signatures, ...cosignatures.map(({ signature }) => signature)] };
  if (cosignatures.length > 0) await heads.keep(size, note);
  const conflict = failures.find(({ code }) => code === "ERR_AUDIT_FOLLOWERS_WITNESS_CONFLICT");
  if (conflict) throw conflict;
  if (cosignatures.length < policy) {
    const why = failures.map(({ message }) => message).join(" ");
    throw new AuditFollowersError(
      "ERR_AUDIT_FOLLOWERS_WITNESS_FAILED",
      `${cosignatures.length} of ${policy} witnesses cosigned. ${why}`,
      {
        cause: failures[0],
      },
    );
  }
  const by = cosignatures.map(({ witness, time }) => ({ name: witness.name, time: new Date(time * 1000) }));
  return { checkpoint: formatNote(note), by, failures };
}

async function prepared(dir: string, { witnesses: text, policy: n, signer: passedSigner }: WitnessOptions) {
  checkArgument("witnessLog", "dir", dir, name);
  const witnesses = parseWitnesses(text, nodeCryptography.sha256);
  const policy = checkPolicy(n ?? witnesses.length, witnesses.length);
  const without = witnesses.find(({ url }) => url === undefined);
  if (without)
    throw new AuditFollowersError(
      "ERR_AUDIT_FOLLOWERS_INVALID_OPTION",
      `The witness ${without.name} has no URL after its key.`,
    );
  return { heads: await HeadsLog.open(dir, passedSigner), witnesses, policy };
}

async function submit(
  heads: HeadsLog,
  size: number,
  witness: Witness,
  note: Note,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<Cosignature> {
  let old = Math.min(await heads.lastBy(witness.name), size);
  for (let tries = 0; tries < TRIES; tries++) {
    const answer = await addCheckpoint(witness, old, heads.proof(old, size), formatNote(note), timeoutMs, signal);
    switch (answer.is) {
      case "cosigned": {
        const received = parseNote(`${note.text}\n${answer.lines}`);
        const [cosignature] = received ? await cosignaturesOf(received, [witness], nodeCryptography) : [];
        if (cosignature) return cosignature;
        throw failed(`${witness.name} returned a response that is not a cosignature by its key.`);
      }
      case "other size":
        if (answer.size > size) {
          await heads.read();
          if (heads.size >= answer.size)
            throw failed(`${witness.name} has just cosigned a later head of another process.`);
          throw conflict(`${witness.name} has cosigned ${answer.size} heads of this log, but only ${size} are here.`);
        }
        // A witness with another head of the same size: the specification has no other status for it.
        if (answer.size === old) throw conflict(`${witness.name} has cosigned another history of this log.`);
        old = answer.size;
        break;
      case "inconsistent":
        throw conflict(`${witness.name} has cosigned another history of this log.`);
      case "refused":
        throw failed(refusal(witness.name, answer.status, heads.verifierKey));
    }
  }
  throw failed(`${witness.name} reports a different size each time.`);
}

const refusal = (name: string, status: number, verifierKey: string): string =>
  status === 404 || status === 403
    ? `${name} does not know this log (${status}). Send its operator the verifier key ${verifierKey}`
    : `${name} refused the head with status ${status}.`;

const failed = (message: string): AuditFollowersError =>
  new AuditFollowersError("ERR_AUDIT_FOLLOWERS_WITNESS_FAILED", message);
const conflict = (message: string): AuditFollowersError =>
  new AuditFollowersError("ERR_AUDIT_FOLLOWERS_WITNESS_CONFLICT", `${message} Records were cut off or replaced.`);
