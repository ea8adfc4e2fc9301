import { crc32 } from "node:zlib";

/** The version in the file name. Each version has a separate index, and old ones are deleted. */
export const INDEX_VERSION = 2;

/**
 * The tables of an index: the place and time of each record, and 32-bit checksums of its searchable values. The index
 * contains no readable content. A found record is read from the log and compared with the filter again.
 */
export const TABLES = `
CREATE TABLE DB.files (id INTEGER PRIMARY KEY, name TEXT UNIQUE, offset, records, unreadable, size, changed, head, tail);
CREATE TABLE DB.records (
  id INTEGER PRIMARY KEY, file, idx, offset, length, time, type, operation, decision, run, agent, agentId, onBehalfOf);
CREATE TABLE DB.mentions (value, record);`;

/**
 * The indexes. They are created after the first rows are inserted, which needs one sort instead of a search per row.
 * `byTime` contains all columns with few distinct values, so that a search for a rare value reads nothing else.
 */
export const INDEXES = `
CREATE INDEX IF NOT EXISTS DB.byTime ON records (time, type, operation, decision, agent, agentId, onBehalfOf);
CREATE INDEX IF NOT EXISTS DB.byRun ON records (run, time);
CREATE INDEX IF NOT EXISTS DB.byValue ON mentions (value, record);`;

/** Returns the statements that delete files by their numbers. */
export const forget = (files: readonly number[]): string => `
DELETE FROM DB.mentions WHERE record IN (SELECT id FROM DB.records WHERE file IN (${files}));
DELETE FROM DB.records WHERE file IN (${files});
DELETE FROM DB.files WHERE id IN (${files});`;

/** Returns the statements for one of the databases of a connection. */
export const within = (database: string, statements: string): string => statements.replaceAll("DB.", `${database}.`);

/** Returns the checksum of a string in the index. Two strings may share one. */
export const term = (text: string | undefined): number | null => (text === undefined ? null : crc32(text));
