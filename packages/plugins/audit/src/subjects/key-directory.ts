import { createHash, randomBytes } from "node:crypto";
import { rename, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { fromBase64, toBase64 } from "@suite/kit";
import { AuditError } from "../errors.js";
import { ensureDirectory, syncDirectory } from "../files/directory.js";
import { createOnce, readIfThere, writeSynced } from "../files/durable.js";
import { isGone } from "../files/errors.js";
import { KEY_BYTES, subjectKid } from "./subject-keys.js";

/** Maximum number of tries if another process erases the subject again and again. */
const MAX_TRIES = 100;

/**
 * A directory of keys. `subject-HASH` contains the id of a subject's key, `KID.key` the key. The key is durable before
 * its id, and the id before it is returned. An id is removed before its key. So no crash can leave a subject with two
 * keys, and the next erasure finishes an interrupted one.
 */
export class KeyDirectory {
  readonly #dir: string;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async keyOf(subject: string): Promise<Uint8Array> {
    const pointer = this.#pointer(subject);
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const kid = await readIfThere(pointer);
      // A missing key was erased at this moment.
      const key = kid === undefined ? await this.#create(pointer) : await this.find(kid.trim());
      if (key === undefined) continue;
      // The process that created it may not have synced the directory yet.
      await syncDirectory(this.#dir);
      return key;
    }
    throw new AuditError("ERR_AUDIT_INVALID_KEY", `${pointer} names a key that does not exist. Erase the subject.`);
  }

  /** Returns the id of a subject's key. Returns `undefined` if the subject has none. No key is created. */
  async kidOf(subject: string): Promise<string | undefined> {
    return (await readIfThere(this.#pointer(subject)))?.trim();
  }

  async find(kid: string): Promise<Uint8Array | undefined> {
    if (!/^[0-9a-f]{16}$/.test(kid)) return undefined;
    const path = this.#key(kid);
    const text = await readIfThere(path);
    if (text === undefined) return undefined;
    const key = fromBase64(text.trim());
    if (key?.length === KEY_BYTES && subjectKid(key) === kid) return key;
    // The erasure was interrupted.
    if (/^0*$/.test(text)) return undefined;
    throw new AuditError("ERR_AUDIT_INVALID_KEY", `${path} does not contain the key of its name.`);
  }

  async erase(subject: string): Promise<string | undefined> {
    const pointer = this.#pointer(subject);
    const erasing = `${pointer}.erasing`;
    const interrupted = await this.#finish(erasing);
    const named = await readIfThere(pointer);
    try {
      await rename(pointer, erasing);
    } catch (error) {
      if (isGone(error)) return interrupted;
      throw error;
    }
    await syncDirectory(this.#dir);
    return this.#finish(erasing, named);
  }

  /** Creates the key. Returns `undefined` if another process was first. */
  async #create(pointer: string): Promise<Uint8Array | undefined> {
    await ensureDirectory(this.#dir);
    const key = randomBytes(KEY_BYTES);
    const kid = subjectKid(key);
    if (!(await createOnce(this.#key(kid), `${toBase64(key)}\n`))) return undefined;
    if (await createOnce(pointer, `${kid}\n`)) return key;
    await unlink(this.#key(kid));
    return undefined;
  }

  /**
   * Destroys the key of an id that was moved to `erasing`.
   *
   * @param named the id, in case another process has finished this erasure and removed the file
   */
  async #finish(erasing: string, named?: string): Promise<string | undefined> {
    const kid = ((await readIfThere(erasing)) ?? named)?.trim();
    if (kid === undefined) return undefined;
    await destroy(this.#key(kid));
    await syncDirectory(this.#dir);
    await unlink(erasing).catch(ignoreNotFound);
    await syncDirectory(this.#dir);
    return kid;
  }

  #pointer(subject: string): string {
    const hash = createHash("sha256").update("suite-audit subject\n").update(subject, "utf8").digest("hex");
    return join(this.#dir, `subject-${hash}`);
  }

  #key(kid: string): string {
    return join(this.#dir, `${kid}.key`);
  }
}

/** Overwrites a file durably, then removes it, so that the disk space contains no key when it is reused. */
async function destroy(path: string): Promise<void> {
  try {
    const { size } = await stat(path);
    await writeSynced(path, "0".repeat(size), "r+");
    await unlink(path);
  } catch (error) {
    ignoreNotFound(error);
  }
}

function ignoreNotFound(error: unknown): void {
  if (!isGone(error)) throw error;
}
