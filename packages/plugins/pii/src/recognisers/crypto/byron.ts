/** Two elements, a tag for encoded CBOR, a byte string with one byte of length; then an integer of four bytes. */
const head = [0x82, 0xd8, 0x18, 0x58];
const integer = 0x1a;

/** Returns true if bytes are an address of Cardano's Byron era: CBOR of a payload and its CRC-32. */
export function byron(bytes: Uint8Array): boolean {
  if (!head.every((byte, index) => bytes[index] === byte)) return false;
  const end = 5 + (bytes[4] ?? 0);
  if (bytes.length !== end + 5 || bytes[end] !== integer) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return view.getUint32(end + 1) === crc32(bytes.subarray(5, end));
}

/** CRC-32 of ISO 3309. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}
