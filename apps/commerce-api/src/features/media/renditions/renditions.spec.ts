import { readdir } from 'node:fs/promises';
import { silentLogger, uuidv7 } from '@platform/runtime';
import { useRunning } from '@platform/testing';
import sharp from 'sharp';
import { askOf, ownStore, type Ask } from '../../../asked.fixture';
import { startCommerce, useCommerce, type Commerce } from '../../../commerce.fixture';
import { MediaDisk } from '../storage/public';
import { startS3 } from '../storage/s3.server.fixture';
import type { PresignedUpload } from '../presign/presign.dto';
import type { Media } from '../uploads/public';
import { GIF, photo } from './photos.fixture';
import { Renditions } from './renditions';

const ALWAYS = 'public, max-age=31536000, immutable';

const uploaded = async (ask: Ask, bytes: Buffer, name = 'foto.jpg'): Promise<Media> => {
  const data = new FormData();
  data.append('purpose', 'product');
  data.append('file', new Blob([new Uint8Array(bytes)]), name);
  return (await ask<Media>('POST', '/upload', data)).body.data;
};
/** The path under which pages ask for sizes of a file: its store and its name, wherever its bytes lie. */
const pathOf = ({ url }: Media): string => `/blob/${(url ?? '').split('/').slice(-2).join('/')}`;

const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());
const shape = async (bytes: Buffer) => {
  const { format, width, height, exif, orientation } = await sharp(bytes).metadata();
  return { format, width, height, hidden: exif ?? orientation };
};
/** The colours on the left and on the right of what people see. */
const sides = async (bytes: Buffer): Promise<string[]> => {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const row = Math.floor(info.height / 2) * info.width;
  const at = (x: number) =>
    [...data.subarray((row + x) * 3, (row + x) * 3 + 3)].map((part) => (part > 127 ? 1 : 0)).join('');
  return [at(5), at(info.width - 6)];
};

const served = (commerceOf: () => Commerce): void => {
  const got = (path: string, headers: Record<string, string> = {}) =>
    fetch(commerceOf().url + path, { headers, redirect: 'manual' });
  const fresh = async (bytes: Buffer, name?: string) => {
    const { ask, storeId } = await ownStore(commerceOf());
    const media = await uploaded(ask, bytes, name);
    return { ask, storeId, media, path: pathOf(media) };
  };

  it.each([
    ['w160', 'webp', 160, 120],
    ['w640', 'webp', 640, 480],
    ['w1280', 'webp', 1280, 960],
    ['j640', 'jpeg', 640, 480],
  ])('comes as %s upright, small and without the place where it was taken', async (as, format, width, height) => {
    const { path } = await fresh(await photo());
    const answer = await got(`${path}?as=${as}`);
    const bytes = await bytesOf(answer);
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual([
      ...[200, `image/${format}`, ALWAYS],
    ]);
    expect(await shape(bytes)).toEqual({ format, width, height, hidden: undefined });
    expect(await sides(bytes)).toEqual(['100', '001']);
  });

  it('tells nobody where it was taken as it was uploaded either, by whichever way it came', async () => {
    const { ask, media } = await fresh(await photo());
    const bytes = await photo({ width: 800 });
    const announced = { filename: 'b.jpg', mime: 'image/jpeg', bytes: bytes.length, purpose: 'product' };
    const { url, headers } = (await ask<PresignedUpload>('POST', '/upload/presign', announced)).body.data;
    await fetch(url.replace('https://shop.example', commerceOf().url), {
      ...{ method: 'PUT', headers: headers as Record<string, string>, body: new Uint8Array(bytes) },
    });
    const all = (await ask<Media[]>('GET', '/upload')).body.data;
    expect(all).toHaveLength(2);
    for (const each of all) {
      const answer = await fetch((each.url ?? '').replace('https://shop.example', commerceOf().url));
      const shown = await bytesOf(answer);
      expect([answer.status, shown.includes('Telepon Sari'), (await sharp(shown).metadata()).orientation]).toEqual([
        ...[200, false, 6],
      ]);
      if (each.id === media.id) expect(shown).toHaveLength(media.bytes);
    }
  });

  it('is made once, is the same afterwards, and is not sent to a browser that has it', async () => {
    const { path } = await fresh(await photo({ type: 'png' }), 'foto.png');
    const [first, again] = [await got(`${path}?as=w320`), await got(`${path}?as=w320`)];
    expect(await bytesOf(again)).toEqual(await bytesOf(first));
    const known = await got(`${path}?as=w320`, { 'if-none-match': first.headers.get('etag') ?? '' });
    expect([known.status, known.headers.get('cache-control'), (await bytesOf(known)).length]).toEqual([304, ALWAYS, 0]);
  });

  it('is never larger than it was', async () => {
    const { path } = await fresh(await photo({ width: 200, height: 100, type: 'webp' }), 'kecil.webp');
    expect(await shape(await bytesOf(await got(`${path}?as=w640`)))).toMatchObject({ width: 200, height: 100 });
  });

  it('is gone with its original', async () => {
    const { ask, media, path } = await fresh(await photo());
    expect((await got(`${path}?as=w160`)).status).toBe(200);
    await ask('DELETE', `/upload/${media.id}`);
    expect((await got(`${path}?as=w160`)).status).toBe(404);
  });

  it('is not found under another store or another name, and a size that there is none of is refused', async () => {
    const { storeId, path } = await fresh(await photo());
    const foreign = path.replace(storeId, (await ownStore(commerceOf())).storeId);
    const paths = [`${foreign}?as=w160`, `/blob/${storeId}/${uuidv7()}.jpg?as=w160`, `${path}?as=w9999`];
    expect(await Promise.all(paths.map(async (each) => (await got(each)).status))).toEqual([404, 404, 422]);
  });

  it('of which nothing can be made comes as it is: one that moves, half of one, none at all', async () => {
    const whole = await photo();
    for (const bytes of [GIF, whole.subarray(0, whole.length / 2), Buffer.from('ffd8ffe0', 'hex')]) {
      const { path, media } = await fresh(bytes);
      // The second one is told without another try
      for (const answer of [await got(`${path}?as=w320`), await got(`${path}?as=w320`)]) {
        const location = answer.headers.get('location');
        const shown = location === null ? answer : await fetch(location);
        expect([shown.status, (await bytesOf(shown)).equals(bytes), location]).toEqual([
          ...[200, true, location === null ? null : media.url],
        ]);
      }
    }
  });
};

