import { mkdirSync, readdirSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PiiError } from "../errors.js";
import { checkLimits } from "../tokens/limits.js";
import type { UserVault } from "../tokens/vault.js";
import { derivedKey, keyedHash } from "./seal.js";
import { SessionFile } from "./session-file.js";

const day = 24 * 60 * 60 * 1000;
const keyLength = 32;
const suffix = ".vault";
const keyMark = "key-";
/** The maximum number of sessions kept open in memory. Their values stay sealed. */
const mostOpen = 256;
const sweepEvery = 60 * 60 * 1000;

/** The options of `fileVault`. */
export interface FileVaultOptions {
  /** A dedicated directory on a local file system. Created if it does not exist. */
  readonly dir: string;
  /** 32 random bytes: `crypto.randomBytes(32)`. Keep them elsewhere. */
  readonly key: Uint8Array;
  /** The maximum number of values of one session. Default: 10,000. */
  readonly maxPerSession?: number;
  /** Milliseconds without use after which a session is deleted. Default: 30 days. */
  readonly ttl?: number;
}

/**
 * Creates a vault in files, for any number of processes on one machine: the same value gets the same token in all of
 * them. There is one file per session and user, with an opaque name. Each value is sealed with AES-256-GCM.
 *
 * @throws {PiiError} `ERR_PII_INVALID_RULE` for invalid options, `ERR_PII_VAULT_FAILED` if the directory cannot be
 *   written or belongs to another key
 * @example
 * ```ts
 * pii({ email: "tokenize" }, { vault: fileVault({ dir: "/var/lib/support/vault", key }) });
 * ```
 */
export function fileVault({ dir, key, maxPerSession = 10_000, ttl = 30 * day }: FileVaultOptions): UserVault {
  checkLimits({ maxPerSession, ttl });
  if (!(key instanceof Uint8Array) || key.length !== keyLength) {
    throw new PiiError(
      "ERR_PII_INVALID_RULE",
      `key of a file vault is ${keyLength} bytes: crypto.randomBytes(${keyLength}).`,
    );
  }
  const names = derivedKey(key, "names");
  const secret = derivedKey(key, "sessions");
  attempt(() => claim(dir, derivedKey(key, "check").toString("hex", 0, 8)));
  const open = new Map<string, SessionFile>();
  let sweptAt = 0;

  const nameOf = (...texts: readonly string[]): string => keyedHash(names, ...texts).toString("hex", 0, 20);
  const userMark = (user: string): string => (user === "" ? "" : `-${nameOf("user", user)}`);
  const pathOf = (session: string, user: string): string => join(dir, nameOf(session) + userMark(user) + suffix);
  const fileOf = (session: string, user: string): SessionFile => {
    const now = Date.now();
    if (now - sweptAt > sweepEvery) {
      sweptAt = now;
      sweep(dir, now - ttl);
    }
    const scope = JSON.stringify([session, user]);
    const sessionKey = (): Buffer => (user === "" ? keyedHash(secret, session) : keyedHash(secret, session, user));
    const file = open.get(scope) ?? new SessionFile(pathOf(session, user), sessionKey(), maxPerSession);
    open.delete(scope);
    open.set(scope, file);
    const [oldest] = open.keys();
    if (open.size > mostOpen && oldest !== undefined) open.delete(oldest);
    return file;
  };
  const use = <T>(session: string, user: string, operation: (file: SessionFile) => T): T =>
    attempt(() => {
      const file = fileOf(session, user);
      const answer = operation(file);
      file.touch(ttl / 10);
      return answer;
    });

  const erase = (isErased: (name: string) => boolean): number =>
    attempt(() => {
      const erased = readdirSync(dir).filter((name) => name.endsWith(suffix) && isErased(name));
      for (const name of erased) remove(join(dir, name));
      open.clear();
      return erased.length;
    });

  return {
    id: (session, label, value, user = "") => use(session, user, (file) => file.id(label, value)),
    value: (session, id, user = "") => use(session, user, (file) => file.value(id)),
    erase(session, user) {
      if (user === undefined) {
        const beginning = nameOf(session);
        erase((name) => name.startsWith(beginning));
        return;
      }
      open.delete(JSON.stringify([session, user]));
      attempt(() => remove(pathOf(session, user)));
    },
    forgetUser(user) {
      const end = userMark(user) + suffix;
      return user === "" ? 0 : erase((name) => name.endsWith(end));
    },
  };
}

/**
 * Binds the directory to this key by an empty file named after it. Otherwise a wrong key would silently find nothing.
 */
function claim(dir: string, check: string): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const mark = keyMark + check;
  if (readdirSync(dir).some((name) => name.startsWith(keyMark) && name !== mark)) {
    throw new PiiError(
      "ERR_PII_VAULT_FAILED",
      "The directory of this vault belongs to another key. Use that key, or another directory.",
    );
  }
  writeFileSync(join(dir, mark), "", { mode: 0o600 });
}

/** Removes sessions not used since the given time. */
function sweep(dir: string, before: number): void {
  for (const name of readdirSync(dir)) {
    if (!name.endsWith(suffix)) continue;
    const path = join(dir, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && stats.mtimeMs < before) remove(path);
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (PiiError.is(error)) throw error;
    throw new PiiError("ERR_PII_VAULT_FAILED", "The files of the vault cannot be read or written.", { cause: error });
  }
}
