// What other features of this app may use.
export type { AuditRepository, Visitor } from './audit.repository';
