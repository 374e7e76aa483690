import { join } from 'node:path';
import { silentLogger, systemClock, uuidv7 } from '@platform/runtime';
import { startScript, until } from '@platform/testing';
import { auditedIn, invalid, ownStore, refused, type Answered, type Ask } from '../../../asked.fixture';
import { bearer, newApiToken, newMember, useCommerce } from '../../../commerce.fixture';
import type { Job, RowFault } from '../../../imports/import.dto';
import { Importer } from '../../../imports/public';
import { jobQueue } from '../../../jobs';
import type { Product } from '../products/public';
import { productImport } from './public';

const commerce = useCommerce();

const csvForm = (csv: string | Buffer, mode = 'create'): FormData => {
  const data = new FormData();
  data.append('mode', mode);
  data.append('file', new Blob([csv as string]), 'products.csv');
  return data;
};
const upload = (ask: Ask, csv: string | Buffer, mode?: string) =>
  ask<Job>('POST', '/products/import', csvForm(csv, mode));
const commit = (ask: Ask, job_id: string) => ask<Job>('POST', '/products/import', { job_id, commit: true });
const ended = (ask: Ask, id: string): Promise<Job> =>
  until(
    async () => (await ask<Job>('GET', `/products/import/${id}`)).body.data,
    ({ state }) => state === 'done' || state === 'failed',
  );
const imported = async (ask: Ask, csv: string | Buffer, mode?: string): Promise<Job> => {
  const { body } = await upload(ask, csv, mode);
  expect((await commit(ask, body.data.id)).status).toBe(202);
  return ended(ask, body.data.id);
};
const jobView = (more: object) => ({
  ...{ id: expect.any(String) as string, kind: 'products.import', state: 'preview', errors: [], result: null },
  ...{ created_at: '2026-03-01T08:00:00.000Z', ...more },
});
const accepted = (data: object) => ({ status: 202, body: { status: 'success', message: 'OK', data } });
const counted = async (storeId: string): Promise<object> => {
  const count = `SELECT (SELECT count(*)::int FROM product WHERE store_id = $1) AS products,
    (SELECT count(*)::int FROM variant WHERE store_id = $1) AS variants,
    (SELECT coalesce(sum(on_hand), 0)::int FROM stock_level WHERE store_id = $1) AS pieces,
    (SELECT count(*)::int FROM stock_movement WHERE store_id = $1) AS movements,
    (SELECT count(*)::int FROM job_batch WHERE store_id = $1) AS batches`;
  return (await commerce.database.query<object>(count, [storeId]))[0] ?? {};
};

const SIZES = 40;
/** Forty sizes of every product, one piece of each; `bad` tells the rows without a price that is one. */
const shirts = (products: number, bad = (_row: number): boolean => false): string => {
  const rows = Array.from({ length: products * SIZES }, (_, at) => {
    const product = Math.floor(at / SIZES);
    return `Kaos ${product},kaos-${product},100,Ukuran,${at % SIZES},K-${at},${bad(at + 2) ? 'mahal' : 5000},1`;
  });
  return ['name,slug,weight_g,option1_name,option1_value,sku,price,stock', ...rows, ''].join('\r\n');
};

