/** Emits a process warning of Node, of type `AuditWarning`. */
export const emitWarning = (text: string): void => process.emitWarning(text, { type: "AuditWarning" });
