import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { safeDownload } from '@platform/http';
import { until } from '@platform/testing';
import type { Deps } from '../../app';
import { startChat, type Chat } from '../../chat.fixture';
import { previewOf } from './send-kinds';

const PHONE = '628100000001';
const REF = { nohp: PHONE, instance: 'dev1', team: '3' };
const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from('a picture')]);
const BYTES = {
  jpg: JPEG,
  mp4: Buffer.from('\0\0\0\x18ftypmp42 a film'),
  pdf: Buffer.from('%PDF-1.7 a document'),
  ogg: Buffer.from('OggS a voice'),
  exe: Buffer.from('MZ a program'),
} as const;
const dataUri = (kind: keyof typeof BYTES) => `data:application/octet-stream;base64,${BYTES[kind].toString('base64')}`;

let chat: Chat;
let shop: Server;
let shopUrl: string;
beforeAll(async () => {
  shop = createServer((request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end();
    else if (request.url === '/gone') response.writeHead(404).end();
    else response.end(BYTES[(request.url?.split('.').at(-1) ?? 'jpg') as keyof typeof BYTES]);
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(shop.address() as AddressInfo).port}`;
  shopUrl = 'https://toko-nusa.example';
  // The one name that stands for the world; whatever it leads to is checked as always
  const download: Deps['download'] = (url, target, options) =>
    safeDownload(url.replace(shopUrl, `http://${host}`), target, { ...options, allow: [`http://${host}/`] });
  chat = await startChat({ download, environment: { MEDIA_INTERNAL_URL: 'http://chat.internal' } });
  await chat.inbound({ number: `${PHONE}@s.whatsapp.net`, id: 'ASK', text: 'ada stok?' });
});
afterAll(async () => {
  await chat.stop();
  shop.close();
});

let sends = 0;
interface Answer {
  result: boolean;
  message: string;
  data: Record<string, unknown>;
  chat_list: Record<string, unknown>;
}
const send = async (kind: string, fields: object, variant = '') => {
  const pesan_id = `K${++sends}`;
  const answer = await chat.post(`/v1/send_${kind}${variant}`, { ...REF, pesan_id, ...fields });
  return { ...answer, pesan_id, body: answer.body as Answer };
};
const reached = (pesanId: string) =>
  until(async () => chat.gateway.calls.find((call) => call.pesanId === pesanId)) as Promise<object>;
const violations = (...errors: { field: string; tag: string; message: string }[]) => ({
  status: 422,
  body: { errors },
});

const KINDS: [kind: string, fields: object, record: object, call: object, preview: string][] = [
  [
    'image',
    { file: dataUri('jpg'), caption: 'baru' },
    { type: 'image', caption: 'baru', pesan: null, mimetype: 'image/jpeg', filename: 'image.jpg', size: JPEG.length },
    { type: 'image', caption: 'baru' },
    'baru',
  ],
  [
    'video',
    { file: dataUri('mp4') },
    { type: 'video', mimetype: 'video/mp4', filename: 'video.mp4' },
    { type: 'video' },
    '[video]',
  ],
  [
    'document',
    { file: dataUri('pdf'), filename: 'harga.pdf' },
    { type: 'document', mimetype: 'application/pdf', filename: 'harga.pdf' },
    { type: 'document', filename: 'harga.pdf' },
    '[dokumen]',
  ],
  ['audio', { file: dataUri('ogg') }, { type: 'audio', mimetype: 'audio/ogg' }, { type: 'audio' }, '[audio]'],
  ['audio', { file: dataUri('ogg'), ptt: true }, { type: 'audio' }, { type: 'voice' }, '[audio]'],
  [
    'link',
    { url: 'https://toko.example/sepatu', pesan: 'Ini kak' },
    { type: 'extendedtext', pesan: 'Ini kak\nhttps://toko.example/sepatu', matchedText: 'https://toko.example/sepatu' },
    { text: 'Ini kak\nhttps://toko.example/sepatu' },
    'Ini kak\nhttps://toko.example/sepatu',
  ],
  [
    'location',
    { latitude: '-6.2', longitude: '106.8', locationName: 'Kantor', locationAddress: 'Jl. Sudirman 1' },
    {
      type: 'location',
      latitude: '-6.2',
      longitude: '106.8',
      locationName: 'Kantor',
      locationAddress: 'Jl. Sudirman 1',
    },
    { latitude: '-6.2', longitude: '106.8', locationName: 'Kantor', locationAddress: 'Jl. Sudirman 1' },
    'Kantor',
  ],
];

describe.each(['', '_admin', '_crm'])('every kind of send, as send_…%s', (variant) => {
  it.each(KINDS)('%s', async (kind, fields, record, call, preview) => {
    const { status, body, pesan_id } = await send(kind, { ...fields, quoteMsg: 'ASK' }, variant);
    expect({ status, message: body.message }).toEqual({ status: 200, message: `success send ${kind}` });
    expect(body.data).toMatchObject({ ...record, pesan_id, fromMe: true, status_ack: 'pending', quoteMsg: 'ASK' });
    expect(body.chat_list).toMatchObject({ last_pesan: preview, last_pesan_id: pesan_id, last_type: body.data.type });
    const { url, ...sent } = (await reached(pesan_id)) as { url?: string };
    const number = kind === 'location' ? {} : { quotedId: 'ASK' };
    expect(sent).toEqual({
      pesanId: pesan_id,
      role: 'agent',
      instance: 'dev1',
      number: PHONE,
      quotedId: 'ASK',
      ...number,
      ...call,
    });
    expect(typeof url).toBe('file' in fields ? 'string' : 'undefined');
  });
});

describe('a file that is sent', () => {
  it('is given to the gateway as a link of its own to the same bytes, whole or by range', async () => {
    const { body, pesan_id } = await send('image', { url: `${shopUrl}/sepatu%20%ff.jpg` });
    expect(body.data).toMatchObject({ filename: 'sepatu%20%ff.jpg', mimetype: 'image/jpeg' });
    const { url } = (await reached(pesan_id)) as { url: string };
    expect(url).toMatch(/^http:\/\/chat\.internal\/media\//);
    const path = url.slice(url.indexOf('/media/'));
    const answer = await fetch(chat.url + path);
    expect(Buffer.from(await answer.arrayBuffer()).equals(JPEG)).toBe(true);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-disposition': 'attachment',
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
    });
    const part = await fetch(chat.url + path, { headers: { range: 'bytes=4-5' } });
    expect([part.status, await part.text()]).toEqual([206, 'a ']);
    expect((await fetch(`${chat.url}${path.split('?')[0]}`)).status).toBe(404);
  });

  it('is fetched once however often the send is repeated', async () => {
    const first = await send('image', { url: `${shopUrl}/sepatu.jpg`, pesan_id: 'REPEAT' });
    const again = await send('image', { url: `${shopUrl}/gone`, pesan_id: 'REPEAT' });
    expect(again.body.data.chatInboxId).toBe(first.body.data.chatInboxId);
  });

  it.each([
    ['a private address', { url: 'https://10.0.0.8/a.jpg' }],
    ['a metadata address', { url: 'https://169.254.169.254/latest' }],
    ['plain http to a host that nobody allowed', { url: 'http://8.8.8.8/a.jpg' }],
  ])('%s is refused', async (_, fields) =>
    expect(await send('image', fields)).toMatchObject(
      violations({ field: 'url', tag: 'url', message: 'url must be an https address that is not private' }),
    ),
  );

  it('behind a redirect to a metadata address is refused, and a missing one is named', async () => {
    expect(await send('image', { url: `${shopUrl}/away` })).toMatchObject(
      violations({ field: 'url', tag: 'url', message: 'url must be an https address that is not private' }),
    );
    expect(await send('image', { url: `${shopUrl}/gone` })).toMatchObject(
      violations({ field: 'url', tag: 'url', message: 'url could not be fetched: the host answered 404' }),
    );
  });

  it.each([
    [
      'of another kind',
      'image',
      { file: dataUri('exe') },
      {
        field: 'file',
        tag: 'mimetype',
        message: 'file must be of the kind image, its content is application/x-msdownload',
      },
    ],
    [
      'that is no data URI',
      'image',
      { file: 'halo' },
      { field: 'file', tag: 'datauri', message: 'file must contain a valid Data URI' },
    ],
    [
      'without a name for a document',
      'document',
      { file: dataUri('pdf') },
      { field: 'filename', tag: 'required', message: 'filename is a required field' },
    ],
  ])('%s is refused', async (_, kind, fields, violation) =>
    expect(await send(kind, fields)).toMatchObject(violations(violation)),
  );

  it.each([
    ['neither address nor file', {}],
    ['both', { url: 'https://toko.example/a.jpg', file: dataUri('jpg') }],
  ])('422 for %s', async (_, fields) =>
    expect(await send('image', fields)).toMatchObject(
      violations(
        { field: 'url', tag: 'required_without', message: 'url is a required field' },
        { field: 'file', tag: 'required_without', message: 'file is a required field' },
      ),
    ),
  );

  it('of more than 25 MB is too large', async () => {
    const file = `data:image/jpeg;base64,${Buffer.concat([JPEG, Buffer.alloc(25 * 1024 * 1024)]).toString('base64')}`;
    expect(await send('image', { file })).toMatchObject({ status: 413, body: { error: 'file too large' } });
  });
});

