import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { Redirect, type Binary } from '@platform/http';
import { uuidv7 } from '@platform/runtime';
import type { ObjectStore } from './object.store';
import { putBytes } from './put.bytes';

const BYTES = Buffer.from('0123456789');
const tomorrow = () => new Date(Date.now() + 86_400_000);

/** What a browser reads in the end. */
const bytesIn = async (value: Binary | Redirect): Promise<Buffer> => {
  if (value instanceof Redirect) return Buffer.from(await (await fetch(value.location)).arrayBuffer());
  return Buffer.isBuffer(value.bytes) ? value.bytes : buffer(value.bytes as NodeJS.ReadableStream);
};

/** The store under test, and a folder from which files are put there. */
class Tried {
  store!: ObjectStore;
  folder = '';

  key(audience: 'all' | 'some' = 'some'): string {
    return this.store.keyFor({ storeId: 'S-1', extension: 'txt', audience });
  }

  async put(name = this.key(), bytes = BYTES): Promise<string> {
    const path = join(this.folder, uuidv7());
    await writeFile(path, bytes);
    await this.store.put(name, path, 'text/plain');
    return name;
  }

  async lying(before: Date): Promise<string[]> {
    const keys: string[] = [];
    for await (const portion of this.store.lyingSince(before)) keys.push(...portion);
    return keys;
  }
}

const keeping = (tried: Tried): void => {
  it.each(['all', 'some'] as const)('gives back what was put for %s, whole and its beginning', async (audience) => {
    const { store } = tried;
    const name = await tried.put(tried.key(audience));
    expect([await store.get(name), await store.get(name, 4)]).toEqual([BYTES, BYTES.subarray(0, 4)]);
    expect((await store.head(name))?.bytes).toBe(10);
  });

  it('has nothing under a name that was never put', async () => {
    const name = tried.key();
    expect([await tried.store.get(name), await tried.store.head(name)]).toEqual([undefined, undefined]);
  });

  it('keeps the same again, and the later of two', async () => {
    const name = await tried.put(await tried.put());
    expect(await tried.store.get(name)).toEqual(BYTES);
    await tried.put(name, Buffer.from('new'));
    expect(await tried.store.get(name)).toEqual(Buffer.from('new'));
  });

  it('keeps an empty file', async () => {
    const empty = await tried.put(tried.key(), Buffer.alloc(0));
    expect(await tried.store.head(empty)).toMatchObject({ bytes: 0 });
  });

  it('forgets what was deleted, twice as well as once', async () => {
    const { store } = tried;
    const name = await tried.put();
    await store.delete(name);
    await store.delete(name);
    expect([await store.get(name), await store.head(name)]).toEqual([undefined, undefined]);
  });
};

const naming = (tried: Tried): void => {
  it('keeps bytes under a chosen key, and nothing of them in the folder where they came', async () => {
    const { store } = tried;
    const chosen = `${uuidv7()}.txt`;
    await putBytes(store, { key: chosen, bytes: BYTES });
    expect(await store.get(chosen)).toEqual(BYTES);
    await expect(putBytes(store, { key: '../x.txt', bytes: BYTES })).rejects.toThrow('is no name of');
    expect((await readdir(store.incoming)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it.each(['../x.txt', '/etc/x.txt', 'public/../x.txt', uuidv7(), `a/${uuidv7()}.txt`, `${uuidv7()}.t\u0000`])(
    'puts nothing under %j, which is none of our names, and finds nothing there',
    async (name) => {
      const { store } = tried;
      await expect(tried.put(name)).rejects.toThrow('is no name of');
      const found = [await store.get(name), await store.head(name), await store.delete(name)];
      expect(found).toEqual([undefined, undefined, undefined]);
    },
  );

  it('serves what was put, as the type that it is said to be', async () => {
    const name = await tried.put();
    const options = { mimetype: 'text/plain', headers: {}, cacheControl: 'private, no-store' };
    const answer = await tried.store.serve(name, options);
    expect(answer && (await bytesIn(answer.value))).toEqual(BYTES);
    expect(await tried.store.serve('../../etc/passwd', options)).toBeUndefined();
  });
};

const sweeping = (tried: Tried): void => {
  it('lists what has lain there since before a time, in portions, each once', async () => {
    const names: string[] = [];
    while (names.length < 230) names.push(...(await Promise.all(Array.from({ length: 10 }, () => tried.put()))));
    const found = await tried.lying(tomorrow());
    expect(names.filter((name) => !found.includes(name))).toEqual([]);
    expect(new Set(found).size).toBe(found.length);
    expect(await tried.lying(new Date(0))).toEqual([]);
  });

  it('finds an upload that was cut off where it came, by name or by itself', async () => {
    const path = join(tried.store.incoming, `${uuidv7()}.part`);
    await writeFile(path, BYTES);
    await tried.store.tidy(new Date(0));
    expect(await readdir(tried.store.incoming)).toContain(path.split('/').at(-1));
    await tried.store.tidy(tomorrow());
    for (const key of await tried.lying(tomorrow())) await tried.store.delete(key);
    expect(await readdir(tried.store.incoming)).toEqual([]);
  });
};

/** What every store of files does. `open` gives one that is started and empty. */
export const objectStoreContract = (open: () => Promise<ObjectStore>): void => {
  const tried = new Tried();
  beforeAll(async () => {
    tried.store = await open();
    tried.folder = await mkdtemp(join(tmpdir(), 'given-'));
  });
  afterAll(() => rm(tried.folder, { recursive: true }));
  keeping(tried);
  naming(tried);
  sweeping(tried);
};
