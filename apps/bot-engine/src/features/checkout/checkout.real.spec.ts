// Orders at commerce-api itself, a process beside this suite; the turn that orders is killed.
import { systemClock } from '@platform/runtime';
import { jsonOf, startHttpServer, startScript, until, useDatabase, useForEach, useRunning } from '@platform/testing';
import { join } from 'node:path';
import { TABLES } from '../../app.fixture';
import { REAL_SECRET, startRealCommerce } from '../../clients/commerce.real.fixture';
import { CART, conversations, QUOTE, roomOf, tokenOf, written } from './checkout.fixture';

const commerce = useRunning(() => startRealCommerce());
const database = useDatabase(TABLES);
const room = () => roomOf(database, commerce.client, systemClock, 10_000);
const conversation = conversations(database, room);
const { rows, notices, jobs } = written(database);
const text = expect.any(String) as string;

let storeId = '';
beforeEach(async () => {
  storeId = await commerce.newStore();
  await database.query('DELETE FROM bot_checkouts');
  await database.query('DELETE FROM bot_engine_jobs._private_jobs');
});

/** On the way to commerce-api: brings every call there, and keeps the answer about an order back when told to. */
const startWay = async () => {
  const state = { keepsBack: false, made: 0 };
  const server = await startHttpServer((request, response) => {
    void (async () => {
      const { method, url = '', headers } = request;
      const sent = method === 'POST' ? JSON.stringify(await jsonOf(request)) : undefined;
      const names = ['x-service', 'x-timestamp', 'x-signature', 'content-type', 'authorization', 'x-store-id'];
      const given = names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : []));
      const answer = await fetch(commerce.url + url, {
        method,
        headers: Object.fromEntries(given) as never,
        body: sent,
      });
      const body = await answer.text();
      const isOrder = sent?.includes('idempotencyKey');
      if (isOrder) state.made += 1;
      if (!isOrder || !state.keepsBack)
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(body);
    })();
  });
  return { ...server, state };
};
const way = useForEach(startWay);

/** A quote whose turn is committed, and the process that confirms it. */
const confirming = async () => {
  const mine = await conversation(storeId);
  const quoted = await mine.turn(CART);
  const confirmed = { ...CART, confirmToken: tokenOf(quoted) };
  const { signal: _signal, runId: _run, ...context } = mine.context();
  const ASKED = JSON.stringify({ ...context, args: confirmed });
  const env = { DATABASE_URL: database.url, COMMERCE_URL: way.url, SECRET: REAL_SECRET, ASKED };
  return { ...mine, quoted, confirmed, start: () => startScript(join(__dirname, 'checkout.child.ts'), env) };
};
const state = async () => (await rows()).map((row) => row.state);

describe('an order at commerce-api', () => {
  it('is quoted, confirmed twenty times at once, paid, and told as it stands', async () => {
    const { quoted, confirmed, turn, context } = await confirming();
    expect(quoted.result).toEqual(QUOTE);
    const all = await Promise.all(Array.from({ length: 20 }, () => turn(confirmed)));
    const [order, ...more] = await commerce.orders(storeId);
    expect([order?.total, more]).toEqual([35_000, []]);
    const told = { orderNumber: order?.number, status: 'pending', paymentUrl: text, total: 35_000, expiresAt: text };
    for (const { result } of all) expect(result).toEqual(told);
    await commerce.pay(storeId, order?.number ?? '');
    const { result } = await room().status.run({ orderNumber: order?.number ?? '' }, context());
    expect(result).toMatchObject({ status: 'paid', total: 35_000, paidAt: text });
  });

  it('whose turn is killed before the answer comes is one order, which the next turn gets', async () => {
    const { confirmed, start, turn } = await confirming();
    way.state.keepsBack = true;
    const child = start();
    await until(() => way.state.made === 1);
    await child.stop();
    expect([await state(), (await commerce.orders(storeId)).length]).toEqual([['creating'], 1]);
    const [order] = await commerce.orders(storeId);
    expect((await turn(confirmed)).result).toMatchObject({ orderNumber: order?.number, total: 35_000 });
    expect([await state(), (await commerce.orders(storeId)).length]).toEqual([['pending'], 1]);
  });

  it('whose turn is killed before the answer comes is told by the job, once, when no turn goes on', async () => {
    const { id, start } = await confirming();
    way.state.keepsBack = true;
    const child = start();
    await until(() => way.state.made === 1);
    await child.stop();
    const [job] = await jobs();
    const { repeats } = room();
    if (job) await Promise.all([1, 2].map(() => repeats.run(job.payload)));
    const [order, ...more] = await commerce.orders(storeId);
    const link = new RegExp(`^Pesanan ${order?.number} .* totalnya Rp35\\.000\\. Silakan bayar di sini: https://`);
    expect([more, (await notices(id)).map(({ payload }) => payload.content)]).toEqual([
      ...[[], [{ text: expect.stringMatching(link) as string }]],
    ]);
  });

  it('whose turn is killed when it has the answer is the same order for the turn that starts over', async () => {
    const { id, confirmed, start, turn } = await confirming();
    const child = start();
    await until(async () => (await state())[0] === 'pending');
    await child.stop();
    const [order] = await commerce.orders(storeId);
    const [job] = await jobs();
    if (job) await room().repeats.run(job.payload);
    expect((await turn(confirmed)).result).toMatchObject({ orderNumber: order?.number, paymentUrl: text });
    expect([(await commerce.orders(storeId)).length, await notices(id)]).toEqual([1, []]);
  });
});
