import type { StateStore } from "@suite/core";
import { memoryStateStore } from "@suite/core/store";
import { digestOf } from "./digest.js";
import { ApprovalError } from "./errors.js";
import { Keys, type SigningKey } from "./keys.js";
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
let ownStore: StateStore | undefined;

/** Keeps requests, decisions and claims in a store. With keys, altered entries are rejected. */
export class Ledger {
  readonly store: StateStore;
  readonly keys: Keys;

  constructor({ store, keys }: LedgerOptions) {
    ownStore ??= memoryStateStore();
    this.store = store ?? ownStore;
    this.keys = new Keys(keys);
  }

  /** Stores a request. Returns false if it exists already. */
  async ask(request: PendingApproval): Promise<boolean> {
    const ttl = until(request.expiresAt);
    if (request.userId !== undefined) await this.#list(request.userId, request, ttl);
    return this.store.compareAndSet(keyOf(request.id), undefined, await this.keys.signed("request", request), { ttl });
  }

  /** Returns true if the ways to ask have received a request. */
  async isTold({ id }: PendingApproval): Promise<boolean> {
    return (await this.store.get(`${keyOf(id)}:told`)) !== undefined;
  }

  async told({ id, expiresAt }: PendingApproval): Promise<void> {
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
    const key = await grantKey(grant);
    const signed = await this.keys.signed("always", grant);
    const ttl = Math.max(1, Math.ceil(grant.expiresAt - Date.now()));
    for (let attempt = 0; attempt < 16; attempt++) {
      const version = (await this.store.get(key))?.version;
      if (await this.store.compareAndSet(key, version, signed, { ttl })) return;
    }
  }

  /** Returns the grant for a call, or `undefined` if there is none or it is not valid any more. */
  async granted(of: Pick<AlwaysGrant, "session" | "toolName" | "scope">): Promise<AlwaysGrant | undefined> {
    const found = (await this.store.get(await grantKey(of)))?.value as AlwaysGrant | undefined;
    if (found === undefined || found.expiresAt <= Date.now()) return undefined;
    const same = found.session === of.session && found.toolName === of.toolName && found.scope === of.scope;
    return this.#verified(same && (await this.keys.verify("always", found)), found);
  }

  async revoke(of: Pick<AlwaysGrant, "session" | "toolName" | "scope">): Promise<void> {
    await this.store.delete(await grantKey(of));
  }

  /**
   * Removes the requests of a user and their decisions. Claims stay, without the user, so that no call runs twice.
   * Returns the number of requests.
   */
  async forgetUser(user: string): Promise<number> {
    const key = await userKey(user);
    const listed = requestsIn((await this.store.get(key))?.value);
    for (const { id } of listed) {
      for (const name of [keyOf(id), `${keyOf(id)}:decision`, `${keyOf(id)}:told`]) await this.store.delete(name);
    }
    await this.store.delete(key);
    return listed.length;
  }

  /** Adds a request to the user's list, and drops entries that have expired. */
  async #list(user: string, { id, expiresAt }: PendingApproval, ttl: number): Promise<void> {
    const key = await userKey(user);
    for (let attempt = 0; attempt < 100; attempt++) {
      const stored = await this.store.get(key);
      const others = requestsIn(stored?.value).filter((each) => each.id !== id && each.until > Date.now());
      const next = [...others, { id, until: Math.ceil(expiresAt) + grace }];
      const longest = Math.max(ttl, ...next.map((each) => each.until - Date.now()));
      if (await this.store.compareAndSet(key, stored?.version, next, { ttl: longest })) return;
    }
    throw new ApprovalError("ERR_APPROVAL_OPTION", "The store of approvals rejected every write as a conflict.");
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

interface Listed {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

const requestsIn = (value: unknown): readonly Listed[] => (Array.isArray(value) ? (value as Listed[]) : []);

const keyOf = (id: string): string => `approval:${id}`;

const grantKey = async ({ session, toolName, scope }: Pick<AlwaysGrant, "session" | "toolName" | "scope">) =>
  `approval-always:${await digestOf([session, toolName, scope])}`;

const until = (expiresAt: number): number => Math.max(1, Math.ceil(expiresAt - Date.now())) + grace;