describe('a file of 10,000 rows', () => {
  it('of which 50 are bad shows those in its preview, and its commit takes the rest once, whoever commits twice', async () => {
    const { ask, storeId } = await ownStore(commerce, [{ sku: 'OLD', stock: 3 }]);
    const before = await counted(storeId);
    const preview = await upload(
      ask,
      shirts(250, (row) => row % 200 === 7),
    );
    const errors = Array.from({ length: 50 }, (_, at) => ({
      row: 7 + 200 * at,
      field: 'price',
      message: expect.stringContaining('price') as string,
    }));
    expect(preview).toEqual(accepted(jobView({ progress: { done: 0, total: 9_950 }, errors })));
    expect(await counted(storeId)).toEqual({ ...before, batches: 50 });
    const { id } = preview.body.data;
    const both = await Promise.all([commit(ask, id), commit(ask, id)]);
    expect(both.map(({ status }) => status)).toEqual([202, 202]);
    expect(await ended(ask, id)).toEqual(
      jobView({
        ...{ state: 'done', progress: { done: 9_950, total: 9_950 }, errors },
        result: { created: 250, updated: 0, unchanged: 0, failed: 0 },
      }),
    );
    const all = { products: 251, variants: 9_951, pieces: 9_953, movements: 9_951, batches: 0 };
    expect(await counted(storeId)).toEqual(all);
    expect(await commit(ask, id)).toMatchObject({ status: 202, body: { data: { state: 'done' } } });
    expect(await counted(storeId)).toEqual(all);
  });

  it('whose commit is killed with kill -9 is resumed without a duplicate', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const { id } = (await upload(ask, shirts(100))).body.data;
    const update = `UPDATE job_row SET state = 'queued' WHERE store_id = $1 AND id = $2`;
    await commerce.database.query(update, [storeId, id]);
    const env = { DATABASE_URL: commerce.database.url, STORE: storeId, JOB: id };
    const child = startScript(join(__dirname, 'import.child.ts'), env);
    const job = async () => (await ask<Job>('GET', `/products/import/${id}`)).body.data;
    await until(job, ({ progress }) => progress.done > 0);
    await child.stop();
    const { progress } = await job();
    expect(progress.done).toBeLessThan(4_000);
    const { database } = commerce.app;
    const importer = new Importer(
      { database, clock: systemClock, queue: jobQueue(), progress: { tell: () => undefined } },
      productImport(database),
    );
    const { signal } = new AbortController();
    const context = { id: '1', attempt: 2, maxAttempts: 10, signal, logger: silentLogger };
    await importer.run(storeId, id, context);
    expect(await job()).toMatchObject({ state: 'done', progress: { done: 4_000, total: 4_000 } });
    expect(await counted(storeId)).toEqual({
      ...{ products: 100, variants: 4_000, pieces: 4_000, movements: 4_000, batches: 0 },
    });
  });
});

