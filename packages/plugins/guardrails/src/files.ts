import { type Awaitable, type CallId, definePlugin, type Plugin } from "@suite/core";
import { callable, common, count, flag, listOf, name as named } from "@suite/kit/options";
import { fileTypeFromBuffer } from "file-type";
import { isInside, namesIn, problemOfPath, valuesAt } from "./files/paths.js";
import { checkOptions, type GuardOptions } from "./options.js";
import { nameTest } from "./policy/decide.js";

/** The first bytes of a file, and its size. */
export interface FileHead {
  readonly bytes: Uint8Array;
  readonly size: number;
}

/** The options of `files`. */
export interface FilesOptions extends GuardOptions {
  /** The tools that take files, by name; `*` matches any characters. Default: all. */
  readonly tools?: readonly string[];
  /** The arguments that contain file paths: `path`, `files[].name`. */
  readonly paths?: readonly string[];
  /** The arguments that contain file contents: base64, data URLs, bytes. */
  readonly contents?: readonly string[];
  /** The absolute folders that paths must be in. Other paths are refused. */
  readonly roots?: readonly string[];
  /** Allowed file names, such as `*.pdf`. Default: all. */
  readonly names?: readonly string[];
  /** Allows files and folders that begin with a dot (`.env`, `.git`). Default: false. */
  readonly hidden?: boolean;
  /**
   * Allowed MIME types, detected from the content: `image/*`, `application/pdf`. Unknown content is `text/plain` or
   * `application/octet-stream`.
   */
  readonly types?: readonly string[];
  /** The maximum size of one file in bytes. */
  readonly maxBytes?: number;
  /**
   * Reads the first bytes and the size of a file, for `types` and `maxBytes`: `readHead` of `@suite/guardrails/node`.
   * Returns `undefined` if the file does not exist.
   */
  readonly read?: (path: string) => Awaitable<FileHead | undefined>;
}

/**
 * Checks the files in a tool's arguments before it runs: location, name, size, and type by content. The tool does not
 * run if a file is not allowed or cannot be checked.
 *
 * @throws {GuardrailsError} `ERR_GUARDRAILS_OPTION`
 * @example
 * ```ts
 * files({ tools: ["read_file"], paths: ["path"], roots: ["/srv/docs"], types: ["text/plain", "application/pdf"], read: readHead });
 * ```
 */
export function files(options: FilesOptions): Plugin {
  const texts = listOf(named);
  const checks = { tools: texts, paths: texts, contents: texts, roots: texts, names: texts, types: texts };
  const needed = options?.contents === undefined ? ["paths"] : [];
  options = checkOptions(
    "files",
    options,
    { ...common, ...checks, hidden: flag, maxBytes: count, read: callable },
    needed,
  );
  const {
    name = "files",
    mode = "enforce",
    paths = [],
    contents = [],
    roots,
    hidden = false,
    types,
    maxBytes,
  } = options;
  const enforced = mode === "enforce";
  const tools = options.tools?.map(nameTest);
  const names = options.names?.map(nameTest);
  const allowed = types?.map(nameTest);

  /** Returns a code for the reason why a path is not allowed. */
  async function problemOf(path: unknown): Promise<string | undefined> {
    if (typeof path !== "string") return "not_a_path";
    const problem = problemOfPath(path, hidden);
    if (problem !== undefined) return problem;
    if (roots !== undefined && !roots.some((root) => isInside(path, root))) return "outside";
    const last = namesIn(path).at(-1) ?? "";
    if (names !== undefined && !names.some((test) => test(last))) return "name";
    if (options.read === undefined || (allowed === undefined && maxBytes === undefined)) return undefined;
    const head = await options.read(path);
    return head === undefined ? undefined : problemOfHead(head);
  }

  async function problemOfHead({ bytes, size }: FileHead): Promise<string | undefined> {
    if (maxBytes !== undefined && size > maxBytes) return "size";
    if (allowed === undefined) return undefined;
    const type = (await fileTypeFromBuffer(bytes))?.mime ?? (isText(bytes) ? "text/plain" : "application/octet-stream");
    return allowed.some((test) => test(type)) ? undefined : "type";
  }

  async function problemOfContent(content: unknown): Promise<string | undefined> {
    const size = typeof content === "string" ? Math.floor((content.length * 3) / 4) : undefined;
    if (size !== undefined && maxBytes !== undefined && size > maxBytes + 2 + longestPrefix) return "size";
    const bytes = bytesOf(content);
    return bytes === undefined ? "not_a_file" : problemOfHead({ bytes, size: bytes.length });
  }

  /** Returns the first problem with the files of a call. */
  async function problemIn(input: unknown): Promise<string | undefined> {
    for (const [list, look] of [
      [paths, problemOf],
      [contents, problemOfContent],
    ] as const) {
      for (const argument of list) {
        const values = valuesAt(input, argument);
        if (values === undefined) return "not_readable";
        for (const value of values) {
          const problem = await look(value);
          if (problem !== undefined) return problem;
        }
      }
    }
    return undefined;
  }

  return definePlugin({
    name,
    inSubAgents: true,
    settings: { mode, hidden, roots: roots?.length ?? 0, types: types ?? [], maxBytes: maxBytes ?? 0 },
    async tool(invocation, callNext) {
      const { runtime, call, request } = invocation;
      const tool = request.tool.name;
      if (tools !== undefined && !tools.some((test) => test(tool))) return callNext();
      const notify = (decision: "block" | "fail_closed", problem: string, call: CallId): void =>
        runtime.notify({
          type: "guardrail",
          plugin: name,
          place: "tool_arguments",
          decision,
          enforced,
          call,
          details: { tool, problem },
        });
      let problem: string | undefined;
      try {
        problem = await problemIn(request.input);
        if (problem !== undefined) notify("block", problem, call);
      } catch {
        problem = "not_readable";
        notify("fail_closed", problem, call);
      }
      if (problem === undefined || !enforced) return callNext();
      invocation.respond({
        value: `This call of ${tool} was not run: a file is not allowed (${problem}).`,
        isError: true,
      });
    },
  });
}

/** The maximum length of `data:` and the type in a data URL. */
const longestPrefix = 200;

/** Returns the first bytes of content given as base64, data URL or bytes. */
function bytesOf(content: unknown): Uint8Array | undefined {
  if (content instanceof Uint8Array) return content;
  if (typeof content !== "string") return undefined;
  const comma = content.startsWith("data:") ? content.slice(0, longestPrefix).indexOf(",") : -1;
  if (content.startsWith("data:") && (comma < 0 || !content.slice(0, comma).endsWith(";base64"))) return undefined;
  try {
    return Uint8Array.from(atob(content.slice(comma + 1)), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** Returns true if there are no control characters except white space and escape. */
const isText = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => byte > 31 || (byte > 8 && byte < 14) || byte === 27);
