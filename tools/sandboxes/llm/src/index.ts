export { startSandbox, type Sandbox, type SandboxOptions } from './server';
export type { ReceivedRequest } from './request.log';
export { FOREIGN_ORDER, FOREIGN_URL } from './faults';
