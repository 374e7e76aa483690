import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { readMail, type ReceivedMail } from './message';
import { SmtpSession } from './smtp.session';

export interface MailSandboxOptions {
  /** Of the control routes; 0 takes a free one. */
  readonly port: number;
  readonly smtpPort: number;
}

export interface MailSandbox {
  /** Of the control routes. */
  readonly url: string;
  readonly smtpUrl: string;
  /** The last 1,000, the newest last. */
  readonly messages: readonly ReceivedMail[];
  close(): Promise<void>;
}

const HOST = '127.0.0.1';
const MOST = 1_000;

const listening = async (server: Server, port: number): Promise<number> => {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, HOST, resolve));
  return (server.address() as AddressInfo).port;
};

const control =
  (messages: ReceivedMail[]) =>
  ({ url = '', method }: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(url, 'http://sandbox');
    const known = pathname === '/__sandbox/messages';
    if (known && method === 'DELETE') messages.length = 0;
    const wanted = searchParams.get('to');
    const found = messages.filter(({ to }) => wanted === null || to === wanted);
    response
      .writeHead(known ? 200 : 404, { 'content-type': 'application/json', 'x-sandbox': 'true' })
      .end(JSON.stringify(known ? found : { message: 'GET or DELETE /__sandbox/messages?to=' }));
  };

/** Starts an SMTP server that keeps what it gets, and the routes that show it. Rejects when a port is taken. */
export const startMailSandbox = async ({ port, smtpPort }: MailSandboxOptions): Promise<MailSandbox> => {
  const messages: ReceivedMail[] = [];
  const sockets = new Set<Socket>();
  const smtp = createServer((socket) => {
    sockets.add(socket.once('close', () => sockets.delete(socket)));
    new SmtpSession(socket, (recipients, raw) => {
      for (const to of recipients) messages.push(readMail(to, raw, new Date()));
      messages.splice(0, messages.length - MOST);
    });
  });
  const http = createHttpServer(control(messages));
  const [mailAt, controlAt] = [await listening(smtp, smtpPort), await listening(http, port)];
  return {
    url: `http://${HOST}:${controlAt}`,
    smtpUrl: `smtp://${HOST}:${mailAt}`,
    messages,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      http.closeAllConnections();
      await Promise.all([smtp, http].map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
};
