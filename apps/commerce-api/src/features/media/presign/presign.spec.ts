import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { silentLogger, uuidv7 } from '@platform/runtime';
import { caller, until, useRunning } from '@platform/testing';
import { invalid, notHere, ownStore, refused, succeeded, type Ask, type OwnStore } from '../../../asked.fixture';
import { newApiToken, newMember, startCommerce } from '../../../commerce.fixture';
import { startSecondProcess } from '../../../second-process.fixture';
import { MediaSweep } from '../sweep/media.sweep';
import { MediaDisk } from '../storage/public';
import { MediaArrivals, type Media } from '../uploads/public';
import type { PresignedUpload } from './presign.dto';

const SECRET = { PAY_LINK_SECRET: 'a secret of links' };
const commerce = useRunning(() => startCommerce(SECRET));
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const announced = { filename: 'sepatu.png', mime: 'image/png', bytes: PNG.length, purpose: 'product' };
const expired = refused(410, 'expired', 'The link has expired or was withdrawn');
const wrongType = refused(415, 'unsupported_media', 'A file of this type is not accepted here');
const uploaded = refused(409, 'uploaded', 'The file has arrived already');
const tooLarge = refused(413, 'too_large', 'file too large');

const presign = async (ask: Ask, more: object = {}): Promise<PresignedUpload> =>
  (await ask<PresignedUpload>('POST', '/upload/presign', { ...announced, ...more })).body.data;
const pathOf = (url: string | null): string => new URL(url ?? '').pathname;
const put = async (url: string, body: BodyInit = PNG as never, type = 'image/png') => {
  const headers = { 'content-type': type };
  const answer = await fetch(commerce.url + pathOf(url), { method: 'PUT', body, headers });
  const text = await answer.text();
  return { status: answer.status, body: text === '' ? null : (JSON.parse(text) as unknown) };
};
const arrived = { status: 204, body: null };
const library = async (ask: Ask): Promise<Media[]> => (await ask<Media[]>('GET', '/upload')).body.data;
const used = (storeId: string) =>
  commerce.database.query('SELECT metric, used FROM plan_use WHERE store_id = $1 ORDER BY metric', [storeId]);
const onDisk = (): Promise<string[]> => readdir(commerce.mediaDir);

describe('an upload that is announced', () => {
  it('gets a link that takes the file, which is in the library from then on and served as it came', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const answer = await ask<PresignedUpload>('POST', '/upload/presign', announced);
    const any = expect.any(String) as string;
    expect(answer).toEqual(
      succeeded(201, 'Upload created', {
        ...{ media_id: any, method: 'PUT', headers: { 'Content-Type': 'image/png' } },
        url: expect.stringMatching(/^https:\/\/shop\.example\/blob\/[\w-]+\.[\w-]{43}$/) as string,
        expires_at: '2026-03-01T08:15:00.000Z',
      }),
    );
    expect(await library(ask)).toEqual([]);
    const { media_id: id, url } = answer.body.data;
    expect(await put(url)).toEqual(arrived);
    const [media] = await library(ask);
    expect(media).toEqual({
      ...{ id, name: 'sepatu.png', mime: 'image/png', bytes: PNG.length, width: null, height: null, refs: 0 },
      ...{ purpose: 'product', created_at: '2026-03-01T08:00:00.000Z' },
      url: expect.stringMatching(`^https://shop.example/blob/${storeId}/[0-9a-f-]{36}.png$`) as string,
    });
    const served = await fetch(commerce.url + pathOf(media?.url ?? null));
    expect(Buffer.from(await served.arrayBuffer())).toEqual(PNG);
    const [row] = await commerce.database.query('SELECT sha256 FROM media WHERE store_id = $1', [storeId]);
    expect(row).toEqual({ sha256: createHash('sha256').update(PNG).digest('hex') });
    expect(await used(storeId)).toEqual([
      { metric: 'files', used: 1 },
      { metric: 'storage', used: 1 },
    ]);
  });

  it('is nothing before it has come: it is not shown, held, listed or served', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const { media_id } = await presign(ask);
    const product = await ask<{ id: string }>('POST', '/products', { name: 'Topi', price: 1, weight_g: 1 });
    expect(await ask('POST', `/products/${product.body.data.id}/images`, { media_ids: [media_id] })).toEqual(
      notHere('media_ids[0]', 'is not a product picture of this store'),
    );
    const [row] = await commerce.database.query<{ key: string }>('SELECT key FROM media WHERE id = $1', [media_id]);
    expect((await fetch(`${commerce.url}/blob/${storeId}/${row?.key}`)).status).toBe(404);
    expect(await ask('DELETE', `/upload/${media_id}`)).toEqual(succeeded(200, 'File deleted', null));
    expect(await used(storeId)).toEqual([
      { metric: 'files', used: 0 },
      { metric: 'storage', used: 0 },
    ]);
  });

  it.each([
    ['a type that the purpose does not have', { mime: 'application/pdf' }, wrongType],
    ['SVG', { mime: 'image/svg+xml' }, wrongType],
    ['a type with more behind it', { mime: 'video/mp4\r\nX', purpose: 'message' }, wrongType],
    ['HTML that is sold', { mime: 'text/html', purpose: 'digital' }, wrongType],
    ['a program that is sold', { mime: 'application/x-msdownload', purpose: 'digital' }, wrongType],
    ['a picture beyond ten megabytes', { bytes: 10 * 1024 * 1024 + 1 }, tooLarge],
    ['a download beyond 200 MB', { mime: 'video/mp4', bytes: 200 * 1024 * 1024 + 1, purpose: 'digital' }, tooLarge],
    ['no bytes', { bytes: 0 }, invalid('bytes', 'bytes must be 1 or greater')],
    [
      'U+0000 in its name',
      { filename: 'a\0.png' },
      invalid('filename', `filename cannot contain the following 'U+0000'`),
    ],
  ])('of %s is refused, and takes no place', async (_, more, refusal) => {
    const { ask, storeId } = await ownStore(commerce);
    expect(await ask('POST', '/upload/presign', { ...announced, ...more })).toEqual(refusal);
    const taken = (await used(storeId)) as { used: number }[];
    expect(taken.filter((row) => row.used > 0)).toEqual([]);
  });

  it('under a name like a path is shown as it was called, and lies under a name of ours', async () => {
    const { ask } = await ownStore(commerce);
    const filename = '../../../etc/passwd\u202e\n.png';
    expect(await put((await presign(ask, { filename })).url)).toEqual(arrived);
    const [media] = await library(ask);
    expect(media?.name).toBe('../../../etc/passwd\u202e.png');
    expect(await onDisk()).toContain(
      pathOf(media?.url ?? null)
        .split('/')
        .at(-1),
    );
  });
});