describe('an import', () => {
  it('of the exported file changes nothing, and of a changed one only what differs', async () => {
    const { ask, storeId } = await ownStore(commerce, [{ sku: '=1+1', name: 'A hat', category: 'Hats', stock: 3 }]);
    await ask('POST', '/products', {
      ...{ name: 'Shirt', weight_g: 10, description: 'Soft, "light"\r\nand\nlong' },
      options: [{ name: 'Color', values: ['Red', '@Blue'] }],
      variants: [
        { sku: 'S-R', price: 9, cost: 4, option_values: { Color: 'Red' }, barcode: '-7' },
        { sku: 'S-B', price: 8, compare_at: 9, weight_g: 20, option_values: { Color: '@Blue' } },
      ],
    });
    const token = commerce.storeAuth.userToken({ store_id: storeId });
    const exported = async () => (await commerce.get('/api/products/export', bearer(token))).body as string;
    const csv = await exported();
    const [audit, levels] = [await auditedIn(commerce, storeId), await counted(storeId)];
    commerce.clock.advance(1_000);
    const { state, result, errors } = await imported(ask, csv, 'upsert');
    expect({ state, result, errors }).toEqual({
      ...{ state: 'done', errors: [] },
      result: { created: 0, updated: 0, unchanged: 2, failed: 0 },
    });
    expect([await exported(), await auditedIn(commerce, storeId), await counted(storeId)]).toEqual([
      csv,
      audit,
      levels,
    ]);
    const changed = await imported(ask, csv.replace(',S-B,,8,', ',S-B,,7,'), 'upsert');
    expect(changed.result).toEqual({ created: 0, updated: 1, unchanged: 1, failed: 0 });
    expect((await ask<{ price: number }>('GET', '/variant_product/sku/S-B')).body.data.price).toBe(7);
    commerce.clock.advance(-1_000);
  });

  it('reads semicolons, a byte order mark, quotes and line breaks, and counts stock in the usual warehouse', async () => {
    const { ask } = await ownStore(commerce, [{ sku: 'OLD' }]);
    const csv =
      '\uFEFFName;SKU;Price;Weight_g;Stock;Description;Image_URL\r\n' +
      '"Topi ""Nusa""; biru";TOPI;5000;10;4;"satu\r\ndua";https://pics.example/a.jpg\r\n\r\n';
    expect(await imported(ask, csv)).toMatchObject({ state: 'done', errors: [], progress: { done: 1, total: 1 } });
    const found = await ask<{ product_id: string; on_hand: number }>('GET', '/variant_product/sku/TOPI');
    expect(found.body.data.on_hand).toBe(4);
    const { body } = await ask<Product>('GET', `/products/${found.body.data.product_id}`);
    expect(body.data).toMatchObject({
      ...{ name: 'Topi "Nusa"; biru', description: 'satu\r\ndua', status: 'draft', weight_g: 10 },
      images: [{ url: 'https://pics.example/a.jpg', position: 0 }],
    });
  });

  it('tells every fault of its rows, and takes the others', async () => {
    const { ask } = await ownStore(commerce, [{ sku: 'OLD', name: 'Old' }]);
    const csv = [
      'name,slug,sku,price,category,warehouse,stock,option1_name,option1_value,weight_g,compare_at',
      ...[',,A,1,,,,,,1,', 'B,,OLD,1,,,,,,1,', 'C,,C,1,Nowhere,,,,,1,', 'D,,D,1,,Moon,1,,,1,', 'E,,E,1,,,,Size,,1,'],
      ...[
        'F,,F,5,,,,,,1,5',
        'G,,G,1,,,,,,,',
        'H,,H,1,,,,,,1,',
        'I,,H,1,,,,,,1,',
        'H,,J,1,,,,,,1,',
        'K,old,K,1,,,,,,1,',
      ],
      ...['L\u0000,,L,1,,,,,,1,', 'M,,M,99999999999999999999,,,,,,1,', 'N,,N'],
    ].join('\n');
    const { body } = await upload(ask, csv);
    expect(body.data.errors.map(({ row, field, message }) => `${row} ${field}: ${message}`)).toEqual([
      '2 name: name is a required field',
      '3 sku: sku is taken',
      '4 category: category is not a category of this store',
      '5 warehouse: warehouse is not an open warehouse of this store',
      '6 option1_value: option1_value must be given together with its name',
      '7 compare_at: compare_at must be greater than price',
      '8 weight_g: weight_g is a required field',
      '10 sku: sku is that of row 9',
      '11 name: name and slug must not be those of rows further up',
      '12 slug: slug is taken',
      "13 name: name cannot contain the following 'U+0000'",
      '14 price: price must be an integer',
      '15 price: price is a required field',
    ]);
    expect(body.data.progress).toEqual({ done: 0, total: 1 });
    expect((await imported(ask, csv)).result).toEqual({ created: 1, updated: 0, unchanged: 0, failed: 0 });
  });

  it('refuses pictures of hosts that nobody else can reach, in whatever notation', async () => {
    const { ask } = await ownStore(commerce);
    const hosts = [
      '10.0.0.1',
      '169.254.169.254',
      '[::ffff:127.0.0.1]',
      '[2002:a00:1::]',
      'files.internal',
      'cdn.example',
    ];
    const rows = hosts.map((host, at) => `Topi ${at},TOPI-${at},5000,https://${host}/a.jpg`);
    const { body } = await upload(ask, ['name,sku,price,image_url', ...rows, ''].join('\n'));
    const fault = { field: 'image_url', message: 'image_url must be of a host that everybody can reach' };
    expect(body.data.errors.filter(({ field }) => field === 'image_url')).toEqual(
      hosts.slice(0, -1).map((_, at) => ({ row: at + 2, ...fault })),
    );
  });

  it('fails for the rows alone that were taken between preview and commit', async () => {
    const { ask } = await ownStore(commerce);
    const { id } = (await upload(ask, 'name,sku,price,weight_g\nA,A,1,1\nB,B,1,1\n')).body.data;
    await ask('POST', '/products', { name: 'Mine', weight_g: 1, variants: [{ sku: 'B', price: 1 }] });
    await commit(ask, id);
    expect(await ended(ask, id)).toMatchObject({
      ...{ state: 'done', progress: { done: 2, total: 2 } },
      errors: [{ row: 3, field: '', message: 'The SKU is taken' }],
      result: { created: 1, updated: 0, unchanged: 0, failed: 1 },
    });
  });

  it('of another store, or one that a newer preview has replaced, is not found', async () => {
    const [mine, theirs] = [await ownStore(commerce), await ownStore(commerce)];
    const csv = 'name,price,weight_g\nA,1,1\n';
    const { id } = (await upload(theirs.ask, csv)).body.data;
    const missing = refused(404, 'not_found', 'Job not found');
    expect(await mine.ask('GET', `/products/import/${id}`)).toEqual(missing);
    expect(await commit(mine.ask, id)).toEqual(missing);
    await upload(theirs.ask, csv);
    expect(await commit(theirs.ask, id)).toEqual(missing);
  });

  it('that counts stock or sets costs needs the abilities for it', async () => {
    const { storeId } = await ownStore(commerce, [{ sku: 'A' }]);
    const { token } = await newApiToken(commerce, storeId, { abilities: ['product.write'] });
    const answer = async (csv: string) => {
      const { status, body } = await commerce.call('POST', '/api/products/import', token, csvForm(csv, 'upsert'));
      return { status, ability: (body as { ability?: string }).ability };
    };
    expect(await answer('sku,stock\nA,1\n')).toEqual({ status: 403, ability: 'stock.write' });
    expect(await answer('sku,cost\nA,1\n')).toEqual({ status: 403, ability: 'product.cost' });
    expect(await answer('sku,price\nA,1\n')).toEqual({ status: 202, ability: undefined });
  });
});

