import { crc32 } from "node:zlib";

/** The version in the name of the file: another is another index, and old ones are only taken away. */
export const INDEX_VERSION = 2;

/**
 * The tables of an index: where each record is, its time, and 32-bit checksums of what it may be searched by. It holds
 * nothing that could be read: a record that is found is read from the log, and held against the question once more.
 */
export const TABLES = `
CREATE TABLE DB.files (id INTEGER PRIMARY KEY, name TEXT UNIQUE, offset, records, unreadable, size, changed, head, tail);
CREATE TABLE DB.records (
  id INTEGER PRIMARY KEY, file, idx, offset, length, time, type, operation, decision, run, agent, agentId, onBehalfOf);
CREATE TABLE DB.mentions (value, record);`;

/**
 * The indexes, made after the first rows are in: one sort instead of a search per row. `byTime` holds all that few
 * values are known of, so that looking for a rare one reads nothing else.
 */
export const INDEXES = `
CREATE INDEX IF NOT EXISTS DB.byTime ON records (time, type, operation, decision, agent, agentId, onBehalfOf);
CREATE INDEX IF NOT EXISTS DB.byRun ON records (run, time);
CREATE INDEX IF NOT EXISTS DB.byValue ON mentions (value, record);`;

/** Takes files out, by their numbers. */
export const forget = (files: readonly number[]): string => `
DELETE FROM DB.mentions WHERE record IN (SELECT id FROM DB.records WHERE file IN (${files}));
DELETE FROM DB.records WHERE file IN (${files});
DELETE FROM DB.files WHERE id IN (${files});`;

/** The statements for one of the databases of a connection. */
export const within = (database: string, statements: string): string => statements.replaceAll("DB.", `${database}.`);

/** The checksum that stands for a text in the index. Two texts may share one. */
export const term = (text: string | undefined): number | null => (text === undefined ? null : crc32(text));
