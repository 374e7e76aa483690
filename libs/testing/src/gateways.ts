export { startDokuSandbox } from '@platform/sandbox-doku';
export { startDuitkuSandbox } from '@platform/sandbox-duitku';
export { startXenditSandbox } from '@platform/sandbox-xendit';
export type { RunningTill } from '@platform/sandbox-till';
