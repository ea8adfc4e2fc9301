import { readFile } from "node:fs/promises";

export interface Ticket {
  readonly id: string;
  readonly text: string;
}

/** The tickets that were read, and one line for each that could not be. */
export interface Input {
  readonly tickets: readonly Ticket[];
  readonly problems: readonly string[];
}

/** Tickets of a JSON-lines file, or one ticket that is the whole of standard input. */
export async function readInput(file: string | undefined, stdin: NodeJS.ReadStream): Promise<Input> {
  if (file !== undefined) return parse(await readFile(file, "utf8"), file);
  const piped = (await textOf(stdin)).trim();
  if (piped !== "")
    return piped.startsWith("{")
      ? parse(piped, "standard input")
      : { tickets: [{ id: "stdin", text: piped }], problems: [] };
  const own = new URL("../../support-desk/tickets.jsonl", import.meta.url);
  return parse(await readFile(own, "utf8"), "tickets.jsonl");
}

/** The text that is piped in; nothing from a terminal, or from a pipe that stays silent for a second. */
function textOf(stdin: NodeJS.ReadStream): Promise<string> {
  if (stdin.isTTY === true) return Promise.resolve("");
  return new Promise((resolve, reject) => {
    let all = "";
    const silent = setTimeout(() => {
      stdin.destroy();
      resolve("");
    }, 1000);
    stdin.setEncoding("utf8");
    stdin.on("data", (piece) => {
      clearTimeout(silent);
      all += piece;
    });
    stdin.on("end", () => {
      clearTimeout(silent);
      resolve(all);
    });
    stdin.on("error", reject);
  });
}

function parse(content: string, name: string): Input {
  const tickets: Ticket[] = [];
  const problems: string[] = [];
  for (const [index, line] of content.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const ticket = ticketOf(line);
    if (ticket === undefined) problems.push(`${name}:${index + 1}: not a ticket; expected {"id": "…", "text": "…"}`);
    else tickets.push(ticket);
  }
  if (tickets.length === 0 && problems.length === 0) problems.push(`${name} holds no tickets`);
  return { tickets, problems };
}

function ticketOf(line: string): Ticket | undefined {
  try {
    const { id, text } = JSON.parse(line) as Partial<Ticket>;
    return typeof id === "string" && typeof text === "string" ? { id, text } : undefined;
  } catch {
    return undefined;
  }
}
