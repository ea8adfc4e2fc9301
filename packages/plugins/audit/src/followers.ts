export { AuditError, type AuditErrorCode } from "./errors.js";
export { type FollowOptions, follow } from "./followers/follow.js";
export { followAll } from "./followers/follow-all.js";
export type { Follower } from "./followers/loop.js";
export { type OtlpLogsOptions, otlpLogs } from "./followers/otlp/otlp-logs.js";
export type { PostgresClient, PostgresPool } from "./followers/postgres/pool.js";
export { type PostgresOptions, postgres } from "./followers/postgres/postgres.js";
export { type SyslogOptions, syslog } from "./followers/syslog/syslog.js";
export type { DeliveryContext, FollowedLine, FollowerBatch, FollowerTarget, Position } from "./followers/target.js";