describe('an import beside others', () => {
  it('whose 30,000 rows are all of one product is refused by that, and everybody else has turns meanwhile', async () => {
    const { storeId } = await ownStore(commerce);
    const { database } = commerce.app;
    const read = await productImport(database).reader(database, storeId, 'create');
    const cells = { name: 'Kaos', price: '1', weight_g: '1', option1_name: 'Ukuran' };
    const rows = Array.from({ length: 30_000 }, (_, at) => ({
      row: at + 2,
      cells: { ...cells, option1_value: `${at}` },
    }));
    let [turns, reading] = [0, true];
    const turn = (): void => {
      turns += 1;
      if (reading) setImmediate(turn);
    };
    setImmediate(turn);
    const told = await read(rows);
    reading = false;
    const message = 'sku must be one of at most 200 variants';
    expect(told).toEqual({ items: [], errors: [{ row: 2, field: 'sku', tag: 'variants', message, about: '200' }] });
    expect(turns).toBeGreaterThan(30_000 / 1_000);
  });

  it('is read alone in its store, for its file is in memory until then', async () => {
    const { ask } = await ownStore(commerce);
    const other = await ownStore(commerce);
    const [first, second, theirs] = await Promise.all([
      upload(ask, shirts(250)),
      upload(ask, shirts(250)),
      upload(other.ask, shirts(1)),
    ]);
    expect([first.status, second.status].sort()).toEqual([202, 429]);
    expect(theirs.status).toBe(202);
    expect((await upload(ask, shirts(1))).status).toBe(202);
  });

  it('ends where whoever committed it was disabled, or their API token was revoked', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const { token, userId } = await newMember(commerce, storeId, 'admin');
    const made = await newApiToken(commerce, storeId, { abilities: ['product.write'] });
    const { database } = commerce.app;
    const importer = new Importer(
      { database, clock: commerce.clock, queue: jobQueue(), progress: { tell: () => undefined } },
      productImport(database),
    );
    const { signal } = new AbortController();
    const context = { id: '1', attempt: 1, maxAttempts: 10, signal, logger: silentLogger };
    const ends = async (by: string, then: string, values: unknown[]) => {
      const { body } = await commerce.call('POST', '/api/products/import', by, csvForm(shirts(1)));
      const { id } = (body as { data: Job }).data;
      await commerce.database.query(`UPDATE job_row SET state = 'queued' WHERE id = $1`, [id]);
      await commerce.database.query(then, values);
      await importer.run(storeId, id, context);
      return (await ask<Job>('GET', `/products/import/${id}`)).body.data;
    };
    const ended = {
      ...{ state: 'failed', progress: { done: 0, total: SIZES } },
      errors: [{ row: 0, field: '', message: 'Whoever started the import may not do this any more' }],
    };
    const disable = `UPDATE membership SET status = 'disabled' WHERE store_id = $1 AND user_id = $2`;
    expect(await ends(token, disable, [storeId, userId])).toMatchObject(ended);
    const revoke = 'UPDATE api_token SET revoked_at = now() WHERE id = $1';
    expect(await ends(made.token, revoke, [made.id])).toMatchObject(ended);
    expect(await counted(storeId)).toMatchObject({ products: 0 });
  });

  it('that is done stays done when the answer to its last commit is lost at the last try', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const { id } = (await upload(ask, shirts(1))).body.data;
    await commerce.database.query(`UPDATE job_row SET state = 'queued' WHERE id = $1`, [id]);
    const { database } = commerce.app;
    const losing = async (work: Parameters<typeof database.tx>[0]) => {
      if ((await database.tx(work)) !== false) return true;
      throw new Error('the connection was lost');
    };
    const importer = new Importer(
      {
        ...{ clock: commerce.clock, queue: jobQueue(), progress: { tell: () => undefined } },
        database: Object.create(database, { tx: { value: losing } }) as typeof database,
      },
      productImport(database),
    );
    const { signal } = new AbortController();
    const context = { id: '1', attempt: 10, maxAttempts: 10, signal, logger: silentLogger };
    await expect(importer.run(storeId, id, context)).rejects.toThrow('the connection was lost');
    expect((await ask<Job>('GET', `/products/import/${id}`)).body.data).toMatchObject({
      ...{ state: 'done', progress: { done: SIZES, total: SIZES } },
    });
  });
});

