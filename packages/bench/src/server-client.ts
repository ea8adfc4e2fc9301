import { Agent, get } from "node:http";
import { WORD } from "./server-load.js";

/** Milliseconds until all streams are open. */
const RAMP = 2000;

/** The client of the bench: keeps a number of streams open, and counts the bytes that arrive. */
const [port = "", streams = ""] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
let bytes = 0;
let before = 0;

function open(): void {
  get({ port: Number(port), host: "127.0.0.1", agent }, (response) => {
    response.on("data", (data: Buffer) => {
      bytes += data.length;
    });
    response.on("end", open);
  });
}

const count = Number(streams);
for (let i = 0; i < count; i++) setTimeout(open, (i * RAMP) / count);
setTimeout(() => process.send?.("open"), RAMP);
process.on("message", (message) => {
  if (message === "begin") before = bytes;
  else process.send?.({ chunks: (bytes - before) / WORD.length });
});
