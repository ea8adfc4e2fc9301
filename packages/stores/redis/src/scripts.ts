import { createHash } from "node:crypto";
import type { RedisCommands, ScriptArguments } from "./client.js";

// An entry is one string: a counter is its decimal number, a claim is `claim`, a value is `value:`, a version of 36
// characters, and JSON. Numbers in Lua are doubles, which are exact for safe integers. An unsafe sum still compares as
// unsafe. Totals are returned as strings because clients read large numbers inexactly.

/** A Lua script, and the SHA-1 that identifies it on the server. */
export interface Script {
  readonly lua: string;
  readonly sha1: string;
}

const script = (lua: string): Script => ({ lua, sha1: createHash("sha1").update(lua).digest("hex") });

/**
 * Arguments: amount, maximum or "", ttl or "". Reply: 1, the total, and the milliseconds until it expires, negative if
 * it does not expire; 0 and the same; -1, the total is unsafe; -2, another kind.
 */
export const addScript = script(`
local held = redis.call('GET', KEYS[1])
if held and not string.find(held, '^%-?%d+$') then return {-2} end
local before, amount, maximum = tonumber(held or '0'), tonumber(ARGV[1]), tonumber(ARGV[2])
local total = before + amount
if amount > 0 and maximum and total > maximum then return {0, held or '0', redis.call('PTTL', KEYS[1])} end
if total > 9007199254740991 or total < -9007199254740991 then return {-1} end
if held then
  redis.call('INCRBY', KEYS[1], ARGV[1])
elseif ARGV[3] == '' then
  redis.call('SET', KEYS[1], ARGV[1])
else
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
end
return {1, string.format('%.0f', total), redis.call('PTTL', KEYS[1])}
`);

/** Arguments: old version or "", new entry or "", ttl or "". Reply: 1 if it was replaced. */
export const compareAndSetScript = script(`
local held = redis.call('GET', KEYS[1])
if ARGV[1] == '' then
  if held then return 0 end
elseif not held or string.sub(held, 1, 43) ~= 'value:' .. ARGV[1] .. ':' then
  return 0
end
if ARGV[2] == '' then
  redis.call('DEL', KEYS[1])
elseif ARGV[3] == '' then
  redis.call('SET', KEYS[1], ARGV[2])
else
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
end
return 1
`);

/** Arguments: ttl or "". Reply: 1 for the first caller. */
export const claimScript = script(`
if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
if ARGV[1] == '' then
  redis.call('SET', KEYS[1], 'claim')
else
  redis.call('SET', KEYS[1], 'claim', 'PX', ARGV[1])
end
return 1
`);

/**
 * Runs a script on one key. A server that does not know it, as after its start, has refused it without doing anything, and
 * is then given its text.
 */
export async function run(commands: RedisCommands, { lua, sha1 }: Script, args: ScriptArguments): Promise<unknown> {
  try {
    return await commands.evalSha(sha1, args);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
    return commands.eval(lua, args);
  }
}
