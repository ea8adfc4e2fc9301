/** Says something to whoever runs the process: a warning of Node, of type `AuditWarning`. */
export const emitWarning = (text: string): void => process.emitWarning(text, { type: "AuditWarning" });
