import { randomBytes } from "node:crypto";
import type { StateStore } from "@suite/core";
import type { StoredValue } from "@suite/core/contract";
import { PiiError } from "../errors.js";
import { checkLimits, full } from "../tokens/limits.js";
import { randomTag } from "../tokens/tag.js";
import type { AsyncUserVault, TokenId } from "../tokens/vault.js";
import { Batches, type Pending } from "./batches.js";
import { derivedKey, keyedHash, Seal } from "./seal.js";
import { openValues, recordOf, type SessionRecord, SessionValues, type UserRecord } from "./store-records.js";

const day = 24 * 60 * 60 * 1000;
const keyLength = 32;
/** The number of times that others may change a record while one exchange is made. */
const attempts = 50;
/** Sessions that a user's record names. Values in older ones cannot be read without the user's key, and expire. */
const mostSessions = 10_000;

/** The options of `storeVault`. */
export interface StoreVaultOptions {
  /** The store, for example `redisStateStore` or `postgresStateStore`. */
  readonly store: StateStore;
  /** 32 random bytes: `crypto.randomBytes(32)`. Keep them elsewhere than the store. */
  readonly key: Uint8Array;
  /** The prefix of the keys of all records. Default: `pii:vault:`. */
  readonly prefix?: string;
  /** The maximum number of values of one user in one session. Default: 1,000. */
  readonly maxPerSession?: number;
  /** The milliseconds without use after which a session is forgotten. Default: 30 days. */
  readonly ttl?: number;
}

type Question = { readonly label: string; readonly value: string; readonly id?: undefined } | { readonly id: TokenId };
type Answer = TokenId | string | undefined;

/** The record of a session, with the values of one user in it. */
interface Opened {
  readonly stored: StoredValue | undefined;
  readonly record: SessionRecord | undefined;
  readonly values: SessionValues | undefined;
}

/**
 * A vault in a `StateStore`, for any number of processes and machines. Each user has a random key, which is sealed with
 * `key`; the values of a user are sealed with the user's key (AES-256-GCM). Names of records are keyed hashes.
 *
 * @throws {PiiError} `ERR_PII_INVALID_RULE`. Its methods reject with `ERR_PII_VAULT_FULL` and `ERR_PII_VAULT_FAILED`, and
 * with the errors of the store.
 * @example
 * ```ts
 * pii({ email: "tokenize" }, { vault: storeVault({ store: redisStateStore({ url }), key }) });
 * ```
 */
