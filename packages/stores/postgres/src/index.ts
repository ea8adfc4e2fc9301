export { PostgresStoreError, type PostgresStoreErrorCode } from "./errors.js";
export type { PostgresClient, PostgresPool } from "./pool.js";
export { type PostgresStateStore, type PostgresStoreOptions, postgresStateStore } from "./postgres-store.js";
export { createTable } from "./table.js";
