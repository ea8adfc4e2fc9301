import type { StateStore } from "@suite/core";
import { digestOf, type SigningKey } from "@suite/kit/digest";
import { memoryStateStore } from "@suite/kit/store";
import { ApprovalError } from "./errors.js";
import { Keys } from "./keys.js";
import type { AlwaysGrant, PendingApproval, StoredDecision } from "./records.js";

/** The store of requests and decisions, and the keys that sign them. */
export interface LedgerOptions {
  /**
   * The store of requests, decisions and claims, shared by all processes that use it. Default: this process's memory.
   */
  readonly store?: StateStore;
  /**
   * The keys that sign requests and decisions. If set, entries without a valid signature are rejected. The first key
   * signs, all keys verify. To rotate, add the new key in front, and remove the old one when its entries have expired.
   */
  readonly keys?: readonly SigningKey[];
}

/** The extra time that entries are kept, because the clocks of processes and stores differ. */
const grace = 24 * 60 * 60 * 1000;

/** The default store, shared by all ledgers without one. */
let defaultStore: StateStore | undefined;

/** Keeps requests, decisions and claims in a store. With keys, altered entries are rejected. */
export class Ledger {
  readonly store: StateStore;
  readonly keys: Keys;

  constructor({ store, keys }: LedgerOptions) {
    defaultStore ??= memoryStateStore();
    this.store = store ?? defaultStore;
    this.keys = new Keys(keys);
  }

  /** Stores a request. Returns false if it exists already. */
  async ask(request: PendingApproval): Promise<boolean> {
    const ttl = until(request.expiresAt);
    const { id, userId, expiresAt } = request;
    if (userId !== undefined) await this.#list(userId, { id, until: Math.ceil(expiresAt) + grace });
    return this.store.compareAndSet(keyOf(id), undefined, await this.keys.signed("request", request), { ttl });
  }

  /** Returns true if the ways to ask have received a request. */
  async isNotified({ id }: PendingApproval): Promise<boolean> {
    return (await this.store.get(`${keyOf(id)}:told`)) !== undefined;
  }

  async markNotified({ id, expiresAt }: PendingApproval): Promise<void> {
    await this.store.compareAndSet(`${keyOf(id)}:told`, undefined, true, { ttl: until(expiresAt) });
  }

  /** @throws {ApprovalError} `ERR_APPROVAL_SIGNATURE` */
  async request(id: string): Promise<PendingApproval | undefined> {
    const found = (await this.store.get(keyOf(id)))?.value as PendingApproval | undefined;
    if (found === undefined) return undefined;
    return this.#verified(found.id === id && (await this.keys.verify("request", found)), found);
  }

  /** Stores the first decision on a request. Returns false if there is one. */
  async decide(decision: StoredDecision): Promise<boolean> {
    const ttl = until(decision.expiresAt);
    const signed = await this.keys.signed("decision", decision);
    return this.store.compareAndSet(`${keyOf(decision.request)}:decision`, undefined, signed, { ttl });
  }

  /** @throws {ApprovalError} `ERR_APPROVAL_SIGNATURE` */
  async decision(id: string): Promise<StoredDecision | undefined> {
    const found = (await this.store.get(`${keyOf(id)}:decision`))?.value as StoredDecision | undefined;
    if (found === undefined) return undefined;
    return this.#verified(found.request === id && (await this.keys.verify("decision", found)), found);
  }

  /** Consumes a request. Returns true for the first caller only, across all processes. */
  async claim({ id, expiresAt }: Pick<PendingApproval, "id" | "expiresAt">): Promise<boolean> {
    // A claim outlives its request, so that an expired request can never be used again.
    return this.store.claim(`${keyOf(id)}:used`, { ttl: until(expiresAt) + grace });
  }

  /** Returns true if this caller is the first to detect that a request has expired. */
  async expire({ id, expiresAt }: PendingApproval): Promise<boolean> {
    return this.store.claim(`${keyOf(id)}:expired`, { ttl: until(expiresAt) + grace });
  }

  async grant(grant: AlwaysGrant): Promise<void> {
    const key = await grantsKey(grant);
    const signed = await this.keys.signed("always", grant);
    const { userId: user, expiresAt } = grant;
    if (user !== undefined) await this.#list(user, { grants: key, until: expiresAt });
    await this.#update(key, (grants) => [...grants.filter(({ userId }) => userId !== user), signed]);
  }

