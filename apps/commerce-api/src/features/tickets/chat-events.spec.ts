import { linkCodeOf } from '@platform/contracts';
import { hostileTexts } from '@platform/testing';
import { askOf } from '../../asked.fixture';
import { bearer, newApiToken, newMember, newStore, useCommerce } from '../../commerce.fixture';
import type { SourceRow } from '../marketing/visits/visits.dto';
import type { Tracker } from '../marketing/trackers/trackers.dto';

const commerce = useCommerce();
const PHONE = '6281234567890';
const DAYS = 'from=2026-02-28&to=2026-03-02';

const shop = async () => {
  const storeId = await newStore(commerce);
  const ask = askOf(commerce)(storeId);
  /** As chat-backend tells it. */
  const tell = (
    events: readonly object[],
    token = commerce.storeAuth.serviceToken('chat-backend', storeId),
    store = storeId,
  ) => commerce.post('/internal/chat-events', { store_id: store, events }, bearer(token));
  const link = async () =>
    (await ask<Tracker>('POST', '/tracker', { target: 'https://wa.me/6281234567890' })).body.data;
  const chats = async ({ id }: Tracker) => (await ask<Tracker>('GET', `/tracker/${id}`)).body.data.chats;
  const sources = async () => (await ask<SourceRow[]>('GET', `/tracking/sources?${DAYS}`)).body.data;
  return { storeId, ask, tell, link, chats, sources };
};
const opened = (code: string, more: object = {}) => ({
  ...{ id: 'link:M1', kind: 'link_opened', code, nohp: PHONE, chatId: 'C1', ...more },
});
/** Status and body. */
const answer = async (call: ReturnType<typeof commerce.post>) => {
  const { status, body } = await call;
  return [status, body];
};
const news = (n: number) => [200, { status: 'success', message: 'OK', data: { applied: n } }];

describe('what happened in chats', () => {
  it('is told by chat-backend alone, of the store whose token it has', async () => {
    const [{ storeId, tell }, other] = [await shop(), await shop()];
    const { storeAuth } = commerce;
    const everything = await newApiToken(commerce, storeId, { abilities: ['marketing.write', 'ticket.write'] });
    const tokens = [
      ...['bot-engine', 'store-auth', 'wa-gateway', 'ads-api', 'commerce-api'].map((name) =>
        storeAuth.serviceToken(name, storeId),
      ),
      ...[
        storeAuth.userToken({ store_id: storeId }),
        (await newMember(commerce, storeId, 'admin')).token,
        everything.token,
      ],
    ];
    for (const token of tokens) expect(await tell([], token)).toMatchObject({ status: 403 });
    const foreign = storeAuth.serviceToken('chat-backend', storeId, 'chat-backend');
    for (const token of ['', 'x', foreign]) expect(await tell([], token)).toMatchObject({ status: 401 });
    expect(await tell([], storeAuth.serviceToken('chat-backend', storeId), other.storeId)).toMatchObject({
      status: 403,
    });
    expect(await answer(tell([]))).toEqual(news(0));
  });

  it('changes nothing when it is of an unknown kind, of another store’s ticket or link, or of a code that nobody has', async () => {
    const [mine, theirs] = [await shop(), await shop()];
    const { code } = await theirs.link();
    const ticketId = `${theirs.storeId}.0199f7a0-0000-7000-8000-000000000001`;
    const told = [
      { id: 'a', kind: 'nobody_knows', nohp: PHONE },
      { id: 'b', kind: 'ticket_resolved', nohp: PHONE, ticketId },
      { id: 'c', kind: 'ticket_resolved', nohp: PHONE },
      { id: 'd', kind: 'link_opened', nohp: PHONE, code },
      opened(code, { id: 'e' }),
      opened('nobody99', { id: 'f' }),
    ];
    expect(await answer(mine.tell(told))).toEqual(news(0));
    const kept = 'SELECT count(*)::int AS n FROM tracker_chat WHERE store_id IN ($1, $2)';
    expect(await commerce.database.query(kept, [mine.storeId, theirs.storeId])).toEqual([{ n: 0 }]);
  });

  it('is never an error, whatever stands in its texts', async () => {
    const { tell, link } = await shop();
    for (const [name, hostile] of Object.entries(hostileTexts))
      for (const field of ['id', 'code', 'nohp', 'chatId', 'kind'] as const)
        for (const length of [12, 36, 60, 200]) {
          const { status } = await tell([opened('promo24', { id: 'x', [field]: hostile(length) })]);
          expect([name, field, length, status < 500]).toEqual([name, field, length, true]);
        }
    const { code } = await link();
    for (const nohp of ['62812345678901234567', '120363000000000009@g.us', '-', 'x'.repeat(128)])
      expect([nohp, await answer(tell([opened(code, { id: nohp, nohp })]))]).toEqual([nohp, news(0)]);
  });
});

describe('a link that a customer came by', () => {
  it('is one chat of its tracker and its source, however often the message is told and whatever the case of its code', async () => {
    const { tell, link, chats, sources } = await shop();
    const tracker = await link();
    const told = await Promise.all(Array.from({ length: 5 }, () => tell([opened(tracker.code.toUpperCase())])));
    expect(told.map(({ body }) => (body as { data: { applied: number } }).data.applied).sort()).toEqual([
      0, 0, 0, 0, 1,
    ]);
    expect([await chats(tracker), await sources()]).toMatchObject([1, [{ source: tracker.code, chats: 1 }]]);
  });

  it('is one chat of a customer who writes with it again and again, and another of each other customer', async () => {
    const { tell, link, chats, sources } = await shop();
    const tracker = await link();
    await Promise.all(Array.from({ length: 6 }, (_, n) => tell([opened(tracker.code, { id: `link:M${n}` })])));
    await tell([opened(tracker.code, { id: 'link:M7' }), opened(tracker.code, { id: 'link:M8' })]);
    expect([await chats(tracker), await sources()]).toMatchObject([1, [{ source: tracker.code, chats: 1 }]]);
    await tell([opened(tracker.code, { id: 'link:N1', nohp: '6281234567891', chatId: 'C2' })]);
    expect([await chats(tracker), await sources()]).toMatchObject([2, [{ source: tracker.code, chats: 2 }]]);
  });

  it('is another chat of a customer who comes by it again after the week in which orders were its own', async () => {
    const { storeId, tell, link, chats } = await shop();
    const tracker = await link();
    await tell([opened(tracker.code)]);
    const earlier = `UPDATE tracker_chat SET at = at - interval '7 days' WHERE store_id = $1`;
    await commerce.database.query(earlier, [storeId]);
    await tell([opened(tracker.code, { id: 'link:M2' })]);
    expect(await chats(tracker)).toBe(2);
  });

  it('is the last one of a text that holds thousands, none where there is no end, and never a foreign one', async () => {
    const [{ tell, link, chats }, other] = [await shop(), await shop()];
    const [mine, foreign] = [await link(), await other.link()];
    const text = `${`[#${foreign.code}]`.repeat(10_000)}[#${mine.code.toUpperCase()}] [#${'[#'.repeat(10_000)}`;
    const code = linkCodeOf(text);
    expect(code).toBe(mine.code);
    await tell([opened(code ?? ''), opened(foreign.code, { id: 'link:M2' })]);
    expect([await chats(mine), await other.chats(foreign)]).toEqual([1, 0]);
  });
});