describe('a file is refused that', () => {
  it.each<[string, string | Buffer, string]>([
    ['is empty', '', 'file is empty'],
    ['has a column nobody knows', 'name,prise\nA,1\n', 'file has an unknown column "prise"'],
    ['has a column twice', 'name,Name\nA,1\n', 'file has the column "Name" twice'],
    ['is in another encoding', Buffer.from('name\nCaf\xe9\n', 'latin1'), 'file is not UTF-8: save it as "CSV UTF-8"'],
    ['is a picture', Buffer.from('89504e470d0a1a0a', 'hex'), 'file is not UTF-8: save it as "CSV UTF-8"'],
    ['is one cell of 10 MB', `name\n${'a'.repeat(10_000_000)}`, 'file has a row of more than 100000 characters'],
    ['has an open quote', 'name\n"A\n', 'file has a quote that does not fit in line 2'],
    ['has too many rows', `name\n${'A\n'.repeat(50_001)}`, 'file has more than 50000 rows'],
  ])('%s', async (_, csv, message) => {
    const { ask } = await ownStore(commerce);
    const answer: Answered<Job> = await upload(ask, csv);
    expect(answer).toEqual(invalid('file', message));
  });

  it('is larger than 10 MB, or not there', async () => {
    const { ask } = await ownStore(commerce);
    expect((await upload(ask, Buffer.alloc(10 * 1024 * 1024 + 1, 'a'))).status).toBe(413);
    expect(await ask('POST', '/products/import', { mode: 'create' })).toEqual(
      invalid('file', 'file is a required field'),
    );
    expect(await ask('POST', '/products/import', { job_id: uuidv7() })).toEqual(
      invalid('commit', 'commit is a required field'),
    );
  });
});

it('what stands twice in a file is told at its row and its column, and not as something the shop has', async () => {
  const { ask } = await ownStore(commerce);
  const head = 'name,price,weight_g,sku,option1_name,option1_value,option2_name,option2_value,compare_at';
  const { body } = await upload(
    ask,
    [
      head,
      'Kaos,9,1,A,Warna,Merah,,,',
      'Kaos,9,1,B,Warna,Biru,,,',
      'Kaos,9,1,C,Warna,Merah,,,',
      'Topi,9,1,D,Warna,Merah,Warna,Biru,',
      'Tas,9,1,E,,,,,',
      'Tas,9,1,F,,,,,',
    ].join('\n'),
  );
  const kept = 'SELECT errors FROM job_row WHERE id = $1';
  const [{ errors } = { errors: [] }] = await commerce.database.query<{ errors: RowFault[] }>(kept, [body.data.id]);
  expect(errors.map(({ row, field, tag, about }) => [row, field, tag, about])).toEqual([
    [4, 'option1_value', 'variantTwice', '2'],
    [5, 'option2_name', 'optionTwice', undefined],
    [7, 'option1_value', 'variantTwice', '6'],
  ]);
  expect(body.data.progress.total).toBe(0);
});
