import { checkLimits, full } from "./limits.js";
import { randomTag } from "./tag.js";
import type { TokenId, Vault } from "./vault.js";

const hour = 60 * 60 * 1000;

export interface MemoryVaultOptions {
  /** The most values of all sessions together; 100,000 unless said otherwise. */
  readonly maxEntries?: number;
  /** The most values of one session; 10,000 unless said otherwise. */
  readonly maxPerSession?: number;
  /** The milliseconds without use after which a session is forgotten; 24 hours unless said otherwise. */
  readonly ttl?: number;
}

interface Session {
  readonly tag: string;
  readonly ids: Map<string, TokenId>;
  readonly values: Map<string, string>;
  readonly counts: Map<string, number>;
  usedAt: number;
}

/**
 * A vault in this process's memory. When it is full, sessions that nobody used for `ttl` are forgotten; if there are
 * none, `id` throws `ERR_PII_VAULT_FULL`: nothing that is in use is ever dropped.
 *
 * @throws {PiiError} `ERR_PII_INVALID_RULE` for a limit that is not a whole number above 0.
 */
export function memoryVault(options: MemoryVaultOptions = {}): Vault {
  const { maxEntries = 100_000, maxPerSession = 10_000, ttl = 24 * hour } = options;
  checkLimits({ maxEntries, maxPerSession, ttl });
  /** Least recently used first. */
  const sessions = new Map<string, Session>();
  let entries = 0;

  const drop = (name: string, session: Session): void => {
    entries -= session.ids.size;
    sessions.delete(name);
  };
  const dropStale = (now: number): void => {
    for (const [name, session] of sessions) {
      if (now - session.usedAt < ttl) return;
      drop(name, session);
    }
  };
  const used = (name: string): Session | undefined => {
    const now = Date.now();
    dropStale(now);
    const session = sessions.get(name);
    if (session === undefined) return undefined;
    session.usedAt = now;
    sessions.delete(name);
    sessions.set(name, session);
    return session;
  };

  return {
    id(name, label, value) {
      const session = used(name) ?? { ...empty(), usedAt: Date.now() };
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
      sessions.set(name, session);
      entries++;
      return id;
    },
    value(name, { label, number, tag }) {
      const session = used(name);
      return session?.tag === tag ? session.values.get(`${label}_${number}`) : undefined;
    },
    erase(name) {
      const session = sessions.get(name);
      if (session !== undefined) drop(name, session);
    },
  };
}

const empty = (): Omit<Session, "usedAt"> => ({
  tag: randomTag(),
  ids: new Map(),
  values: new Map(),
  counts: new Map(),
});