export function storeVault(options: StoreVaultOptions): AsyncUserVault {
  const { store, key, prefix = "pii:vault:", maxPerSession = 1000, ttl = 30 * day } = options;
  checkLimits({ maxPerSession, ttl });
  if (!(key instanceof Uint8Array) || key.length !== keyLength) {
    const form = `key of a store vault is ${keyLength} bytes: crypto.randomBytes(${keyLength}).`;
    throw new PiiError("ERR_PII_INVALID_RULE", form);
  }
  if (typeof store?.compareAndSet !== "function") {
    throw new PiiError("ERR_PII_INVALID_RULE", "store of a store vault is a StateStore, such as redisStateStore().");
  }
  const names = derivedKey(key, "names");
  const master = new Seal(derivedKey(key, "users"));
  /** The key of values without a user: it is not erased. */
  const common = derivedKey(key, "sessions");
  const mark = derivedKey(key, "check").toString("hex", 0, 8);
  const hash = (kind: string, name: string): string => keyedHash(names, kind, name).toString("hex", 0, 20);
  const sessionKey = (session: string): string => `${prefix}s:${session}`;
  const userKey = (user: string): string => `${prefix}u:${user}`;

  /** Rejects if the records in the store are those of another key: with this one nothing would be found. */
  let claimed: Promise<void> | undefined;
  const claim = (): Promise<void> => {
    claimed ??= changing<{ readonly key: string }>(`${prefix}key`, (known) => {
      if (known === undefined) return { key: mark };
      if (known.key === mark) return known;
      const message = "The records of this vault belong to another key. Use that key, or another prefix.";
      throw new PiiError("ERR_PII_VAULT_FAILED", message);
    }).then(
      () => {},
      (error) => {
        claimed = undefined;
        throw error;
      },
    );
    return claimed;
  };

  /**
   * Replaces a record by the result of `change`. It tries again if another process was faster.
   *
   * @param change returns the same record if there is nothing to change, and `undefined` to remove it.
   */
  async function changing<T extends object>(
    name: string,
    change: (record: T | undefined) => T | undefined | Promise<T | undefined>,
    lifetime?: number,
  ): Promise<T | undefined> {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const stored = await store.get(name);
      const record = stored?.value as T | undefined;
      const next = await change(record);
      if (next === record) return record;
      const expiry = lifetime === undefined ? {} : { ttl: lifetime };
      if (await store.compareAndSet(name, stored?.version, next, expiry)) return next;
    }
    throw new PiiError("ERR_PII_VAULT_FAILED", "A record of the vault was changed repeatedly by other processes.");
  }

  const isStale = ({ at }: { readonly at: number }): boolean => Date.now() - at > ttl / 10;

  /** Returns the seal of a user's values in a session. `undefined` if the user has no key, and none is to be `made`. */
  async function sealOf(user: string, session: string, created: boolean): Promise<Seal | undefined> {
    if (user === "") return new Seal(keyedHash(common, session));
    const change = (value: unknown): UserRecord | undefined => {
      const record = value === undefined ? undefined : recordOf<UserRecord>(value);
      if (!created) return record;
      const { key: sealed = master.close(randomBytes(keyLength).toString("base64")), sessions = [] } = record ?? {};
      if (record !== undefined && sessions.includes(session) && !isStale(record)) return record;
      const others = sessions.filter((each) => each !== session).slice(1 - mostSessions);
      return { at: Date.now(), key: sealed, sessions: [...others, session] };
    };
    // It lives longer than each of its sessions.
    const record = await changing<UserRecord>(userKey(user), change, 2 * ttl);
    if (record === undefined) return undefined;
    const opened = master.open(record.key);
    if (opened === undefined) throw new PiiError("ERR_PII_VAULT_FAILED", "The key of a user in the vault was changed.");
    return new Seal(keyedHash(Buffer.from(opened, "base64"), session));
  }

  const partName = (user: string): string => (user === "" ? "none" : user);

  async function open(session: string, user: string, seal: Seal | undefined): Promise<Opened> {
    const stored = await store.get(sessionKey(session));
    const record = stored === undefined ? undefined : recordOf<SessionRecord>(stored.value);
    const name = partName(user);
    const sealed = record !== undefined && Object.hasOwn(record.parts, name) ? record.parts[name] : undefined;
    return { stored, record, values: seal && openValues(seal, sealed) };
  }

  const batches = new Batches<Question, Answer>(async (scope, batch) => {
    const [session, user] = JSON.parse(scope) as [string, string];
    await claim();
    for (let attempt = 0; attempt < attempts; attempt++) {
      const writes = batch.some(({ question }) => question.id === undefined);
      const seal = await sealOf(user, session, writes);
      const { stored, record, values: known } = await open(session, user, seal);
      if (seal === undefined || (known === undefined && !writes)) return void answerAll(batch, () => undefined);
      const values = known ?? new SessionValues({ tag: randomTag() });
      const { size } = values;
      const answers = answersOf(batch, values);
      const same = values.size === size && record !== undefined;
      if (same && !isStale(record)) return void answerAll(batch, (each) => answers.get(each));
      const parts = { ...record?.parts, [partName(user)]: seal.close(values.toString()) };
      const next: SessionRecord = { at: Date.now(), parts };
      // The user's key lives on with the session.
      if (same) await sealOf(user, session, true);
      if (await store.compareAndSet(sessionKey(session), stored?.version, next, { ttl })) {
        return void answerAll(batch, (each) => answers.get(each));
      }
    }
    throw new PiiError("ERR_PII_VAULT_FAILED", "A session of the vault was changed repeatedly by other processes.");
  });

  function answersOf(batch: readonly Pending<Question, Answer>[], values: SessionValues) {
    const answers = new Map<Pending<Question, Answer>, Answer | PiiError>();
    for (const each of batch) {
      const { question } = each;
      if (question.id !== undefined) answers.set(each, values.value(question.id));
      else {
        const { label, value } = question;
        const isFull = values.id(label, value) === undefined && values.size >= maxPerSession;
        const error = isFull ? full(maxPerSession, "one session", "maxPerSession") : undefined;
        answers.set(each, error ?? values.id(label, value) ?? values.add(label, value));
      }
    }
    return answers;
  }

  /** Removes a user's values from the record of a session. */
  const removePart = (session: string, user: string): Promise<unknown> =>
    changing<SessionRecord>(
      sessionKey(session),
      (value) => {
        if (value === undefined) return undefined;
        const record = recordOf<SessionRecord>(value);
        if (!Object.hasOwn(record.parts, partName(user))) return record;
        const { [partName(user)]: _, ...parts } = record.parts;
        return Object.keys(parts).length === 0 ? undefined : { ...record, parts };
      },
      ttl,
    );

  const scopeOf = (session: string, user: string): string =>
    JSON.stringify([hash("session", session), user === "" ? "" : hash("user", user)]);

  return {
    async: true,
    id: (session, label, value, user = "") => batches.ask(scopeOf(session, user), { label, value }) as Promise<TokenId>,
    value: (session, id, user = "") => batches.ask(scopeOf(session, user), { id }) as Promise<string | undefined>,
    async erase(session, user) {
      await claim();
      const name = hash("session", session);
      if (user === undefined) await store.delete(sessionKey(name));
      else await removePart(name, user === "" ? "" : hash("user", user));
    },
    async forgetUser(user) {
      if (user === "") return 0;
      await claim();
      const name = hash("user", user);
      const stored = await store.get(userKey(name));
      if (stored === undefined) return 0;
      const { sessions } = recordOf<UserRecord>(stored.value);
      // From here on nothing of the user can be read, whatever happens to the rest.
      await store.delete(userKey(name));
      for (const session of sessions) await removePart(session, name);
      return sessions.length;
    },
  };
}

function answerAll(
  batch: readonly Pending<Question, Answer>[],
  answer: (pending: Pending<Question, Answer>) => Answer | PiiError,
): void {
  for (const each of batch) {
    const result = answer(each);
    if (result instanceof PiiError) each.reject(result);
    else each.resolve(result);
  }
}
