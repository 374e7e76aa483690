import { connect } from 'node:net';
import { createTransport } from 'nodemailer';
import { startMailSandbox, type MailSandbox } from './server';

let sandbox: MailSandbox;
beforeAll(async () => {
  sandbox = await startMailSandbox({ port: 0, smtpPort: 0 });
});
afterAll(() => sandbox.close());

const shown = async (query: string) => {
  const answer = await fetch(`${sandbox.url}/__sandbox/messages${query}`);
  return { sandbox: answer.headers.get('x-sandbox'), body: (await answer.json()) as unknown };
};

it('shows what a real client sent, by recipient, with letters of any language and lines that begin with a full stop', async () => {
  const transport = createTransport(sandbox.smtpUrl);
  const text = `Kode: 123456\n.titik di awal\n\n${'panjang '.repeat(40)}\nTerima kasih 🛒 é\n`;
  await transport.sendMail({ from: 'a@shop.example', to: 'budi@shop.example', subject: 'Kode 🛒 é Anda', text });
  await transport.sendMail({ from: 'a@shop.example', to: 'siti@shop.example', subject: 'Lain', text: 'x' });
  transport.close();
  expect(await shown('?to=budi@shop.example')).toEqual({
    sandbox: 'true',
    body: [{ to: 'budi@shop.example', subject: 'Kode 🛒 é Anda', text, at: expect.any(String) }],
  });
  expect(((await shown('')).body as unknown[]).length).toBe(2);
});

it('shows the text and the files of a message that has both', async () => {
  const transport = createTransport(sandbox.smtpUrl);
  const content = Buffer.from('%PDF-1.3 \xff\r\n.\r\n', 'latin1');
  const attachments = [{ filename: 'INV-1.pdf', contentType: 'application/pdf', content }];
  await transport.sendMail({
    from: 'a@shop.example',
    to: 'ani@shop.example',
    subject: 'PDF',
    text: 'Halo é',
    attachments,
  });
  transport.close();
  expect((await shown('?to=ani@shop.example')).body).toEqual([
    {
      ...{ to: 'ani@shop.example', subject: 'PDF', text: 'Halo é', at: expect.any(String) },
      attachments: [{ name: 'INV-1.pdf', mime: 'application/pdf', content: content.toString('base64') }],
    },
  ]);
});

it('outlives a client that hangs up in the middle of a message', async () => {
  const { port } = new URL(sandbox.smtpUrl);
  await new Promise<void>((resolve) => {
    const client = connect(Number(port), '127.0.0.1', () =>
      client.write('MAIL FROM:<a@b.c>\r\nRCPT TO:<d@e.f>\r\nDATA\r\nSubject: x'),
    );
    client.once('data', () => client.destroy());
    client.once('close', () => resolve());
  });
  expect((await shown('?to=d@e.f')).body).toEqual([]);
});
