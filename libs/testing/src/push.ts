export { startPushSandbox, type PushSandbox, type ReceivedPush, type SandboxBrowser } from '@platform/sandbox-push';
