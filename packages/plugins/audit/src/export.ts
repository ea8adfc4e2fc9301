export { AuditError, type AuditErrorCode } from "./errors.js";
export {
  type ExportForm,
  type ExportOptions,
  exportRecords,
  exportTiles,
  type TilesOptions,
} from "./export/export.js";
export type { RecordFilter } from "./query/filter.js";
