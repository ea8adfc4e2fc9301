export { AuditFollowersError, type AuditFollowersErrorCode } from "./errors.js";
export { type FollowOptions, follow } from "./follow/follow.js";
export { followAll } from "./follow/follow-all.js";
export type { Follower } from "./follow/loop.js";
export type { DeliveryContext, FollowedLine, FollowerBatch, FollowerTarget, Position } from "./follow/target.js";
export { type OtlpLogsOptions, otlpLogs } from "./otlp/otlp-logs.js";
export type { PostgresClient, PostgresPool } from "./postgres/pool.js";
export { type PostgresOptions, postgres } from "./postgres/postgres.js";
export { type SyslogOptions, syslog } from "./syslog/syslog.js";
