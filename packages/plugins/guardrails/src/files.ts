import { type Awaitable, type CallId, definePlugin, type Plugin } from "@suite/core";
import { callable, common, count, flag, listOf, name as named } from "@suite/core/options";
import { fileTypeFromBuffer } from "file-type";
import { isInside, namesIn, problemOfPath, valuesAt } from "./files/paths.js";
import { checkOptions, type GuardOptions } from "./options.js";
import { nameTest } from "./policy/decide.js";

/** The beginning of a file, and how large it is. */
export interface FileHead {
  readonly bytes: Uint8Array;
  readonly size: number;
}

/** The options of `files`. */
export interface FilesOptions extends GuardOptions {
  /** The tools whose arguments are files, by name; `*` stands for any characters. Default: all. */
  readonly tools?: readonly string[];
  /** The arguments that are paths of files: `path`, `files[].name`. */
  readonly paths?: readonly string[];
  /** The arguments that are contents of files: base64, data URLs, bytes. */
  readonly contents?: readonly string[];
  /** The folders in which paths have to be, absolute. A path that is not is refused. */
  readonly roots?: readonly string[];
  /** Names that are allowed, `*.pdf`. Default: all. */
  readonly names?: readonly string[];
  /** Whether names and folders may begin with a dot (`.env`, `.git`). Default: false. */
  readonly hidden?: boolean;
  /** MIME types that are allowed, by content: `image/*`, `application/pdf`. What has none that is known by its bytes is `text/plain`, or `application/octet-stream`. */
  readonly types?: readonly string[];
  /** The most bytes of one file. */
  readonly maxBytes?: number;
  /** Reads the beginning of a file at a path, and its size, for `types` and `maxBytes`: `readHead` of `@suite/guardrails/node`. Undefined for one that there is not. */
  readonly read?: (path: string) => Awaitable<FileHead | undefined>;
}

/**
 * Looks at the files that a tool is asked to work with, before it runs: where they are, how they are called, how large they are,
 * and of what type they are by their content. What is not allowed is not run; what cannot be looked at is not allowed.
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

  /** The reason why a path is not allowed, in a short word. */
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

  /** The first problem with the files of a call. */
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
      const tell = (decision: "block" | "fail_closed", problem: string, call: CallId): void =>
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
        if (problem !== undefined) tell("block", problem, call);
      } catch {
        problem = "not_readable";
        tell("fail_closed", problem, call);
      }
      if (problem === undefined || !enforced) return callNext();
      invocation.respond({
        value: `This call of ${tool} was not run: a file is not allowed (${problem}).`,
        isError: true,
      });
    },
  });
}

/** `data:` and a type, before the bytes of a data URL. */
const longestPrefix = 200;

/** The bytes of a file that came as base64, as a data URL, or as bytes. */
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

/** No byte of it is a control character, but white space. */
const isText = (bytes: Uint8Array): boolean =>
  bytes.every((byte) => byte > 31 || (byte > 8 && byte < 14) || byte === 27);
