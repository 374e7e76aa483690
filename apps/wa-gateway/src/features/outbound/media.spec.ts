import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useRunning } from '@platform/testing';
import { invalid, queued, useGateway, until, type HttpReply } from '../../gateway.fixture';

const BUDI = '628123456789';
const JID = `${BUDI}@s.whatsapp.net`;
const MEGABYTE = 1024 * 1024;
const body = (head: Buffer | string, size = 2_000) => Buffer.concat([Buffer.from(head), randomBytes(size)]);
const FILES = {
  image: body(Buffer.from([0xff, 0xd8, 0xff, 0xe0])),
  video: body('\0\0\0\x18ftypmp42'),
  audio: body('ID3'),
  voice: body('OggS'),
  document: body('%PDF-1.7\n'),
  sticker: body('RIFF\0\0\0\0WEBP'),
} as const;
type Use = keyof typeof FILES;
const MIMETYPES = {
  image: 'image/jpeg',
  video: 'video/mp4',
  audio: 'audio/mpeg',
  voice: 'audio/ogg',
  document: 'application/pdf',
  sticker: 'image/webp',
} as const satisfies Record<Use, string>;

let hits = 0;
const shop = useRunning(async () => {
  const server = createServer((request, response) => {
    hits += 1;
    if (request.url?.startsWith('/away')) response.writeHead(302, { location: 'http://169.254.169.254/' }).end();
    else if (request.url?.startsWith('/broken')) response.writeHead(500).end();
    else response.end(FILES.image);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
});
const gateway = useGateway(() => ({ MEDIA_URL_ALLOW: `http://${shop.host}/` }));
beforeAll(async () => {
  await gateway.client.link('dev1');
  await gateway.client.data(gateway.client.post('/sim/phones', { nohp: BUDI, name: 'Budi' }));
});
beforeEach(() => gateway.receiver.reset());

const form = (fields: Record<string, string>, bytes?: Buffer, name = 'foto.bin') => {
  const data = new FormData();
  for (const [field, value] of Object.entries(fields)) data.append(field, value);
  if (bytes) data.append('file', new Blob([new Uint8Array(bytes)]), name);
  return data;
};
const upload = (path: string, data: FormData): Promise<HttpReply> =>
  gateway.client.get(path, { method: 'POST', body: data });
const sendFile = (type: string, bytes: Buffer, fields: object = {}) =>
  upload('/api/send-media', form({ number: BUDI, type, ...fields }, bytes));
const sendMedia = (fields: object) => gateway.client.post('/api/send-media', { number: BUDI, ...fields });
const dataOf = ({ body: answer }: HttpReply) => (answer as { data: Record<string, string> }).data;
const fileAt = async (url: string) => {
  const answer = await fetch(gateway.client.url + url);
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
};
interface Shown {
  id: string;
  content: { kind: string; caption?: string; media?: { key: string; mimetype: string; fileName?: string } };
}
const shown = (id: string) =>
  until(
    async () =>
      (await gateway.client.data<{ messages: Shown[] }>(gateway.client.get(`/sim/inbox?nohp=${BUDI}`))).messages.find(
        (message) => message.id === id,
      )?.content,
    (content) => content !== undefined,
  );
const refusal = (status: number, message: string, code: string, retryable = false) => ({
  status,
  body: { success: false, message, error: { code, retryable } },
});

describe('POST /api/send-media', () => {
  it.each(Object.keys(FILES) as Use[])('takes a form with a %s to the phone, byte by byte', async (type) => {
    const answer = await sendFile(type, FILES[type], { pesan_id: `F-${type}`, role: 'agent', filename: 'harga.pdf' });
    const { id, url } = dataOf(answer);
    expect(answer).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'success send media',
        data: queued(`F-${type}`, JID, {
          id,
          type,
          filename: 'harga.pdf',
          mimetype: MIMETYPES[type],
          size: FILES[type].length,
          url: expect.stringMatching(/^\/files\/[0-9a-f]{32}\.\w+$/),
        }),
      },
    });
    const content = await shown(id ?? '');
    expect(content?.kind).toBe(type);
    expect((await fileAt(`/files/${content?.media?.key}`)).bytes.equals(FILES[type])).toBe(true);
    expect(url).toBe(`/files/${content?.media?.key}`);
  });

  it('takes a URL, base64 or the name of a stored file alike', async () => {
    const first = dataOf(await sendMedia({ type: 'image', url: `http://${shop.host}/a.jpg`, caption: 'baru' }));
    const second = dataOf(await sendMedia({ type: 'image', base64: FILES.image.toString('base64') }));
    const third = dataOf(await sendMedia({ type: 'image', file: first.url?.slice('/files/'.length) }));
    expect((await shown(first.id ?? ''))?.caption).toBe('baru');
    for (const { url } of [first, second, third])
      expect((await fileAt(url ?? '')).bytes.equals(FILES.image)).toBe(true);
  });

  it('sends one pesan_id once, whatever address it comes from, and fetches nothing again', async () => {
    const fields = { type: 'image', pesan_id: 'ONCE', caption: 'sama' };
    const first = dataOf(await sendMedia({ ...fields, url: `http://${shop.host}/a.jpg?sig=1` }));
    const before = hits;
    const again = await sendMedia({ ...fields, url: `http://${shop.host}/a.jpg?sig=2` });
    expect(again.body).toEqual({
      success: true,
      message: 'message already accepted',
      data: { ...first, duplicate: true },
    });
    expect(hits).toBe(before);
    expect(await sendMedia({ ...fields, caption: 'lain', url: `http://${shop.host}/a.jpg` })).toEqual(
      refusal(422, 'pesan_id already used', 'CONFLICT'),
    );
  });

  it.each([
    ['nothing to send', { type: 'image' }, invalid('file', 'required', 'file is required')],
    ['two files', { type: 'image', file: 'a.jpg', base64: 'AAAA' }, invalid('file', 'format', 'file is not valid')],
    ['a name that is not stored', { type: 'image', file: 'a.jpg' }, invalid('file', 'format', 'file is not valid')],
    ['a way out of the folder', { type: 'image', file: '../x' }, invalid('file', 'format', 'file is not valid')],
    ['what is no base64', { type: 'image', base64: '???' }, invalid('base64', 'format', 'base64 is not valid')],
    [
      'a private address',
      { type: 'image', url: 'http://10.0.0.1/a.jpg' },
      invalid('url', 'format', 'url is not valid'),
    ],
    [
      'a text that says it is a picture',
      { type: 'image', base64: Buffer.from('halo').toString('base64') },
      refusal(415, 'media type not supported', 'MEDIA_TYPE'),
    ],
  ])('refuses %s', async (_, fields, expected) => expect(await sendMedia(fields)).toEqual(expected));

  it('refuses an address that leads to a private one, and says when a host is broken', async () => {
    expect(await sendMedia({ type: 'image', url: `http://${shop.host}/away` })).toEqual(
      invalid('url', 'format', 'url is not valid'),
    );
    expect(await sendMedia({ type: 'image', url: `http://${shop.host}/broken` })).toEqual(
      refusal(502, 'media download failed', 'ENGINE', true),
    );
  });

  it('refuses what is larger than WhatsApp takes', async () => {
    expect(await sendFile('sticker', body('RIFF\0\0\0\0WEBP', MEGABYTE))).toEqual(
      refusal(413, 'file too large', 'TOO_LARGE'),
    );
  });

  it('echoes the file to the receiver when asked', async () => {
    const { receiver } = gateway;
    await sendFile('image', FILES.image, { echo: 'true', pesan_id: 'ECHO', caption: 'gema' });
    await until(
      () => receiver.messages().length,
      (count) => count === 1,
    );
    const [{ fields, file }] = receiver.messages() as [ReturnType<typeof receiver.messages>[number]];
    expect(fields).toMatchObject({ fromMe: 'true', type: 'image', caption: 'gema' });
    expect(file?.bytes.equals(FILES.image)).toBe(true);
  });
});

describe('POST /api/send-location', () => {
  it('takes a location to the phone', async () => {
    const place = { latitude: '-6.2', longitude: 106.8, locationName: 'Kantor', locationAddress: 'Jl. Sudirman 1' };
    const answer = await gateway.client.post('/api/send-location', { number: BUDI, pesan_id: 'L-1', ...place });
    const { id } = dataOf(answer);
    expect(answer).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'success send location',
        data: queued('L-1', JID, { id }),
      },
    });
    expect(await shown(id ?? '')).toEqual({
      kind: 'location',
      latitude: -6.2,
      longitude: 106.8,
      name: 'Kantor',
      address: 'Jl. Sudirman 1',
    });
    const again = await gateway.client.post('/api/send-location', { number: BUDI, pesan_id: 'L-1', ...place });
    expect(dataOf(again)).toEqual({ ...dataOf(answer), duplicate: true });
  });
});