  /** Returns the grant for a call, or `undefined` if it does not exist or is no longer valid. */
  async granted(of: GrantedTo): Promise<AlwaysGrant | undefined> {
    const grants = grantsIn((await this.store.get(await grantsKey(of)))?.value);
    const found = grants.find(({ userId }) => userId === of.userId);
    if (found === undefined || found.expiresAt <= Date.now()) return undefined;
    const same = found.session === of.session && found.toolName === of.toolName && found.scope === of.scope;
    return this.#verified(same && (await this.keys.verify("always", found)), found);
  }

  /** Removes the grant of a user, or the grants of all users of the session if there is no user. */
  async revoke({ userId: user, ...of }: GrantedTo): Promise<void> {
    const key = await grantsKey(of);
    if (user === undefined) await this.store.delete(key);
    else await this.#update(key, (grants) => grants.filter(({ userId }) => userId !== user));
  }

  /**
   * Removes the requests of a user, their decisions, and the user's "always" grants. Claims stay, without the user, so
   * that no call runs twice. Returns the number of requests.
   */
  async forgetUser(user: string): Promise<number> {
    const key = await userKey(user);
    const listed = listedIn((await this.store.get(key))?.value);
    for (const entry of listed) {
      if ("grants" in entry) {
        await this.#update(entry.grants, (grants) => grants.filter(({ userId }) => userId !== user));
        continue;
      }
      const { id } = entry;
      for (const name of [keyOf(id), `${keyOf(id)}:decision`, `${keyOf(id)}:told`]) await this.store.delete(name);
    }
    await this.store.delete(key);
    return listed.filter((entry) => "id" in entry).length;
  }

  /** Adds an entry to the user's list, and drops entries that have expired. */
  async #list(user: string, entry: Listed): Promise<void> {
    const same = (other: Listed): boolean =>
      "id" in entry ? "id" in other && other.id === entry.id : "grants" in other && other.grants === entry.grants;
    await this.#write(await userKey(user), (value) => {
      const remaining = listedIn(value).filter((other) => !same(other) && other.until > Date.now());
      const next = [...remaining, entry];
      return { next, until: Math.max(...next.map(({ until }) => until)) };
    });
  }

  /** Replaces the grants under a key, without those that have expired. */
  async #update(key: string, change: (grants: readonly AlwaysGrant[]) => readonly AlwaysGrant[]): Promise<void> {
    await this.#write(key, (value) => {
      const next = change(grantsIn(value).filter(({ expiresAt }) => expiresAt > Date.now()));
      if (next.length === 0 && value === undefined) return undefined;
      return { next, until: Math.max(Date.now(), ...next.map(({ expiresAt }) => expiresAt)) };
    });
  }

  /** Replaces a value of the store until no other writer was faster. An `undefined` change leaves it unchanged. */
  async #write(key: string, change: (value: unknown) => { next: unknown; until: number } | undefined): Promise<void> {
    for (let attempt = 0; attempt < 100; attempt++) {
      const stored = await this.store.get(key);
      const changed = change(stored?.value);
      if (changed === undefined) return;
      const ttl = Math.max(1, Math.ceil(changed.until - Date.now()));
      if (await this.store.compareAndSet(key, stored?.version, changed.next, { ttl })) return;
    }
    throw new ApprovalError(
      "ERR_APPROVAL_OPTION",
      "The store of approvals refused 100 writes in a row, because other writers were faster.",
    );
  }

  #verified<T>(good: boolean, found: T): T {
    if (good) return found;
    throw new ApprovalError(
      "ERR_APPROVAL_SIGNATURE",
      "An approval in the store was altered, or signed with a key that this process does not have. No tool was run.",
    );
  }
}

const userKey = async (user: string): Promise<string> => `approval-user:${await digestOf(user)}`;

/** An entry of a user's list: a request, or the key of grants that contain one of the user. */
type Listed = ({ readonly id: string } | { readonly grants: string }) & {
  /** Milliseconds since the epoch. */
  readonly until: number;
};

/** The calls that a grant covers. */
type GrantedTo = Pick<AlwaysGrant, "session" | "userId" | "toolName" | "scope">;

const listedIn = (value: unknown): readonly Listed[] => (Array.isArray(value) ? (value as Listed[]) : []);
const grantsIn = (value: unknown): readonly AlwaysGrant[] => (Array.isArray(value) ? (value as AlwaysGrant[]) : []);

const keyOf = (id: string): string => `approval:${id}`;

/** Returns the key of the grants of all users in a session for a tool and a scope. */
const grantsKey = async ({ session, toolName, scope }: GrantedTo): Promise<string> =>
  `approval-always:${await digestOf([session, toolName, scope])}`;

const until = (expiresAt: number): number => Math.max(1, Math.ceil(expiresAt - Date.now())) + grace;
