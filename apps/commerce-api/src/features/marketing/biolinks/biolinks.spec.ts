import { explain, expectNoSeqScan, useRunning } from '@platform/testing';
import { uuidv7 } from '@platform/runtime';
import { auditedIn, invalid, notHere, ownStore, refused, succeeded } from '../../../asked.fixture';
import { NOW, startCommerce } from '../../../commerce.fixture';
import { fileForm } from '../../../whole-shop.fixture';
import type { Media } from '../../media/uploads/public';
import { newBlock, newPage, newSlug } from './biolinks.fixture';
import type { Biolink } from './biolinks.dto';
import { BIOLINK_STATEMENTS, biolinkListing } from './biolinks.sql';

const commerce = useRunning(() => startCommerce());
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const taken = refused(409, 'slug_taken', 'The slug is taken');
const missing = refused(404, 'not_found', 'Page not found');

describe('a page of links', () => {
  it('is created, changed, published, listed and deleted, and every write is in the audit log', async () => {
    const { ask, storeId } = await ownStore(commerce);
    const theme = { background: '#ffffff', shape: 'pill' };
    const given = { slug: newSlug(), title: 'Toko Nusa', bio: 'Sepatu lari' };
    const made = await ask<Biolink>('POST', '/biolink', { ...given, theme });
    const { id } = made.body.data;
    const row = {
      id,
      ...given,
      url: `https://shop.example/b/${given.slug}`,
      avatar_url: null,
      theme,
      published: false,
    };
    expect(made).toEqual(succeeded(201, 'Page created', { ...row, blocks: [] }));
    const slug = newSlug();
    const changed = { ...row, slug, url: `https://shop.example/b/${slug}`, bio: null, theme: {} };
    expect(await ask('PUT', `/biolink/${id}`, { slug, bio: null, theme: null })).toEqual(
      succeeded(200, 'Page updated', { ...changed, blocks: [] }),
    );
    const open = { ...changed, published: true };
    expect(await ask('PUT', `/biolink/${id}/publish`, { published: true })).toEqual(
      succeeded(200, 'Page updated', { ...open, blocks: [] }),
    );
    expect((await ask('GET', '/biolink?q=nusa')).body.data).toEqual([open]);
    expect((await ask('GET', '/biolink?q=nobody')).body.data).toEqual([]);
    expect(await ask('GET', `/biolink/${id}`)).toEqual(succeeded(200, 'OK', { ...open, blocks: [] }));
    expect(await ask('DELETE', `/biolink/${id}`)).toEqual(succeeded(200, 'Page deleted', null));
    expect(await ask('GET', `/biolink/${id}`)).toEqual(missing);
    const whole = 'avatar_media_id, avatar_url, bio';
    expect(await auditedIn(commerce, storeId)).toEqual([
      `marketing.write biolink: ${whole}, slug, theme, title`,
      'marketing.write biolink: bio, slug, theme',
      'marketing.write biolink: published',
      `marketing.write biolink: ${whole}, id, published, slug, theme, title`,
    ]);
  });

  it('has a slug that no other page has, of twenty who ask at once, and that stays with its store when it is given up', async () => {
    const [mine, theirs] = [await ownStore(commerce), await ownStore(commerce)];
    const body = { slug: newSlug(), title: 'Toko' };
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => (at % 2 ? mine : theirs).ask<Biolink>('POST', '/biolink', body)),
    );
    expect(answers.filter(({ status }) => status !== 201)).toEqual(Array.from({ length: 19 }, () => taken));
    const at = answers.findIndex(({ status }) => status === 201);
    const id = answers[at]?.body.data.id ?? '';
    const [owner, other] = at % 2 ? [mine, theirs] : [theirs, mine];
    const second = await newPage(owner);
    expect(await owner.ask('PUT', `/biolink/${second.id}`, { slug: body.slug })).toEqual(taken);
    expect((await owner.ask('PUT', `/biolink/${id}`, { slug: newSlug() })).status).toBe(200);
    expect(await other.ask('POST', '/biolink', body)).toEqual(taken);
    expect((await owner.ask('PUT', `/biolink/${second.id}`, { slug: body.slug })).status).toBe(200);
    expect((await owner.ask('DELETE', `/biolink/${second.id}`)).status).toBe(200);
    expect(await other.ask('POST', '/biolink', body)).toEqual(taken);
    expect((await owner.ask('POST', '/biolink', body)).status).toBe(201);
  });

  it('gives back the slug that its store gave up first, beyond two hundred such', async () => {
    const [mine, theirs] = [await ownStore(commerce), await ownStore(commerce)];
    const tag = newSlug();
    await commerce.database.query(
      `INSERT INTO global_key (kind, value, store_id, ref_id, given_up_at)
       SELECT 'biolink', $2 || '-' || n, $1, '', $3::timestamptz - interval '1 hour' + n * interval '1 second'
       FROM generate_series(1, 200) n`,
      [mine.storeId, tag, NOW],
    );
    const { id } = await newPage(mine);
    expect((await mine.ask('PUT', `/biolink/${id}`, { slug: newSlug() })).status).toBe(200);
    const ask = (slug: string) => theirs.ask('POST', '/biolink', { slug, title: 'Toko' });
    expect((await ask(`${tag}-1`)).status).toBe(201);
    expect(await ask(`${tag}-2`)).toEqual(taken);
  });

  it.each(['admin', 'api', 'login', 'www', 'official', 'webhook'])(
    'is not called %s, which people take for the platform',
    async (slug) => {
      const { ask } = await ownStore(commerce);
      const reserved = invalid('slug', 'slug must be another: this one is reserved');
      expect(await ask('POST', '/biolink', { slug, title: 'Toko' })).toEqual(reserved);
      const { id } = await newPage({ ask });
      expect(await ask('PUT', `/biolink/${id}`, { slug })).toEqual(reserved);
    },
  );

  it.each([
    ['slug', 'Nusa!', 'slug must be 3 to 60 small letters, digits or hyphens'],
    ['title', 'x'.repeat(81), 'title must be a maximum of 80 characters in length'],
    ['bio', 'x'.repeat(301), 'bio must be a maximum of 300 characters in length'],
    ['avatar_media_id', 'me', 'avatar_media_id must be a valid UUID'],
    ['theme', 'dark', 'theme must be an object'],
  ])('with %s %j is refused', async (field, value, message) => {
    const { ask } = await ownStore(commerce);
    const wish = { slug: newSlug(), title: 'Toko', [field]: value };
    expect(await ask('POST', '/biolink', wish)).toEqual(invalid(field, message));
  });

  it.each(['red;background:url(//evil.example)', 'expression(alert(1))', '#FFF'])(
    'has colours alone: %j is refused',
    async (accent) => {
      const { ask } = await ownStore(commerce);
      const wish = { slug: newSlug(), title: 'Toko', theme: { accent } };
      expect(await ask('POST', '/biolink', wish)).toEqual(invalid('theme.accent', 'theme.accent must be as #1a2b3c'));
    },
  );

  it('keeps its picture from being deleted for as long as it shows it', async () => {
    const { ask } = await ownStore(commerce);
    const picture = async (purpose: string) =>
      (await ask<Media>('POST', '/upload', fileForm('file', PNG, { purpose }))).body.data;
    const [face, next] = [await picture('logo'), await picture('product')];
    const { id, avatar_url } = await newPage({ ask }, { avatar_media_id: face.id });
    expect(avatar_url).toBe(face.url);
    expect(await ask('DELETE', `/upload/${face.id}`)).toEqual(refused(409, 'in_use', 'The file is in use'));
    const change = (avatar_media_id: string | null) => ask<Biolink>('PUT', `/biolink/${id}`, { avatar_media_id });
    expect((await change(next.id)).body.data.avatar_url).toBe(next.url);
    expect((await ask('DELETE', `/upload/${face.id}`)).status).toBe(200);
    expect((await change(null)).body.data.avatar_url).toBeNull();
    await change(next.id);
    await ask('DELETE', `/biolink/${id}`);
    expect((await ask('DELETE', `/upload/${next.id}`)).status).toBe(200);
  });

  it('has no picture of another store, and none that not everybody may see', async () => {
    const [{ ask }, theirs] = [await ownStore(commerce), await ownStore(commerce)];
    const upload = async (by: typeof ask, purpose: string) =>
      (await by<Media>('POST', '/upload', fileForm('file', PNG, { purpose }))).body.data.id;
    const wrong = [await upload(theirs.ask, 'logo'), await upload(ask, 'proof'), uuidv7()];
    for (const avatar_media_id of wrong)
      expect(await ask('POST', '/biolink', { slug: newSlug(), title: 'Toko', avatar_media_id })).toEqual(
        notHere('avatar_media_id', 'is not a public picture of this store'),
      );
  });

  it('is one of at most fifty, also when two are added at once', async () => {
    const { ask, storeId } = await ownStore(commerce);
    await commerce.database.query(
      `INSERT INTO biolink (store_id, id, slug, title, created_at, updated_at)
       SELECT $1, uuidv7(), 's' || n, 'Toko', $2, $2 FROM generate_series(1, 49) n`,
      [storeId, NOW],
    );
    const add = () => ask('POST', '/biolink', { slug: newSlug(), title: 'Toko' });
    const answers = await Promise.all([add(), add(), add()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)).toEqual(
      refused(409, 'too_many_biolinks', 'A store has at most 50 pages'),
    );
  });
});

