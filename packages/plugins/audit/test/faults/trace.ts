/** A system call, as strace has seen it. */
export interface SystemCall {
  readonly thread: string;
  readonly name: string;
  /** The arguments as strace prints them; descriptors with their paths (`-y`). */
  readonly args: string;
  /** The result of the call; undefined where it never came back. */
  readonly result: number | undefined;
  /** The error with which the call came back if it failed: `EIO`. */
  readonly error: string | undefined;
  /** Lines of the trace in which it began and ended: the order in time. */
  readonly start: number;
  readonly end: number;
}

/** The calls in the output of `strace -f -y -o FILE`, in the order in which they began. */
export function parseTrace(text: string): readonly SystemCall[] {
  const calls: SystemCall[] = [];
  const unfinished = new Map<string, { readonly at: number; readonly begin: string }>();
  for (const [end, line] of text.split("\n").entries()) {
    const [, thread = "", rest = ""] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const begun = /^(.*) <unfinished \.\.\.>$/.exec(rest)?.[1];
    if (begun !== undefined) {
      unfinished.set(thread, { at: calls.length, begin: begun });
      const [, name = "", args = ""] = /^(\w+)\((.*)$/.exec(begun) ?? [];
      calls.push({
        thread,
        name,
        args,
        result: undefined,
        error: undefined,
        start: end,
        end: Number.POSITIVE_INFINITY,
      });
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)?.[1];
    const open = resumed === undefined ? undefined : unfinished.get(thread);
    const [, name, args = "", result = "", error] =
      /^(\w+)\((.*)\) += (-?\d+|\?) ?(E[A-Z]+)?/.exec(open ? open.begin + resumed : rest) ?? [];
    if (name === undefined) continue;
    const value = result === "?" ? undefined : Number(result);
    const start = open ? (calls[open.at]?.start ?? end) : end;
    const call = { thread, name, args, result: value, error, start, end };
    if (open) calls[open.at] = call;
    else calls.push(call);
  }
  return calls;
}
