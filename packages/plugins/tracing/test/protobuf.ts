/** One field of a message in the wire format of Protocol Buffers: a number, or bytes that may be a message again. */
interface Field {
  readonly number: number;
  readonly value: bigint | Uint8Array;
}

/** The fields of a message, in their order. Throws on what is none. */
function fieldsOf(bytes: Uint8Array): Field[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fields: Field[] = [];
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = view.getUint8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError("varint is too long");
  };
  const take = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new RangeError("message ends early");
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const key = Number(varint());
    const wire = key & 7;
    if (wire === 0) fields.push({ number: key >> 3, value: varint() });
    else if (wire === 1) fields.push({ number: key >> 3, value: take(8) });
    else if (wire === 2) fields.push({ number: key >> 3, value: take(Number(varint())) });
    else if (wire === 5) fields.push({ number: key >> 3, value: take(4) });
    else throw new RangeError(`no wire type ${wire}`);
  }
  return fields;
}

/** All values under a path of field numbers. */
function at(bytes: Uint8Array, ...path: readonly number[]): Uint8Array[] {
  const [first, ...rest] = path;
  if (first === undefined) return [bytes];
  return fieldsOf(bytes).flatMap(({ number, value }) =>
    number === first && value instanceof Uint8Array ? at(value, ...rest) : [],
  );
}

/** All values under a path of field numbers, as text. */
export const textAt = (bytes: Uint8Array, ...path: readonly number[]): string[] =>
  at(bytes, ...path).map((value) => new TextDecoder("utf-8", { fatal: true }).decode(value));
