import type { Fault, Place } from "./fault.js";
import type { StreamEvent, WireFormat } from "./formats/format.js";
import { withUnknownFields } from "./unknown-fields.js";

/** Returns the bytes of a JSON body, in pieces, up to the point where a fault ends it. */
export function jsonPieces(body: unknown, fault: Fault): readonly Buffer[] {
  const text = JSON.stringify(withUnknownFields(body));
  const json = Buffer.from(fault.malformed === undefined ? text : half(text));
  return inPieces([json], fault, (place) => (typeof place === "number" ? place : 0.5));
}

/** Returns the bytes of an event stream, in pieces, up to the point where a fault ends it. */
export function eventPieces(events: readonly StreamEvent[], format: WireFormat, fault: Fault): readonly Buffer[] {
  const find = (place: Place): number => (typeof place === "number" ? place : afterText(events, place.textPieces));
  const broken = fault.malformed === undefined ? undefined : find(fault.malformed);
  const failed = fault.error === undefined ? undefined : find(fault.error);
  const sent =
    failed === undefined
      ? events
      : [...events.slice(0, failed), format.errorEvent(fault.message ?? "Scripted: the stream fails.")];
  const newline = fault.newline ?? "\n";
  const frames = sent.map(({ event, data: value }, i) => {
    const data = typeof value === "string" ? value : JSON.stringify(withUnknownFields(value));
    const lines = [...(event === undefined ? [] : [`event: ${event}`]), `data: ${i === broken ? half(data) : data}`];
    // As some servers do, sends a comment before the first event. It is part of that event, so that places stay the same.
    const comment = i === 0 ? `: keep-alive${newline}${newline}` : "";
    return Buffer.from(comment + lines.join(newline) + newline + newline);
  });
  return inPieces(frames, fault, find);
}

const half = (text: string): string => text.slice(0, Math.ceil(text.length / 2));

/** Returns the number of events after which so many pieces of text have been sent. */
function afterText(events: readonly StreamEvent[], pieces: number): number {
  let remaining = pieces;
  const last = events.findIndex(({ isText }) => isText === true && --remaining < 0);
  return last < 0 ? events.length : last;
}

function inPieces(events: readonly Buffer[], fault: Fault, find: (place: Place) => number): readonly Buffer[] {
  const stop = fault.cut ?? fault.hang ?? fault.end;
  const sent = stop === undefined || stop === "before-headers" ? events : upTo(events, find(stop));
  return fault.split === undefined ? sent : split(Buffer.concat(sent), fault.split);
}

function upTo(events: readonly Buffer[], place: number): readonly Buffer[] {
  const complete = Math.floor(place);
  const next = events[complete];
  const rest = next === undefined ? 0 : Math.floor((place - complete) * next.length);
  return [...events.slice(0, complete), ...(next === undefined || rest === 0 ? [] : [next.subarray(0, rest)])];
}

function split(bytes: Buffer, at: number | readonly number[]): readonly Buffer[] {
  const cuts =
    typeof at === "number" ? every(Math.max(1, Math.floor(at)), bytes.length) : [...at].sort((a, b) => a - b);
  const bounds = [0, ...cuts.filter((offset) => offset > 0 && offset < bytes.length), bytes.length];
  return bounds.slice(1).map((end, i) => bytes.subarray(bounds[i], end));
}

const every = (size: number, length: number): readonly number[] =>
  Array.from({ length: Math.floor(length / size) }, (_, i) => (i + 1) * size);
