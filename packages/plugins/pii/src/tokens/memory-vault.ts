import { checkLimits, full } from "./limits.js";
import { randomTag } from "./tag.js";
import type { TokenId, UserVault } from "./vault.js";

const hour = 60 * 60 * 1000;

/** The options of `memoryVault`. */
export interface MemoryVaultOptions {
  /** The maximum number of values of all sessions. Default: 100,000. */
  readonly maxEntries?: number;
  /** The maximum number of values of one session. Default: 10,000. */
  readonly maxPerSession?: number;
  /** Milliseconds without use after which a session is deleted. Default: 24 hours. */
  readonly ttl?: number;
}

interface Session {
  readonly name: string;
  readonly user: string;
  readonly tag: string;
  readonly ids: Map<string, TokenId>;
  readonly values: Map<string, string>;
  readonly counts: Map<string, number>;
  usedAt: number;
}

/**
 * Creates a vault in this process's memory. When it is full, sessions not used for `ttl` are deleted. If there are
 * none, `id` throws `ERR_PII_VAULT_FULL`: values in use are never dropped.
 *
 * @throws {PiiError} `ERR_PII_INVALID_RULE` for a limit that is not a whole number above 0.
 */
export function memoryVault(options: MemoryVaultOptions = {}): UserVault {
  const { maxEntries = 100_000, maxPerSession = 10_000, ttl = 24 * hour } = options;
  checkLimits({ maxEntries, maxPerSession, ttl });
  /** Sessions by name and user, least recently used first. */
  const sessions = new Map<string, Session>();
  /** The keys of each session: one per user. */
  const keysOf = new Map<string, Set<string>>();
  let entries = 0;

  const drop = (key: string, { name, ids }: Session): void => {
    entries -= ids.size;
    sessions.delete(key);
    const keys = keysOf.get(name);
    keys?.delete(key);
    if (keys?.size === 0) keysOf.delete(name);
  };
  const dropStale = (now: number): void => {
    for (const [key, session] of sessions) {
      if (now - session.usedAt < ttl) return;
      drop(key, session);
    }
  };
  const used = (key: string): Session | undefined => {
    const now = Date.now();
    dropStale(now);
    const session = sessions.get(key);
    if (session === undefined) return undefined;
    session.usedAt = now;
    sessions.delete(key);
    sessions.set(key, session);
    return session;
  };
  const keep = (key: string, session: Session): void => {
    sessions.set(key, session);
    const keys = keysOf.get(session.name) ?? new Set();
    keysOf.set(session.name, keys.add(key));
  };

  return {
    id(name, label, value, user = "") {
      const scope = scopeOf(name, user);
      const session = used(scope) ?? empty(name, user);
      const key = `${label} ${value}`;
      const known = session.ids.get(key);
      if (known !== undefined) return known;
      if (session.ids.size >= maxPerSession) throw full(maxPerSession, "one session", "maxPerSession");
      if (entries >= maxEntries) throw full(maxEntries, "all sessions together", "maxEntries");
      const number = (session.counts.get(label) ?? 0) + 1;
      const id = { label, number, tag: session.tag };
      session.counts.set(label, number);
      session.ids.set(key, id);
      session.values.set(`${label}_${number}`, value);
      keep(scope, session);
      entries++;
      return id;
    },
    value(name, { label, number, tag }, user = "") {
      const session = used(scopeOf(name, user));
      return session?.tag === tag ? session.values.get(`${label}_${number}`) : undefined;
    },
    erase(name, user) {
      const keys = user === undefined ? [...(keysOf.get(name) ?? [])] : [scopeOf(name, user)];
      for (const key of keys) {
        const session = sessions.get(key);
        if (session !== undefined) drop(key, session);
      }
    },
    forgetUser(user) {
      const theirs = user === "" ? [] : [...sessions].filter(([, session]) => session.user === user);
      for (const [key, session] of theirs) drop(key, session);
      return theirs.length;
    },
  };
}

const scopeOf = (session: string, user: string): string => JSON.stringify([session, user]);

const empty = (name: string, user: string): Session => ({
  name,
  user,
  tag: randomTag(),
  ids: new Map(),
  values: new Map(),
  counts: new Map(),
  usedAt: Date.now(),
});
