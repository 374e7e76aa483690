import { useRunning } from '@platform/testing';
import { uuidv7 } from '@platform/runtime';
import { auditedIn, invalid, notHere, ownStore, refused, succeeded, type OwnStore } from '../../../asked.fixture';
import { NOW, startCommerce } from '../../../commerce.fixture';
import { orderShop } from '../../sales/orders/orders.fixture';
import { newBlock, newPage } from './biolinks.fixture';
import type { Biolink } from './biolinks.dto';
import type { BiolinkBlock } from './blocks.dto';

const commerce = useRunning(() => startCommerce());
const blocksOf = async ({ ask }: Pick<OwnStore, 'ask'>, id: string) =>
  (await ask<Biolink>('GET', `/biolink/${id}`)).body.data.blocks;
const OWN_REFUSAL = 'must open a web page, a number or a mail: http, https, tel, mailto or wa.me';

describe('a block', () => {
  it.each([
    ['link', { title: 'Katalog', url: 'HTTPS://Toko.example?x=1#a' }, { url: 'https://toko.example/?x=1#a' }],
    ['link', { title: 'Chat', url: 'wa.me/6281234567890' }, { url: 'https://wa.me/6281234567890' }],
    ['link', { title: 'Telepon', url: 'tel:+6281234567890' }, {}],
    ['link', { title: 'Surel', url: 'MailTo:halo@toko.example' }, { url: 'mailto:halo@toko.example' }],
    ['whatsapp', { title: 'Chat', phone: '0812 3456 7890', text: 'Halo' }, { phone: '6281234567890' }],
    ['video', { url: 'https://video.example/1' }, {}],
    ['heading', { title: 'Promo' }, {}],
    ['social', { links: [{ network: 'instagram', url: 'https://instagram.example/toko' }] }, {}],
    ['qr', { url: 'https://toko.example/meja-7', title: 'Meja 7' }, {}],
  ])('of kind %s shows %j', async (kind, data, kept) => {
    const { ask } = await ownStore(commerce);
    const { id } = await newPage({ ask });
    const made = await ask<BiolinkBlock>('POST', `/biolink/${id}/links`, { kind, data });
    const block = { id: made.body.data.id, kind, data: { ...data, ...kept }, position: 0, active: true };
    expect(made).toEqual(succeeded(201, 'Block created', block));
    expect(await blocksOf({ ask }, id)).toEqual([block]);
  });

  it('shows a product and a checkout link of its store alone', async () => {
    const [mine, theirs] = [await orderShop(commerce, 9), await orderShop(commerce, 9)];
    const rowsOf = async ({ ask, cart }: typeof mine) => {
      const [product] = (await ask<{ id: string }[]>('GET', '/products')).body.data;
      const link = await ask<{ id: string }>('POST', '/checkout/links', { name: 'Promo', lines: cart(1).items });
      return { product_id: product?.id, checkout_link_id: link.body.data.id };
    };
    const [own, foreign] = [await rowsOf(mine), await rowsOf(theirs)];
    const { id } = await newPage(mine);
    for (const [kind, name, text] of [
      ['product', 'product_id', 'is not a product of this store'],
      ['checkout', 'checkout_link_id', 'is not a checkout link of this store'],
    ] as const) {
      const add = (row?: string) =>
        mine.ask<BiolinkBlock>('POST', `/biolink/${id}/links`, { kind, data: { [name]: row } });
      expect((await add(own[name])).body.data.data).toEqual({ [name]: own[name] });
      for (const row of [foreign[name], uuidv7()]) expect(await add(row)).toEqual(notHere(`data.${name}`, text));
      const [block] = await blocksOf(mine, id);
      const change = { kind, data: { [name]: foreign[name] } };
      expect(await mine.ask('PUT', `/biolink/${id}/links/${block?.id}`, change)).toEqual(notHere(`data.${name}`, text));
    }
  });

  it.each([
    ['link', { title: 'A' }, 'data.url', 'is a required field'],
    ['whatsapp', { title: 'A' }, 'data.phone', 'is a required field'],
    ['product', {}, 'data.product_id', 'is a required field'],
    ['checkout', {}, 'data.checkout_link_id', 'is a required field'],
    ['video', { title: 'A' }, 'data.url', 'is a required field'],
    ['heading', { title: 'A', url: 'https://a.example/' }, 'data.url', 'is not of a heading'],
    ['social', {}, 'data.links', 'is a required field'],
    ['qr', {}, 'data.url', 'is a required field'],
  ])('of kind %s with %j is refused', async (kind, data, field, text) => {
    const { ask } = await ownStore(commerce);
    const { id } = await newPage({ ask });
    expect(await ask('POST', `/biolink/${id}/links`, { kind, data })).toEqual(invalid(field, `${field} ${text}`));
  });

  it('is refused with an unknown kind, network or field', async () => {
    const { ask } = await ownStore(commerce);
    const { id } = await newPage({ ask });
    const links = [{ network: 'myspace', url: 'https://a.example/' }];
    for (const body of [
      { kind: 'script', data: {} },
      { kind: 'social', data: { links } },
      { kind: 'heading', data: { title: 'A', onclick: 'alert(1)' } },
    ])
      expect((await ask('POST', `/biolink/${id}/links`, body)).status).toBe(422);
    expect(await blocksOf({ ask }, id)).toEqual([]);
  });
});

