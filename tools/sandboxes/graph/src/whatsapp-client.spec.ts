/** @jest-environment ../../jest/native-import.environment.cjs */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WhatsAppAPI } from 'whatsapp-api-js';
import type { Text } from 'whatsapp-api-js/messages';
import { startGraphSandbox, type GraphSandbox } from './index';
import { defaultNumber } from './wa/whatsapp.store';

// An unmodified third-party client; its `fetch` is ours only to rewrite the host
declare const nativeImport: <T>(specifier: string) => Promise<T>;

const NUMBER = defaultNumber.id;
const CUSTOMER = '628123456789';
const APP_SECRET = 'app secret of the sandbox';

let sandbox: GraphSandbox;
let client: WhatsAppAPI;
let clientWith: (token: string) => WhatsAppAPI;
let TextMessage: typeof Text;
let receiver: Server;
let subscription: { url: string; verifyToken: string; appSecret: string };
/** How the third party's webhook handler answered, in order. */
const handled: { status: number; from?: string; text?: string; status_?: string; opaque?: string }[] = [];

const rewritten =
  (base: string): typeof fetch =>
  (input, init) =>
    fetch(String(input).replace('https://graph.facebook.com', base), init);

const until = async (holds: () => boolean): Promise<void> => {
  const end = Date.now() + 120_000;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`it did not come true: ${JSON.stringify(handled)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

const answerWebhook = async (request: AsyncIterable<Buffer> & { method?: string; url?: string }, header = '') => {
  if (request.method === 'GET') {
    const query = Object.fromEntries(new URL(request.url ?? '', 'http://receiver').searchParams);
    return client.get(query as unknown as Parameters<typeof client.get>[0]);
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const raw = Buffer.concat(chunks).toString('utf8');
  await client.post(JSON.parse(raw) as Parameters<typeof client.post>[0], raw, header);
  return '';
};

beforeAll(async () => {
  const library = await nativeImport<{ WhatsAppAPI: typeof WhatsAppAPI }>('whatsapp-api-js');
  ({ Text: TextMessage } = await nativeImport<{ Text: typeof Text }>('whatsapp-api-js/messages'));
  sandbox = await startGraphSandbox({ port: 0, wa: { webhookRetryMs: 10 } });
  const ponyfill = { fetch: rewritten(sandbox.url) };
  const secrets = { appSecret: APP_SECRET, webhookVerifyToken: 'verify me' };
  clientWith = (token) => new library.WhatsAppAPI({ ...secrets, token, v: 'v24.0', ponyfill });
  client = clientWith(defaultNumber.token);
  client.on.message = ({ from, message }) =>
    void handled.push({ status: 200, from, text: message.type === 'text' ? message.text.body : message.type });
  client.on.status = ({ phone, status, biz_opaque_callback_data: opaque }) =>
    void handled.push({ status: 200, from: phone, status_: status, opaque });
  receiver = createServer((request, response) => {
    answerWebhook(request, request.headers['x-hub-signature-256'] as string).then(
      (text) => response.end(text),
      (error: { httpStatus?: number }) => {
        handled.push({ status: error.httpStatus ?? 500 });
        response.writeHead(error.httpStatus ?? 500).end();
      },
    );
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  subscription = { url: `http://127.0.0.1:${port}/`, verifyToken: 'verify me', appSecret: APP_SECRET };
});
beforeEach(() => void (handled.length = 0));
afterAll(async () => {
  await sandbox.close();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

describe('whatsapp-api-js 6.3.0, unmodified', () => {
  it('answers the challenge, unless the verify token is wrong', async () => {
    expect(await sandbox.wa.subscribe({ ...subscription, verifyToken: 'guessed' })).toBe(false);
    expect(await sandbox.wa.subscribe(subscription)).toBe(true);
  });

  it('accepts a correctly signed webhook, even with non-ASCII text, and rejects a badly signed one until its retry', async () => {
    sandbox.wa.customerSends({ from: CUSTOMER, name: 'Budi', text: 'Halo kak 😀 ä' });
    await until(() => handled.length === 1);
    expect(handled).toEqual([{ status: 200, from: CUSTOMER, text: 'Halo kak 😀 ä' }]);
    sandbox.wa.addFault({ kind: 'webhook_badly_signed' });
    sandbox.wa.customerSends({ from: CUSTOMER, text: 'kedua' });
    await until(() => handled.length === 3);
    expect(handled.slice(1)).toEqual([{ status: 401 }, { status: 200, from: CUSTOMER, text: 'kedua' }]);
  });

  it('sends text with context and opaque data, and receives sent, delivered and read for it', async () => {
    const quoted = sandbox.wa.customerSends({ from: CUSTOMER, text: 'ada?' });
    const answer = await client.sendMessage(NUMBER, CUSTOMER, new TextMessage('ada kak'), quoted, 'OUR-ID');
    const [sent] = sandbox.wa.store.shown(CUSTOMER);
    expect(answer).toEqual({
      messaging_product: 'whatsapp',
      contacts: [{ input: CUSTOMER, wa_id: CUSTOMER }],
      messages: [{ id: sent?.id }],
    });
    expect(sent).toMatchObject({ content: { body: 'ada kak' }, quotes: quoted, opaque: 'OUR-ID' });
    expect(sandbox.wa.personReads(CUSTOMER)).toBe(1);
    await until(() => handled.length === 4);
    expect(handled.slice(1)).toEqual(
      ['sent', 'delivered', 'read'].map((status_) => ({ status: 200, from: CUSTOMER, status_, opaque: 'OUR-ID' })),
    );
  });

  it('marks a message as read with the typing indicator', async () => {
    const id = sandbox.wa.customerSends({ from: CUSTOMER, text: 'halo' });
    expect(await client.markAsRead(NUMBER, id, 'text')).toEqual({ success: true });
    expect(sandbox.wa.store.readByBusiness).toEqual([{ id, typing: true }]);
  });

  it('uploads, looks up and downloads media', async () => {
    const form = new FormData();
    form.append('file', new Blob(['%PDF-1.7 harga'], { type: 'application/pdf' }), 'harga.pdf');
    const uploaded = (await client.uploadMedia(NUMBER, form)) as { id: string };
    const found = (await client.retrieveMedia(uploaded.id, NUMBER)) as { url: string };
    expect(found).toEqual({
      url: expect.stringContaining(sandbox.url),
      mime_type: 'application/pdf',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      file_size: 14,
      id: uploaded.id,
      messaging_product: 'whatsapp',
    });
    expect(await (await client.fetchMedia(found.url)).text()).toBe('%PDF-1.7 harga');
  });

  it('is refused in Meta’s error shape with a wrong token', async () => {
    expect(await clientWith('stolen').sendMessage(NUMBER, CUSTOMER, new TextMessage('halo'))).toEqual({
      error: {
        message: '(#190) Access token has expired',
        type: 'OAuthException',
        code: 190,
        error_data: { messaging_product: 'whatsapp', details: 'Invalid OAuth access token.' },
        fbtrace_id: expect.any(String),
      },
    });
  });
});
