import type { Component, Setting } from '@platform/runtime';
import { createTransport } from 'nodemailer';

/** A file that goes along. */
export interface Attachment {
  readonly filename: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** A message of plain text to one person. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly attachments?: readonly Attachment[];
  /** By which a receiver knows a repeat. */
  readonly messageId?: string;
}

/** How messages leave. Rejects when the server did not take one, which may then be sent again. */
export interface Mailer extends Component {
  send(mail: Mail): Promise<void>;
}

const isSmtp = (text: string): boolean =>
  URL.canParse(text) && ['smtp:', 'smtps:'].includes(new URL(text).protocol) && new URL(text).hostname !== '';

/** Outside production the default is the mail sandbox, which sends nothing on. */
export const smtpUrl: Setting<string> = {
  expects: 'an SMTP address (smtp://user:password@host:port, smtps:// for TLS from the start)',
  fallback: 'smtp://127.0.0.1:3025',
  secret: true,
  requiredInProduction: true,
  read: (text) => (isSmtp(text) ? text : undefined),
};

const TIMEOUT_MS = 10_000;
/** Whoever sends tries again, later and counted; else a server that hangs up is asked ten times a second for ever. */
const ONCE = { maxRequeues: 0 };

const addressOf = (text: string) => {
  const { protocol, hostname: host, port, username, password } = new URL(text);
  const secure = protocol === 'smtps:';
  const auth = username ? { user: decodeURIComponent(username), pass: decodeURIComponent(password) } : undefined;
  return { host, port: Number(port) || (secure ? 465 : 587), secure, auth };
};

/** Mail by SMTP, over a few connections that are opened when they are needed. */
export const smtpMailer = (url: string, from: string): Mailer => {
  const transport = createTransport({
    ...addressOf(url),
    pool: true,
    maxConnections: 2,
    ...ONCE,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    name: 'mail',
    send: async ({ attachments = [], ...mail }) =>
      void (await transport.sendMail({ ...mail, attachments: [...attachments], from })),
    stop: async () => transport.close(),
  };
};
