import { createServer, Server, type AddressInfo, type Socket } from 'node:net';
import { smtpMailer } from './mail.client';

const opened: (Server | Socket)[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) {
    if (each instanceof Server) each.close();
    else each.destroy();
  }
});

/** A mail server that does this with whoever connects; resolves to its address. */
const serving = (accept: (socket: Socket) => void): Promise<string> =>
  new Promise((resolve) => {
    const server = createServer((socket) => {
      opened.push(socket.on('error', () => undefined));
      accept(socket);
    }).listen(0, '127.0.0.1', () => {
      resolve(`smtp://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
    opened.push(server);
  });

it.each([
  ['before it says a word', (socket: Socket) => void socket.destroy()],
  ['once it has greeted', (socket: Socket) => void socket.end('220 mail.example ESMTP\r\n')],
])(
  'a mail server that closes every connection %s rejects the message, and is asked no more for it',
  async (_, close) => {
    let connections = 0;
    let askedAgain = (): void => undefined;
    const again = new Promise<string>((resolve) => (askedAgain = () => resolve('asked again')));
    const url = await serving((socket) => {
      connections += 1;
      if (connections > 1) askedAgain();
      close(socket);
    });
    const mailer = smtpMailer(url, 'shop@example.com');
    const sent = mailer.send({ to: 'budi@example.com', subject: 'x', text: 'x' });
    const end = sent.then(
      () => 'sent',
      () => 'rejected',
    );
    expect(await Promise.race([end, again])).toBe('rejected');
    await mailer.stop?.();
  },
);
