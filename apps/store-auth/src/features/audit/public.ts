// What other features of this app may use.
export { firstIdOf, type AuditRepository, type Visitor } from './audit.repository';