it("another store's page is as one that nobody has, at every route", async () => {
  const [mine, theirs] = [await ownStore(commerce), await ownStore(commerce)];
  const page = await newPage(mine);
  const block = await newBlock(mine, page.id);
  const body = { kind: 'heading', data: { title: 'Baru' } };
  const asked: readonly (readonly [method: string, path: string, body?: object])[] = [
    ['GET', ''],
    ['PUT', '', { title: 'Milikku' }],
    ['PUT', '/publish', { published: true }],
    ['POST', '/links', body],
    ['PUT', `/links/${block.id}`, body],
    ['DELETE', `/links/${block.id}`],
    ['PUT', '/links/order', { ids: [block.id] }],
    ['GET', '/statistics'],
    ['DELETE', ''],
  ];
  for (const [method, path, given] of asked)
    expect(await theirs.ask(method, `/biolink/${page.id}${path}`, given)).toEqual(missing);
  const own = await newPage(theirs);
  for (const method of ['PUT', 'DELETE'])
    expect(
      await theirs.ask(method, `/biolink/${own.id}/links/${block.id}`, method === 'PUT' ? body : undefined),
    ).toEqual(refused(404, 'not_found', 'Block not found'));
  expect((await mine.ask('GET', `/biolink/${page.id}`)).body.data).toEqual({ ...page, blocks: [block] });
});

it('pages and their blocks are read by index', async () => {
  const { storeId } = await ownStore(commerce);
  const { rows, count } = biolinkListing.statements(storeId, {});
  for (const { text, values } of [rows, count, { text: BIOLINK_STATEMENTS.byId, values: [storeId, uuidv7()] }])
    expectNoSeqScan(await explain(commerce.database, text, [...values]));
});
