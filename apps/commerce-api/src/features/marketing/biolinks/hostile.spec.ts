import { useRunning } from '@platform/testing';
import { invalid, ownStore, type OwnStore } from '../../../asked.fixture';
import { NOW, startCommerce } from '../../../commerce.fixture';
import { newBlock, newPage, newSlug, PERSON } from './biolinks.fixture';
import type { Biolink } from './biolinks.dto';
import type { BiolinkBlock } from './blocks.dto';
import { PublicBiolinks } from './public';

const commerce = useRunning(() => startCommerce());
const blocksOf = async ({ ask }: Pick<OwnStore, 'ask'>, id: string) =>
  (await ask<Biolink>('GET', `/biolink/${id}`)).body.data.blocks;

describe('what people write', () => {
  it.each([
    ['from right to left', '\u202Eعروض اليوم\u202C', '\u202Eعروض اليوم\u202C'],
    ['in signs beyond 16 bits', '👩‍👩‍👧 𝕿𝖔𝖐𝖔 🇮🇩', '👩‍👩‍👧 𝕿𝖔𝖐𝖔 🇮🇩'],
    ['as markup', '<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['with half a sign', 'half \uD83D sign', 'half \uFFFD sign'],
    ['with quotes and percent signs', `'"%s%00\\u0000{{x}}`, `'"%s%00\\u0000{{x}}`],
  ])('%s is kept as it is, on a page and on its blocks', async (_, text, kept) => {
    const shop = await ownStore(commerce);
    const { id, slug, title, bio } = await newPage(shop, { title: text, bio: text });
    expect([title, bio]).toEqual([kept, kept]);
    const block = await newBlock(shop, id, { kind: 'whatsapp', data: { title: text, phone: '62811000001', text } });
    expect(block.data).toEqual({ title: kept, phone: '62811000001', text: kept });
    await shop.ask('PUT', `/biolink/${id}/publish`, { published: true });
    const pages = new PublicBiolinks(commerce.database, { count: () => Promise.resolve() });
    expect(await pages.view(slug, PERSON)).toMatchObject({ title: kept, blocks: [block] });
    const found = await shop.ask<Biolink[]>('GET', `/biolink?q=${encodeURIComponent(kept)}`);
    expect(found.status).toBe(200);
  });

  it.each([
    ['title', 'a\0b', `title cannot contain the following 'U+0000'`],
    ['bio', 'a\0b', `bio cannot contain the following 'U+0000'`],
    ['title', 'x'.repeat(5_000), 'title must be a maximum of 80 characters in length'],
    ['bio', '😀'.repeat(2_500), 'bio must be a maximum of 300 characters in length'],
    ['slug', 'toko\u202Enusa', 'slug must be 3 to 60 small letters, digits or hyphens'],
    ['slug', 'tоko', 'slug must be 3 to 60 small letters, digits or hyphens'],
  ])('is refused where it cannot be kept: %s %#', async (field, value, message) => {
    const { ask } = await ownStore(commerce);
    const { id } = await newPage({ ask });
    const wish = { slug: newSlug(), title: 'Toko', [field]: value };
    expect(await ask('POST', '/biolink', wish)).toEqual(invalid(field, message));
    expect(await ask('PUT', `/biolink/${id}`, { [field]: value })).toEqual(invalid(field, message));
  });

  it.each([
    [{ title: 'A', url: 'https://a.example/\0' }, 'data.url'],
    [{ title: 'a\0', url: 'https://a.example/' }, 'data.title'],
    [{ title: 'A', url: `https://a.example/${'x'.repeat(5_000)}` }, 'data.url'],
  ])('is refused of a block: %#', async (data, field) => {
    const { ask } = await ownStore(commerce);
    const { id } = await newPage({ ask });
    const answer = await ask('POST', `/biolink/${id}/links`, { kind: 'link', data });
    expect(answer).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
  });

  it('as an address is as long as a browser writes it, or refused', async () => {
    const shop = await ownStore(commerce);
    const { id } = await newPage(shop);
    const address = (letters: number): string => `https://a.example/${'書'.repeat(letters)}`;
    const block = await newBlock(shop, id, { kind: 'link', data: { title: 'A', url: address(225) } });
    expect(block.data.url).toBe(new URL(address(225)).href);
    const tooLong = (field: string) => invalid(field, `${field} must be a maximum of 2048 characters in length`);
    const data = { title: 'A', url: address(226) };
    expect(await shop.ask('POST', `/biolink/${id}/links`, { kind: 'link', data })).toEqual(tooLong('data.url'));
    expect(await shop.ask('POST', '/tracker', { target: address(226) })).toEqual(tooLong('target'));
    expect(await blocksOf(shop, id)).toEqual([block]);
  });
});

describe('of many who write at once', () => {
  it('twenty who add a page to a store that has all but one get one', async () => {
    const { ask, storeId } = await ownStore(commerce);
    await commerce.database.query(
      `INSERT INTO biolink (store_id, id, slug, title, created_at, updated_at)
       SELECT $1, uuidv7(), 's' || n, 'Toko', $2, $2 FROM generate_series(1, 49) n`,
      [storeId, NOW],
    );
    const slugs = Array.from({ length: 20 }, newSlug);
    const answers = await Promise.all(slugs.map((slug) => ask('POST', '/biolink', { slug, title: 'Toko' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(19).fill(409)]);
    const kept = await commerce.database.query<{ value: string }>(
      `SELECT value FROM global_key WHERE kind = 'biolink' AND value = ANY ($1)`,
      [slugs],
    );
    // The others have claimed nothing
    expect(kept).toHaveLength(1);
  });

  it('those who move, hide and remove blocks leave every one once, in an order without doubles', async () => {
    const shop = await ownStore(commerce);
    const { id } = await newPage(shop);
    const blocks: BiolinkBlock[] = [];
    for (let n = 0; n < 8; n += 1) blocks.push(await newBlock(shop, id));
    const [first, second, third] = blocks.map((block) => block.id);
    const path = `/biolink/${id}/links`;
    const { kind, data } = blocks[1] as BiolinkBlock;
    await Promise.all([
      ...blocks.map((_, at) =>
        shop.ask('PUT', `${path}/order`, { ids: blocks.map((block) => block.id).slice(at, at + 3) }),
      ),
      ...Array.from({ length: 4 }, () => newBlock(shop, id)),
      shop.ask('DELETE', `${path}/${first}`),
      shop.ask('DELETE', `${path}/${first}`),
      shop.ask('PUT', `${path}/${second}`, { kind, data, active: false }),
      shop.ask('PUT', `${path}/${third}`, { kind: 'heading', data: { title: 'Promo' } }),
    ]);
    const after = await blocksOf(shop, id);
    expect(new Set(after.map((block) => block.id)).size).toBe(11);
    const positions = after.map(({ position }) => position);
    expect(positions).toEqual([...new Set(positions)].toSorted((a, b) => a - b));
    const by = (wanted = '') => after.find((block) => block.id === wanted);
    expect([by(first), by(second)?.active, by(third)?.kind]).toEqual([undefined, false, 'heading']);
  });

  it('two who give each other’s slug to their pages are both refused, and neither waits for ever', async () => {
    const [mine, theirs] = [await ownStore(commerce), await ownStore(commerce)];
    const [one, other] = [await newPage(mine), await newPage(theirs)];
    const answers = await Promise.all([
      mine.ask('PUT', `/biolink/${one.id}`, { slug: other.slug }),
      theirs.ask('PUT', `/biolink/${other.id}`, { slug: one.slug }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([409, 409]);
  });
});