describe('a picture on a disk', () => {
  const commerce = useCommerce();
  served(() => commerce);

  it('has its sizes beside it: an old one too, and they go with it', async () => {
    const storeId = (await ownStore(commerce)).storeId;
    const ask = askOf(commerce)(storeId);
    const media = await uploaded(ask, await photo());
    const name = pathOf(media).split('/').at(-1) ?? '';
    const stem = name.split('.')[0] ?? '-';
    const beside = async () => (await readdir(commerce.mediaDir)).filter((each) => each.startsWith(stem)).sort();
    expect(await beside()).toEqual([name]);
    await Promise.all(['w160', 'w320', 'w160'].map((as) => fetch(`${commerce.url}${pathOf(media)}?as=${as}`)));
    expect(await beside()).toEqual([name, `${stem}.w160`, `${stem}.w320`].sort());
    await ask('DELETE', `/upload/${media.id}`);
    expect(await beside()).toEqual([]);
  });
});

describe('a picture in a bucket', () => {
  const s3 = useRunning(startS3);
  const commerce = useRunning(() => startCommerce(s3.settings));
  served(() => commerce);
});

describe('the making of pictures', () => {
  /** None of them is done before they are let go. */
  const halted = () => {
    const begun: string[] = [];
    let go: () => void = () => undefined;
    const done = new Promise<void>((resolve) => (go = resolve));
    const store = new MediaDisk('/nowhere');
    store.get = (key) => Promise.resolve(key.endsWith('.w160') ? undefined : Buffer.from(key));
    const sql = {
      query: (_: string, [id, [key]]: [string, string[]]) =>
        Promise.resolve([{ store_id: id, key, mime: 'image/jpeg' }]),
    };
    const make = async (bytes: Buffer) => {
      begun.push(bytes.toString());
      await done;
      throw new Error('enough');
    };
    const renditions = new Renditions({ sql: sql as never, store, logger: silentLogger, make });
    const ask = (of: string, key: string) =>
      renditions.serve({ store: of, key, as: 'w160' }, {}).catch(() => undefined);
    return { begun, go, ask };
  };

  it('takes two places at most, and one for each store; the same one is made once', async () => {
    const { begun, go, ask } = halted();
    const asked = [ask('A', 'a1.jpg'), ask('A', 'a1.jpg'), ask('A', 'a2.jpg'), ask('B', 'b1.jpg'), ask('C', 'c1.jpg')];
    await new Promise(setImmediate);
    expect(begun).toEqual(['a1.jpg', 'b1.jpg']);
    go();
    await Promise.all(asked);
    expect(begun.sort()).toEqual(['a1.jpg', 'a2.jpg', 'b1.jpg', 'c1.jpg']);
  });

  it('is not tried again of what nothing can be made of', async () => {
    const { begun, go, ask } = halted();
    go();
    await ask('A', 'a1.jpg');
    await ask('A', 'a1.jpg');
    expect(begun).toEqual(['a1.jpg']);
  });
});
