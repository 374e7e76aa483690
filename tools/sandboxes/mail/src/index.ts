export { startMailSandbox, type MailSandbox, type MailSandboxOptions } from './server';
export type { ReceivedMail } from './message';
