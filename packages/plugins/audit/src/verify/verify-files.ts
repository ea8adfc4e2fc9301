import { isObject } from "@suite/kit";
import type { Check } from "@suite/kit/options";
import { isLogFile } from "../log/format.js";
import { checkArgument, list } from "../options.js";
import { PUBLIC_KEY_FILE } from "../signing/key.js";
import { webCryptography } from "../signing/web-cryptography.js";
import { numberIn } from "../witness/tree-head.js";
import { checkVerifyOptions, type VerifyOptions } from "./options.js";
import { type GivenFile, sourceOf } from "./sources.js";
import type { Verdict } from "./verdict.js";
import { verifySources } from "./verify-sources.js";

const MAX_KEY_BYTES = 1024 * 1024;

/**
 * Verifies the files of a log's directory without a file system: in a browser, a worker, an edge function. The verdict
 * is the same as that of `verify` of `@suite/audit` for the directory. Pass the files of the folder of heads with their
 * names only, without the folder. Files with other names are ignored. Without `key`, the `key.pub` among the files is
 * used, and the verdict is self-attested.
 *
 * @throws AuditError the errors of `verify`, and `ERR_AUDIT_UNSUPPORTED` if WebCrypto does not support Ed25519
 *
 * @example
 * ```ts
 * const files = [...input.files].map((file) => ({ name: file.name, bytes: file }));
 * const { ok, problems } = await verifyFiles(files, { key });
 * ```
 */
export async function verifyFiles(files: readonly GivenFile[], options: VerifyOptions = {}): Promise<Verdict> {
  checkArgument("verifyFiles", "files", files, list(file));
  options = checkVerifyOptions("verifyFiles", options);
  const named = files.filter(({ name }) => isLogFile(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  const keyFile = files.find(({ name }) => name === PUBLIC_KEY_FILE);
  const ownKey = keyFile && options.key === undefined ? await textOf(keyFile) : undefined;
  const heads = () =>
    Promise.all(
      files
        .filter(({ name }) => numberIn(name) !== undefined)
        .map(async (file) => ({ name: file.name, text: await textOf(file) })),
    );
  const sources = { files: named.map(sourceOf), where: "What was given", ownKey, heads, cryptography: webCryptography };
  return verifySources(sources, options);
}

const file: Check = (value) =>
  isObject(value) && typeof value.name === "string" ? undefined : "a file with its name and bytes";

async function textOf(file: GivenFile): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of sourceOf(file).read()) {
    text += decoder.decode(piece, { stream: true });
    if (text.length > MAX_KEY_BYTES) break;
  }
  return text + decoder.decode();
}
