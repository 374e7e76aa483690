import { explain, expectNoSeqScan } from '@platform/testing';
import { uuidv7 } from '@platform/runtime';
import { invalid, notHere, ownStore } from '../../asked.fixture';
import { newMember, useCommerce } from '../../commerce.fixture';
import type { Audience, AudiencePreview } from './audience.dto';
import { previewOf, recipientsOf, type Recipient, type Statement } from './audience.sql';
import { portionsOf } from './broadcast.sending';
import { recipientOf, unknownVariable } from './broadcast.view';

const commerce = useCommerce();
const NOW = new Date('2026-03-01T08:00:00Z');

/** People of a store: whom they are is in their names. */
const shop = async () => {
  const { storeId, ask } = await ownStore(commerce);
  const tag = async (name: string) => (await ask<{ id: string }>('POST', '/tag', { name })).body.data.id;
  const [vip, old] = [await tag('VIP'), await tag('Lama')];
  const person = async (name: string, phone: string, more: object = {}) =>
    (await ask<{ id: string }>('POST', '/contact', { name, phone, ...more })).body.data.id;
  const ids = {
    ani: await person('Ani', '62811000001', { tags: ['VIP'], source: 'toko' }),
    budi: await person('Budi', '62811000002', { tags: ['VIP', 'Lama'] }),
    citra: await person('Citra', '62811000003', { source: 'toko' }),
    dedi: await person('Dedi', '62811000004', { tags: ['VIP'], opted_out: true }),
    eka: await person('Eka', '62811000005', { tags: ['VIP'] }),
  };
  await ask('PUT', `/contact/${ids.eka}/block`, { blocked: true });
  await ask('POST', `/contact/${ids.citra}/addresses`, {
    ...{ name: 'Rumah', phone: '6281', line: 'Jl. 1', city: 'Bandung', postcode: '40111' },
    phone: '6281234567890',
  });
  await commerce.database.query(
    'UPDATE contact SET orders_count = 3, last_order_at = $3 WHERE store_id = $1 AND id = $2',
    [storeId, ids.budi, '2026-02-20T00:00:00Z'],
  );
  const sent = async (audience: Audience): Promise<string[]> => {
    const { text, values } = recipientsOf(storeId, NOW, audience, null);
    return (await commerce.database.query<Recipient>(text, [...values])).map(({ name }) => name ?? '').sort();
  };
  return { storeId, ask, vip, old, ids, sent };
};

describe('an audience', () => {
  it('previews exactly those who get it: the blocked and those who want nothing are counted and left out', async () => {
    const { ask, vip, old, ids, sent } = await shop();
    const cases: readonly [Audience, string[], Partial<AudiencePreview>][] = [
      [{ all: true }, ['Ani', 'Budi', 'Citra'], { blocked: 1, opted_out: 1 }],
      [{ tag_ids: [vip] }, ['Ani', 'Budi'], { blocked: 1, opted_out: 1 }],
      [{ tag_ids: [vip], exclude_tag_ids: [old] }, ['Ani'], { blocked: 1, opted_out: 1 }],
      [{ segment: { source: 'toko' } }, ['Ani', 'Citra'], { blocked: 0, opted_out: 0 }],
      [{ segment: { city: 'bandung' } }, ['Citra'], {}],
      [{ segment: { min_orders: 3 } }, ['Budi'], {}],
      [{ segment: { last_order_days: 10 } }, ['Budi'], {}],
      [{ segment: { last_order_days: 9 } }, [], {}],
      [{ contact_ids: [ids.ani, ids.dedi] }, ['Ani'], { blocked: 0, opted_out: 1 }],
    ];
    for (const [audience, names, left] of cases) {
      const { data } = (await ask<AudiencePreview>('POST', '/broadcast/preview-audience', { audience })).body;
      expect(data).toMatchObject({ count: names.length, invalid: 0, ...left });
      expect(data.sample.map(({ name }) => name).sort()).toEqual(names);
      expect(await sent(audience)).toEqual(names);
    }
  });

  it('of another store is not found, and one that means nobody in particular is refused', async () => {
    const [mine, theirs] = [await shop(), await shop()];
    const ask = (audience: Audience) => mine.ask('POST', '/broadcast/preview-audience', { audience });
    expect((await ask({ tag_ids: [theirs.vip] })).status).toBe(404);
    expect((await ask({ contact_ids: [theirs.ids.ani] })).status).toBe(404);
    const notOurs = notHere('audience.exclude_tag_ids[1]', 'is not a tag of this store');
    for (const id of ['cash', '', '\u202e', `${mine.vip}0`])
      expect(await ask({ all: undefined, exclude_tag_ids: [mine.vip, id] })).toEqual(notOurs);
    const nobody = invalid('audience', 'audience must be all, or at least one condition');
    for (const audience of [{}, { all: false }, { segment: {} }, { all: true, tag_ids: [mine.vip] }])
      expect(await ask(audience)).toEqual(nobody);
  });

  it('is counted and read by indexes, whatever its conditions', async () => {
    const everything: Audience = {
      ...{ tag_ids: [uuidv7()], exclude_tag_ids: [uuidv7()], contact_ids: [uuidv7()] },
      segment: { last_order_days: 30, min_orders: 1, city: 'Bandung', source: 'toko' },
    };
    const plans = async ({ text, values }: Statement) =>
      expectNoSeqScan(
        await explain(commerce.database, text, [...values]),
        ...['contact', 'contact_phone', 'contact_tag', 'contact_address'],
      );
    for (const audience of [{ all: true }, everything]) {
      await plans(previewOf('S1', NOW, audience));
      await plans(recipientsOf('S1', NOW, audience, null));
    }
  });

  it('is hidden from a member who sees only the contacts of their own chats', async () => {
    const { storeId } = await shop();
    const { token } = await newMember(commerce, storeId, 'advertiser');
    const body = { audience: { all: true } };
    const { status } = await commerce.call('POST', '/api/broadcast/preview-audience', token, body);
    expect(status).toBe(403);
  });
});

describe('the recipients of a message', () => {
  it('carry what its text may name, and no more', () => {
    const budi = { id: uuidv7(), name: 'Budi', phone: '6281', city: null, orders: 3 };
    expect(recipientOf(budi)).toEqual({
      ...{ nohp: '6281', nama: 'Budi' },
      params: { name: 'Budi', phone: '6281', city: '', orders: 3 },
    });
    expect(recipientOf({ ...budi, name: null })).not.toHaveProperty('nama');
    expect(unknownVariable('{{name}} {{ city }} {{nama}} {{orders}} {{phone}} {{}}')).toBeUndefined();
    expect(unknownVariable('{{name}} {{kode}}')).toBe('kode');
  });

  it('go in portions that chat-backend takes, each once and in order', () => {
    const long = '\u{1f600}'.repeat(200);
    const all = Array.from({ length: 10_000 }, (_, n) =>
      recipientOf({ id: '', name: long, phone: String(n), city: long, orders: n }),
    );
    const portions = [...portionsOf(all)];
    expect(portions.flat()).toEqual(all);
    expect(portions.length).toBeGreaterThan(1);
    for (const portion of portions) expect(Buffer.byteLength(JSON.stringify(portion))).toBeLessThan(5 * 1024 * 1024);
  });
});
