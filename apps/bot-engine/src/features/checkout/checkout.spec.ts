import { NotFound } from '@platform/errors';
import { uuidv7 } from '@platform/runtime';
import { CommerceRefusal } from '../../clients/commerce.client';
import { CART, QUOTE, tokenOf, useCheckouts } from './checkout.fixture';

const { database, fake, clock, room, conversation, rows, notices, jobs } = useCheckouts();
const text = expect.any(String) as string;
const created = () => fake.seen.filter(({ url, body }) => url.endsWith('create-checkout') && !body.includes('dryRun'));
const ORDER = { status: 'pending', paymentUrl: text, total: 35_000, expiresAt: text };

afterEach(async () => {
  await database.query('DELETE FROM bot_checkouts');
  await database.query('DELETE FROM bot_engine_jobs._private_jobs');
});

describe('create_checkout', () => {
  it('first tells what an order costs and orders nothing, then orders it once the customer has agreed', async () => {
    const { turn, customer, storeId } = await conversation();
    const quoted = await turn(CART);
    expect(quoted.result).toEqual(QUOTE);
    expect(quoted.facts?.quote).toEqual({
      ...{ args: CART, confirmToken: tokenOf(quoted), runId: text, at: clock.now().getTime() },
    });
    expect(created()).toEqual([]);
    const ordered = await turn({ ...CART, confirmToken: tokenOf(quoted) });
    const [order] = fake.orders.all;
    expect(ordered).toEqual({
      result: { orderNumber: order?.orderNumber, ...ORDER },
      facts: { orders: [order?.orderNumber], quote: undefined },
    });
    expect(JSON.parse(created()[0]?.body ?? '')).toEqual({
      ...{ idStore: storeId, idUser: customer, instanceID: 'dev1', items: CART.items },
      customer: { name: 'Budi', address: 'Jl. Dago 101', destination: 'Coblong, Bandung' },
      expectedTotal: 35_000,
      idempotencyKey: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
    expect(await rows()).toEqual([{ id: text, state: 'pending', order_number: order?.orderNumber }]);
  });

  it('takes the same order in other words of case and spaces, with lines of one product together', async () => {
    const { turn } = await conversation();
    const quoted = await turn({ ...CART, courier: 'Kurir toko' });
    const again = {
      items: [
        { sku: 'HAT-0', quantity: 1 },
        { sku: 'hat-0 ', quantity: 1 },
      ],
      ...{ customerName: ' BUDI', address: 'jl.  Dago 101', destination: 'coblong, bandung', courier: 'KURIR toko' },
    };
    expect((await turn({ ...again, confirmToken: tokenOf(quoted) })).result).toMatchObject(ORDER);
    expect(JSON.parse(created()[0]?.body ?? '')).toMatchObject({ items: CART.items, customer: { name: 'Budi' } });
  });

  it.each([
    ['of the same run', 'confirmation_too_early'],
    ['of an earlier round of the same request', 'confirmation_too_early'],
    ['of a run that was abandoned', 'confirmation_too_early'],
    ['of a run that never ended', 'confirmation_too_early'],
    ['of another conversation', 'confirmation_unknown'],
    ['that is 30 minutes old', 'confirmation_expired'],
    ['for another cart', 'order_changed'],
    ['that the model made up', 'confirmation_unknown'],
  ])('refuses a token %s, and quotes anew', async (which, reason) => {
    const [mine, theirs] = [await conversation(), await conversation()];
    const { runId } = mine.context();
    const request = which === 'of an earlier round of the same request' ? { leadToken: uuidv7() } : {};
    const isOpen = which === 'of the same run' || which === 'of a run that never ended';
    const status = which === 'of a run that was abandoned' ? 'abandoned' : isOpen ? null : 'done';
    const quoted = await (which === 'of another conversation' ? theirs : mine).turn(CART, {
      runId,
      status,
      ...request,
    });
    if (which === 'that is 30 minutes old') clock.advance(30 * 60_000);
    const confirmToken = which === 'that the model made up' ? `c_${'a'.repeat(26)}` : tokenOf(quoted);
    const cart = which === 'for another cart' ? { ...CART, items: [{ sku: 'HAT-0', quantity: 3 }] } : CART;
    const now = which === 'of the same run' ? { runId, status: null } : request;
    const answered = await mine.turn({ ...cart, confirmToken }, now);
    expect(answered.result).toMatchObject({ status: 'needs_confirmation', reason });
    expect(tokenOf(answered)).not.toBe(confirmToken);
    expect([created(), fake.orders.all]).toEqual([[], []]);
  });

  it('quotes anew when the total has changed since, and the old token orders nothing any more', async () => {
    const { turn } = await conversation();
    const quoted = await turn(CART);
    Object.assign(fake.shops.get('S1')?.methods[0] ?? {}, { cost: 20_000 });
    const changed = await turn({ ...CART, confirmToken: tokenOf(quoted) });
    expect(changed.result).toEqual({ ...QUOTE, shipping: 20_000, total: 40_000, reason: 'total_changed' });
    expect((await turn({ ...CART, confirmToken: tokenOf(quoted) })).result).toMatchObject({
      reason: 'confirmation_unknown',
    });
    expect(fake.orders.all).toEqual([]);
    expect((await turn({ ...CART, confirmToken: tokenOf(changed) })).result).toMatchObject({ total: 40_000 });
  });

  it('executed twenty times at once, and again later, is one order', async () => {
    const { turn } = await conversation();
    const confirmed = { ...CART, confirmToken: tokenOf(await turn(CART)) };
    const all = await Promise.all(Array.from({ length: 20 }, () => turn(confirmed)));
    clock.advance(3_600_000);
    const [order] = fake.orders.all;
    for (const { result } of [...all, await turn(confirmed)])
      expect(result).toEqual({ orderNumber: order?.orderNumber, ...ORDER });
    expect([fake.orders.all.length, (await jobs()).length]).toEqual([1, 1]);
  });

  it('orders one of two quotes: the other one can be confirmed no more', async () => {
    const { turn } = await conversation();
    const [first, second] = [await turn(CART), await turn({ ...CART, courier: 'Kurir toko' })];
    await turn({ ...CART, courier: 'Kurir toko', confirmToken: tokenOf(second) });
    expect((await turn({ ...CART, confirmToken: tokenOf(first) })).result).toMatchObject({
      reason: 'confirmation_unknown',
    });
    expect(fake.orders.all).toHaveLength(1);
  });

  it('tells what commerce refuses, with the places that the store sends to', async () => {
    const { turn } = await conversation();
    const refusal = (args: object) => turn({ ...CART, ...args }).catch((thrown: unknown) => thrown);
    const elsewhere = await refusal({ destination: 'Menteng, Jakarta' });
    expect(elsewhere).toBeInstanceOf(CommerceRefusal);
    expect(elsewhere).toMatchObject({ code: 'validation', details: { places: ['Bandung', 'Cimahi'] } });
    expect(await refusal({ items: [{ sku: 'HAT-0', quantity: 51 }] })).toMatchObject({ code: 'out_of_stock' });
    expect(await rows()).toEqual([]);
  });

  it('that becomes dearer between the last look and the order is not ordered at another price', async () => {
    const { turn } = await conversation();
    const begun = turn({ ...CART, confirmToken: tokenOf(await turn(CART)) });
    const { checkout } = fake.orders;
    fake.orders.checkout = (asked) => {
      if (!asked.dryRun) Object.assign(fake.shops.get('S1')?.methods[0] ?? {}, { cost: 20_000 });
      return checkout.call(fake.orders, asked);
    };
    await expect(begun).rejects.toMatchObject({ code: 'total_changed' });
    expect([fake.orders.all, (await rows()).map(({ state }) => state)]).toEqual([[], ['superseded']]);
  });

  it('that commerce refuses after the customer agreed is ordered no more', async () => {
    const { turn } = await conversation();
    const confirmed = { ...CART, confirmToken: tokenOf(await turn(CART)) };
    const begun = turn(confirmed);
    // Sold out between the dry run and the order
    const { checkout } = fake.orders;
    fake.orders.checkout = (asked) => {
      if (!asked.dryRun) fake.shops.get('S1')?.products.splice(0);
      return checkout.call(fake.orders, asked);
    };
    await expect(begun).rejects.toMatchObject({ code: 'validation' });
    expect((await rows()).map(({ state }) => state)).toEqual(['superseded']);
  });

  it('of a customer whose number is hidden is refused, and a person takes over', async () => {
    const { turn } = await conversation('S1', '12345678901234@lid');
    const { result, handover } = await turn(CART);
    expect([result.status, handover?.reason, fake.seen.length]).toEqual(['not_possible', 'customer_request', 0]);
    const odd = await conversation('S1', 'budi');
    expect((await odd.turn(CART)).handover?.reason).toBe('customer_request');
  });

  it('in a rehearsal asks what it costs, and leaves nothing behind', async () => {
    const { turn } = await conversation();
    const real = await turn(CART);
    const before = await rows();
    const rehearsed = await turn({ ...CART, confirmToken: tokenOf(real) }, { rehearsal: true });
    expect(rehearsed.result).toEqual(QUOTE);
    expect([await rows(), fake.orders.all, await jobs()]).toEqual([before, [], []]);
  });
});

describe('an order whose outcome nobody knows', () => {
  it('is in process for the model, and later one order and one payment link', async () => {
    const { turn, id } = await conversation();
    const confirmed = { ...CART, confirmToken: tokenOf(await turn(CART)) };
    fake.moods.push({ does: 'late', body: /idempotencyKey/ });
    expect(await turn(confirmed)).toEqual({
      result: { status: 'processing', total: 35_000 },
      facts: { quote: undefined },
    });
    expect((await rows()).map(({ state }) => state)).toEqual(['creating']);
    const [job] = await jobs();
    // Not while the turn itself still tries
    expect(job?.waitsMs).toBe(21_000);
    const { repeats } = room();
    if (job) await repeats.run(job.payload);
    expect((await jobs()).map(({ payload }) => payload.tries)).toEqual([0, 1]);
    fake.moods.length = 0;
    if (job) await Promise.all([1, 2, 3].map(() => repeats.run(job.payload)));
    const [order] = fake.orders.all;
    const link = `Pesanan ${order?.orderNumber} sudah kami buat ya kak, totalnya Rp35.000. Silakan bayar di sini: https://pay.example/${order?.orderNumber}`;
    expect([fake.orders.all.length, (await notices(id)).map(({ payload }) => payload.content)]).toEqual([
      ...[1, [{ text: link }]],
    ]);
    expect((await rows()).map(({ state }) => state)).toEqual(['pending']);
  });

  it('is tried for half an hour, and the customer is told when it was in vain', async () => {
    const { turn, id } = await conversation();
    const confirmed = { ...CART, confirmToken: tokenOf(await turn(CART)) };
    await turn(confirmed);
    await database.query(`UPDATE bot_checkouts SET state = 'creating', order_number = NULL`);
    fake.moods.push({ does: 503 });
    const waits: number[] = [];
    for (let tries = 0; tries < 8; tries += 1) {
      const job = (await jobs()).at(-1);
      await room().repeats.run(job?.payload ?? { storeId: '', id: '', tries: 0 });
      waits.push((await jobs()).at(-1)?.waitsMs ?? 0);
    }
    expect(waits.slice(0, 7).reduce((sum, wait) => sum + wait, 0)).toBe(1_785_000);
    expect((await jobs()).length).toBe(8);
    expect((await notices(id)).map(({ payload }) => payload.content)).toEqual([
      { text: 'Mohon maaf kak, pesanannya belum bisa kami buat saat ini. Tim kami akan membantu ya.' },
    ]);
    expect((await rows()).map(({ state }) => state)).toEqual(['superseded']);
  });

  it('is not called refused when only the writing of it failed, in the turn and in the job', async () => {
    const { turn, id } = await conversation();
    const confirmed = { ...CART, confirmToken: tokenOf(await turn(CART)) };
    const cannotWrite = `CREATE FUNCTION pg_temp_fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'disk full'; END $$;
      CREATE TRIGGER fails BEFORE UPDATE ON bot_checkouts FOR EACH ROW WHEN (NEW.state = 'pending') EXECUTE FUNCTION pg_temp_fail()`;
    const heal = 'DROP TRIGGER IF EXISTS fails ON bot_checkouts; DROP FUNCTION IF EXISTS pg_temp_fail()';
    await database.query(cannotWrite);
    try {
      await expect(turn(confirmed)).rejects.toThrow();
      const [job] = await jobs();
      await expect(room().repeats.run(job?.payload as never)).rejects.toThrow();
      expect([(await rows()).map(({ state }) => state), await notices(id)]).toEqual([['creating'], []]);
    } finally {
      await database.query(heal);
    }
    const [job] = await jobs();
    if (job) await room().repeats.run(job.payload);
    const [order] = fake.orders.all;
    expect(await rows()).toEqual([{ id: text, state: 'pending', order_number: order?.orderNumber }]);
    expect([fake.orders.all.length, (await notices(id)).length]).toEqual([1, 1]);
  });

  it('has its turn answered meanwhile: the job changes and sends nothing', async () => {
    const { turn, id } = await conversation();
    await turn({ ...CART, confirmToken: tokenOf(await turn(CART)) });
    const [job] = await jobs();
    const asked = fake.seen.length;
    if (job) await room().repeats.run(job.payload);
    expect([await notices(id), fake.seen.length]).toEqual([[], asked]);
  });
});

describe('check_payment_status', () => {
  it('tells how an order of this conversation stands, and knows of no other one', async () => {
    const [mine, theirs] = [await conversation(), await conversation()];
    await mine.turn({ ...CART, confirmToken: tokenOf(await mine.turn(CART)) });
    const orderNumber = fake.orders.all[0]?.orderNumber ?? '';
    const { status } = room();
    expect(await status.run({ orderNumber }, mine.context())).toEqual({
      result: { orderNumber, status: 'pending', total: 35_000, currency: 'IDR', paidAt: null, waybill: null },
      facts: { orders: [orderNumber] },
    });
    const asked = fake.seen.length;
    await expect(status.run({ orderNumber }, theirs.context())).rejects.toBeInstanceOf(NotFound);
    await expect(status.run({ orderNumber: 'INV-261120-NOSUCH' }, mine.context())).rejects.toBeInstanceOf(NotFound);
    expect(fake.seen.length).toBe(asked);
  });
});