describe('the link of an announced upload', () => {
  let store: OwnStore;
  beforeAll(async () => {
    store = await ownStore(commerce);
  });

  it.each([
    ['another Content-Type', PNG, 'image/jpeg', wrongType],
    ['another type under the Content-Type that was said', Buffer.from('<!doctype html>1'), 'image/png', wrongType],
    ['an SVG under it', Buffer.from('<svg onload="1"/'), 'image/png', wrongType],
    ['more bytes than said', Buffer.concat([PNG, PNG]), 'image/png', tooLarge],
    [
      'fewer bytes than said',
      PNG.subarray(0, 15),
      'image/png',
      refused(400, 'malformed', 'the file has 15 bytes instead of 16'),
    ],
  ])('takes no file of %s, and the right one afterwards', async (_, bytes, type, refusal) => {
    const { media_id, url } = await presign(store.ask);
    expect(await put(url, bytes as never, type)).toEqual(refusal);
    expect((await library(store.ask)).map(({ id }) => id)).not.toContain(media_id);
    expect((await onDisk()).filter((name) => name.endsWith('.part'))).toEqual([]);
    expect(await put(url)).toEqual(arrived);
  });

  it('takes the file once; of ten at the same moment one, and the file is whole', async () => {
    const { ask } = await ownStore(commerce);
    const { url } = await presign(ask);
    const answers = await Promise.all(Array.from({ length: 10 }, () => put(url)));
    expect(answers.filter(({ status }) => status === 204)).toEqual([arrived]);
    expect(answers.filter(({ status }) => status !== 204)).toEqual(Array(9).fill(uploaded));
    expect(await put(url)).toEqual(uploaded);
    const [media] = await library(ask);
    const key =
      pathOf(media?.url ?? null)
        .split('/')
        .at(-1) ?? '';
    expect(await readFile(join(commerce.mediaDir, key))).toEqual(PNG);
    expect((await onDisk()).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('opens nothing after a quarter of an hour', async () => {
    const { url } = await presign(store.ask);
    commerce.clock.advance(15 * 60_000);
    const late = await put(url);
    commerce.clock.advance(-15 * 60_000);
    expect(late).toEqual(expired);
  });

  it('opens nothing when anything of it is changed, and only by PUT', async () => {
    const { url } = await presign(store.ask);
    const [claim = '', signature = ''] = pathOf(url).split('/').at(-1)?.split('.') ?? [];
    const told = Buffer.from(claim, 'base64url').toString();
    const forged = [
      `${Buffer.from(told.replace(store.storeId, 'S1')).toString('base64url')}.${signature}`,
      `${Buffer.from(told.replace('PUT', 'GET')).toString('base64url')}.${signature}`,
      `${claim}.${signature.slice(1)}A`,
      `${claim}.`,
      `.${signature}`,
      claim,
      'x'.repeat(3_000),
      '..%2f..%2fetc',
      '%00',
    ];
    for (const token of forged) expect(await put(`https://shop.example/blob/${token}`)).toEqual(expired);
    const read = await fetch(commerce.url + pathOf(url));
    expect(read.status).toBe(410);
    expect(await put(url)).toEqual(arrived);
  });

  it('is as good as the right of who asked for it: a member who has gone, or a token that was revoked, brings nothing', async () => {
    const { storeId } = store;
    const { userId, token } = await newMember(commerce, storeId, 'admin');
    const script = await newApiToken(commerce, storeId, { abilities: ['upload.write'], maker: userId });
    const links: string[] = [];
    for (const by of [token, script.token]) {
      const { body } = await commerce.call('POST', '/api/upload/presign', by, announced);
      links.push((body as { data: PresignedUpload }).data.url);
    }
    await commerce.database.query(
      `UPDATE membership SET system_role = 'finance' WHERE store_id = $1 AND user_id = $2`,
      [storeId, userId],
    );
    for (const url of links) expect(await put(url)).toEqual(expired);
    await commerce.database.query('DELETE FROM membership WHERE store_id = $1 AND user_id = $2', [storeId, userId]);
    for (const url of links) expect(await put(url)).toEqual(expired);
  });

  it('of an upload that was deleted, or of a store that is suspended, opens nothing', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const [gone, kept] = [await presign(ask), await presign(ask)];
    await ask('DELETE', `/upload/${gone.media_id}`);
    expect(await put(gone.url)).toEqual(expired);
    await commerce.database.query(`UPDATE store SET status = 'suspended' WHERE store_id = $1`, [storeId]);
    expect(await put(kept.url)).toEqual(expired);
  });
});

it('a link made by one process takes its file at another, also when the first was killed while the file came; what that left is swept', async () => {
  const { ask, storeId } = await ownStore(commerce);
  const { database, mediaDir, storeAuth } = commerce;
  const parts = async () => (await onDisk()).filter((name) => name.endsWith('.part'));
  const second = await startSecondProcess(commerce, { ...SECRET, MEDIA_DIR: mediaDir });
  // Its clock is the real one
  const token = storeAuth.userToken({ store_id: storeId }, 10 * 365 * 86_400);
  const links = await Promise.all(
    [1, 2].map(async () => {
      const answer = await caller(second.url)('/api/upload/presign', { method: 'POST', token, body: announced });
      return (answer.body as { data: PresignedUpload }).data.url;
    }),
  );
  const [whole = '', cut = ''] = links.map((url) => `https://shop.example${url}`);
  expect(await put(whole)).toEqual(arrived);
  const socket = connect(Number(new URL(second.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  const head = `PUT ${pathOf(cut)} HTTP/1.1\r\nHost: x\r\nContent-Type: image/png\r\nContent-Length: ${PNG.length}\r\n\r\n`;
  socket.write(Buffer.concat([Buffer.from(head), PNG.subarray(0, 8)]));
  await until(async () => (await parts()).length === 1);
  await second.stop('SIGKILL');
  expect(await parts()).toHaveLength(1);
  expect(await put(cut)).toEqual(arrived);
  const clock = { now: () => new Date(Date.now() + 2 * 86_400_000) };
  const store = new MediaDisk(mediaDir);
  const arrivals = new MediaArrivals({ database, store });
  await new MediaSweep({ database, store, arrivals, clock, logger: silentLogger }).strays();
  const keys = (await library(ask)).map(({ url }) => pathOf(url).split('/').at(-1) ?? '');
  const left = await onDisk();
  expect([keys.length, keys.filter((key) => !left.includes(key)), await parts()]).toEqual([2, [], []]);
});

it("an upload of another store's id is announced to nobody", async () => {
  const [mine, other] = [await ownStore(commerce), await ownStore(commerce)];
  const { media_id } = await presign(other.ask);
  expect((await mine.ask('DELETE', `/upload/${media_id}`)).status).toBe(404);
  expect((await mine.ask('DELETE', `/upload/${uuidv7()}`)).status).toBe(404);
});
