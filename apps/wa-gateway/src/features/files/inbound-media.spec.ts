import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { EngineFileLost } from '../../engines/engine.errors';
import { useGateway, until } from '../../gateway.fixture';

const BUDI = '628123456789';
const MEGABYTE = 1024 * 1024;
const gateway = useGateway({ FILES_BASE_URL: 'http://files.example' });
beforeAll(async () => {
  await gateway.client.link('dev1');
  await gateway.client.data(gateway.client.post('/sim/phones', { nohp: BUDI, name: 'Budi' }));
});
beforeEach(() => gateway.receiver.reset());

const picture = (size: number) =>
  Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), randomBytes(Math.max(0, size - 4))]);
const customerSends = async (bytes: Buffer, name: string, text?: string) => {
  const data = new FormData();
  for (const [field, value] of Object.entries({ from: BUDI, to: 'dev1', ...(text ? { text } : {}) }))
    data.append(field, value);
  data.append('file', new Blob([new Uint8Array(bytes)]), name);
  return gateway.client.data(gateway.client.get('/sim/messages', { method: 'POST', body: data }));
};
const received = async (count: number) => {
  await until(
    () => gateway.receiver.messages().length,
    (taken) => taken >= count,
  );
  return gateway.receiver.messages();
};
const rawOf = (fields: Record<string, string>) => JSON.parse(fields.rawMessage ?? '') as Record<string, unknown>;
const stored = async (fileUrl: unknown) =>
  Buffer.from(await (await fetch(String(fileUrl).replace('http://files.example', gateway.client.url))).arrayBuffer());

describe('a file of a customer', () => {
  it.each([
    ['image', 'foto.jpg', picture(3_000), 'image/jpeg'],
    ['video', 'film.mp4', Buffer.from('\0\0\0\x18ftypmp42 film'), 'video/mp4'],
    ['audio', 'suara.ogg', Buffer.from('OggS suara'), 'audio/ogg'],
    ['document', 'harga.pdf', Buffer.from('%PDF-1.7 harga'), 'application/pdf'],
  ])('of kind %s travels as the part file, byte by byte', async (type, name, bytes, mimetype) => {
    await customerSends(bytes, name, 'ini kak');
    const [callback] = await received(1);
    expect(callback?.fields).toMatchObject({ type, caption: 'ini kak', report: 'false' });
    expect(callback?.fields.text).toBeUndefined();
    // Only documents have names on WhatsApp; others get that of the stored file
    const fileName = type === 'document' ? name : (expect.stringMatching(/^[0-9a-f]{32}\.\w+$/) as string);
    expect(callback?.file).toEqual({ name: fileName, type: mimetype, bytes });
    const { fileUrl, ...raw } = rawOf(callback?.fields ?? {});
    expect(raw).toMatchObject({ mimetype, fileName, fileSize: bytes.length });
    expect((await stored(fileUrl)).equals(bytes)).toBe(true);
  });

  it('of exactly 16 MB travels as the part, one byte more only as fileUrl', async () => {
    const [largest, larger] = [picture(16 * MEGABYTE), picture(16 * MEGABYTE + 1)];
    await customerSends(largest, 'a.jpg');
    await customerSends(larger, 'b.jpg');
    const [first, second] = await received(2);
    expect(first?.file?.bytes.equals(largest)).toBe(true);
    expect(second?.file).toBeUndefined();
    expect((await stored(rawOf(second?.fields ?? {}).fileUrl)).equals(larger)).toBe(true);
  });

  it('goes once more without the part to a receiver that finds it too large', async () => {
    gateway.receiver.answer = ({ file }) => (file ? { status: 413 } : { body: { result: true } });
    await customerSends(picture(100), 'c.jpg');
    const [taken] = await received(1);
    expect(gateway.receiver.calls.map(({ file }) => file !== undefined)).toEqual([true, false]);
    expect(rawOf(taken?.fields ?? {}).fileUrl).toEqual(
      expect.stringMatching(/^http:\/\/files\.example\/files\/[0-9a-f]{32}\.jpg$/),
    );
  });

  it('keeps the order of its chat', async () => {
    for (let n = 0; n < 5; n++) {
      await customerSends(picture(100), `${n}.jpg`, `gambar ${n}`);
      await gateway.client.customer(BUDI, 'dev1', `teks ${n}`);
    }
    const words = (await received(10)).map(({ fields }) => fields.text ?? fields.caption);
    expect(words).toEqual(Array.from({ length: 5 }, (_, n) => [`gambar ${n}`, `teks ${n}`]).flat());
  });
});

describe('a file that cannot be had', () => {
  const waitingRow = async (chat: string) => {
    const { database } = gateway;
    const callback = {
      instanceID: 'dev1',
      result: true,
      report: false,
      number: chat,
      id: chat,
      type: 'image',
      rawMessage: '{}',
    };
    const payload = { callback, awaits: { key: 'remote', mimetype: 'image/jpeg', fileName: 'r.jpg' } };
    const [row] = await database.query<{ id: string }>(
      `SELECT outbox_enqueue($1, $2, 'callback', NULL, $3, NULL, true) AS id`,
      [`dev1|${chat}|m`, gateway.receiver.url, JSON.stringify(payload)],
    );
    return { id: row?.id ?? '', payload };
  };

  it('is tried again, and a row that a crash left waiting is taken up', async () => {
    let tries = 0;
    await waitingRow('628777000001@s.whatsapp.net');
    const waiting = (seconds: number) => gateway.app.media.withWaiting(['dev0', 'dev1', 'dev10'], seconds);
    expect([await waiting(0), await waiting(90)]).toEqual([['dev1'], []]);
    await gateway.app.media.resume('dev1', {
      fetchMedia: async () => {
        tries += 1;
        if (tries === 1) throw new Error('not now');
        return Readable.from([picture(50)]);
      },
    });
    const [callback] = await received(1);
    expect(tries).toBe(2);
    expect(callback?.file).toMatchObject({ name: 'r.jpg', type: 'image/jpeg' });
  });

  it('that nobody can ever have is said to be lost, and is not tried again', async () => {
    await waitingRow('628777000002@s.whatsapp.net');
    const fetchMedia = jest.fn(() => Promise.reject(new EngineFileLost('no such path')));
    await gateway.app.media.resume('dev1', { fetchMedia });
    const [callback] = await received(1);
    expect(callback?.file).toBeUndefined();
    expect(rawOf(callback?.fields ?? {})).toEqual({ mediaError: 'the file could not be downloaded' });
    expect(fetchMedia).toHaveBeenCalledTimes(1);
    expect(await gateway.database.query('SELECT 1 FROM late_file')).toEqual([]);
  });
});