it.each([
  ['latitude', 'latitude must contain valid latitude coordinates', { latitude: '91', longitude: '0' }],
  ['longitude', 'longitude must contain a valid longitude coordinates', { latitude: '0', longitude: '181' }],
])('422 names %s', async (field, message, fields) =>
  expect(await send('location', fields)).toMatchObject(violations({ field, tag: field, message })),
);

describe('what nobody sees', () => {
  const UNSEEN = '\u200b\u2060 \u202e';

  it('is no caption, and a file that is called so has the name of its kind', async () => {
    for (const kind of ['image', 'document']) {
      const bytes = dataUri(kind === 'image' ? 'jpg' : 'pdf');
      const { status, body, pesan_id } = await send(kind, { file: bytes, caption: UNSEEN, filename: UNSEEN });
      const filename = kind === 'image' ? 'image.jpg' : 'document.pdf';
      expect([status, body.data]).toMatchObject([200, { caption: null, filename }]);
      expect(await reached(pesan_id)).not.toHaveProperty('caption', UNSEEN);
    }
  });

  it('stands above no link, and names no place', async () => {
    const { body } = await send('link', { url: 'https://toko.example/x', pesan: UNSEEN, title: UNSEEN });
    expect(body.data).toMatchObject({ pesan: 'https://toko.example/x' });
    const place = await send('location', { latitude: '-6.2', longitude: '106.8', locationName: UNSEEN });
    expect([place.body.data.locationName, place.body.chat_list.last_pesan]).toEqual([null, '[lokasi]']);
  });

  it.each(['message', 'express'])('is no text of send_%s', async (kind) =>
    expect(await send(kind, { pesan: UNSEEN })).toMatchObject({ status: 422, body: { errors: [{ field: 'pesan' }] } }),
  );

  it('stays no caption where express takes it from the text', async () => {
    const { body } = await send('express', { type: 'image', file: dataUri('jpg'), pesan: UNSEEN });
    expect(body.data).toMatchObject({ type: 'image', caption: null });
  });
});

it('the chat list shows what there is to show of a message', () =>
  expect([previewOf({ type: 'image' }), previewOf({ type: 'chat', text: 'x'.repeat(300) }).length]).toEqual([
    '[gambar]',
    200,
  ]));
