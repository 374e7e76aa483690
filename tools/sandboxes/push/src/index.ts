export { startPushSandbox, type PushSandbox, type PushSandboxOptions } from './server';
export type { Fault, ReceivedPush, SandboxBrowser } from './push.desk';