describe('a block that would lead to', () => {
  const UNSAFE = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    '\u0001javascript:alert(1)',
    'javascript&colon;alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'DATA:text/html;base64,PHNjcmlwdD4=',
    'vbscript:msgbox(1)',
    'blob:https://a.example/1',
    'file:///etc/passwd',
    'intent://a#Intent;end',
    '//evil.example',
    '/relative',
    'https:\\\\evil.example',
    'https://toko.example@evil.example/',
    'http://',
    'tel:',
  ];
  it.each(UNSAFE)('%j is refused when it is added and when it is changed, whatever its kind', async (url) => {
    const shop = await ownStore(commerce);
    const { id } = await newPage(shop);
    const before = await newBlock(shop, id);
    const bodies: readonly (readonly [kind: string, field: string, data: object])[] = [
      ['link', 'data.url', { title: 'A', url }],
      ['qr', 'data.url', { url }],
      ['video', 'data.url', { url }],
      ['social', 'data.links.0.url', { links: [{ network: 'x', url }] }],
    ];
    for (const [kind, field, data] of bodies)
      for (const [method, path] of [
        ['POST', ''],
        ['PUT', `/${before.id}`],
      ] as const) {
        const answer = await shop.ask(method, `/biolink/${id}/links${path}`, { kind, data });
        expect(answer).toMatchObject({
          status: 422,
          body: { errors: { [field]: [expect.stringContaining(OWN_REFUSAL)] } },
        });
      }
    expect(await blocksOf(shop, id)).toEqual([before]);
  });

  it.each(['tel:+62811', 'mailto:a@a.example'])('%s is no video and no profile', async (url) => {
    const { ask } = await ownStore(commerce);
    const { id } = await newPage({ ask });
    for (const body of [
      { kind: 'video', data: { url } },
      { kind: 'social', data: { links: [{ network: 'x', url }] } },
    ])
      expect((await ask('POST', `/biolink/${id}/links`, body)).status).toBe(422);
  });
});

describe('the blocks of a page', () => {
  it('are changed, hidden and removed, and every write is in the audit log', async () => {
    const shop = await ownStore(commerce);
    const { id } = await newPage(shop);
    const block = await newBlock(shop, id);
    const path = `/biolink/${id}/links/${block.id}`;
    const hidden = { ...block, kind: 'heading', data: { title: 'Promo' }, active: false };
    const change = { kind: 'heading', data: { title: 'Promo' } };
    expect(await shop.ask('PUT', path, { ...change, active: false })).toEqual(succeeded(200, 'Block updated', hidden));
    expect(await shop.ask('PUT', path, change)).toEqual(succeeded(200, 'Block updated', hidden));
    expect(await blocksOf(shop, id)).toEqual([hidden]);
    expect(await shop.ask('DELETE', path)).toEqual(succeeded(200, 'Block deleted', null));
    expect(await shop.ask('DELETE', path)).toEqual(refused(404, 'not_found', 'Block not found'));
    expect((await auditedIn(commerce, shop.storeId)).slice(1)).toEqual([
      'marketing.write biolink_block: active, data, id, kind, position',
      'marketing.write biolink_block: active, data, kind',
      'marketing.write biolink_block: active, data, id, kind, position',
    ]);
  });

  it('come in their order, which those that are named lead', async () => {
    const shop = await ownStore(commerce);
    const { id } = await newPage(shop);
    const [a, b, c] = [await newBlock(shop, id), await newBlock(shop, id), await newBlock(shop, id)];
    const ids = async () => (await blocksOf(shop, id)).map((block) => block.id);
    expect(await ids()).toEqual([a.id, b.id, c.id]);
    const order = (given: readonly string[]) =>
      shop.ask<BiolinkBlock[]>('PUT', `/biolink/${id}/links/order`, { ids: given });
    const ordered = [c, a, b].map((block, position) => ({ ...block, position }));
    expect(await order([c.id.toUpperCase(), a.id, c.id])).toEqual(succeeded(200, 'Blocks updated', ordered));
    expect(await ids()).toEqual([c.id, a.id, b.id]);
    const elsewhere = await newBlock(shop, (await newPage(shop)).id);
    for (const unknown of [elsewhere.id, 'me'])
      expect(await order([a.id, unknown])).toEqual(notHere('ids[1]', 'is not a block of this page'));
    expect(await ids()).toEqual([c.id, a.id, b.id]);
    await shop.ask('DELETE', `/biolink/${id}/links/${a.id}`);
    expect((await newBlock(shop, id)).position).toBe(3);
  });

  it('keep an order without gaps or doubles when twenty are added and moved at once', async () => {
    const shop = await ownStore(commerce);
    const { id } = await newPage(shop);
    const first = await newBlock(shop, id);
    await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        at % 4 ? newBlock(shop, id) : shop.ask('PUT', `/biolink/${id}/links/order`, { ids: [first.id] }),
      ),
    );
    const blocks = await blocksOf(shop, id);
    expect(blocks.map(({ position }) => position)).toEqual(Array.from({ length: 16 }, (_, at) => at));
    expect(blocks[0]).toEqual(first);
  });

  it('are at most a hundred', async () => {
    const shop = await ownStore(commerce);
    const { id } = await newPage(shop);
    await commerce.database.query(
      `INSERT INTO biolink_block (store_id, id, biolink_id, kind, data, position, active, created_at, updated_at)
       SELECT $1, uuidv7(), $2, 'heading', '{"title":"A"}', n, true, $3, $3 FROM generate_series(0, 98) n`,
      [shop.storeId, id, NOW],
    );
    const add = () => shop.ask('POST', `/biolink/${id}/links`, { kind: 'heading', data: { title: 'B' } });
    const answers = await Promise.all([add(), add()]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(await add()).toEqual(refused(409, 'too_many_blocks', 'A page has at most 100 blocks'));
  });
});
