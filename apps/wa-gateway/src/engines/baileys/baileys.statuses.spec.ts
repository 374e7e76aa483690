/** @jest-environment ../../tools/jest/native-import.environment.cjs */
import { until, useRunning } from '@platform/testing';
import { noFaults } from '@platform/testing/whatsapp';
import { acceptSend, useEngine } from './engine.fixture';

const SHOP = '628110000001';
const BUDI = '628123456789';
const BUDI_JID = `${BUDI}@s.whatsapp.net`;

const { database, sandbox, sink, engine } = useEngine({ shop: SHOP });
const budi = useRunning(() => sandbox.phone(BUDI, { name: 'Budi' }));
afterEach(() => [SHOP, BUDI].forEach((number) => sandbox.faults(noFaults, number)));

let count = 0;
const send = async (text: string): Promise<string> => {
  const id = `3EB0${String(++count).padStart(18, '0')}`;
  await acceptSend(database, { chat: BUDI_JID, id, content: { kind: 'text', text } });
  await engine.send(BUDI_JID, { kind: 'text', text }, { id });
  return id;
};
const reached = (id: string, level: string) =>
  until(
    () => sink.levels(id),
    (levels) => levels.includes(level),
  );

it('the ladder is told rung by rung', async () => {
  const id = await send('halo');
  const got = await budi.waitFor((message) => message.id === id);
  await reached(id, 'delivered');
  await budi.markRead({ id, chat: got.chat, fromMe: false });
  await reached(id, 'viewed');
  await budi.markPlayed({ id, chat: got.chat, fromMe: false });
  expect(await reached(id, 'played')).toEqual(['sent', 'delivered', 'viewed', 'played']);
  expect(sink.statuses.find((change) => change.id === id)).toEqual({
    ...{ id, chat: BUDI_JID, level: 'sent', at: expect.any(Number) },
  });
});

it('one receipt for several messages counts for each', async () => {
  const ids = [await send('satu'), await send('dua'), await send('tiga')];
  const got = await Promise.all(ids.map((id) => budi.waitFor((message) => message.id === id)));
  await budi.markRead(...got.map(({ id, chat }) => ({ id, chat, fromMe: false })));
  for (const id of ids) expect(await reached(id, 'viewed')).toEqual(['sent', 'delivered', 'viewed']);
});

it('a refusal with 463 is a failure and a restriction, and the message goes out no second time', async () => {
  sandbox.faults({ nack: '463' }, SHOP);
  const before = sandbox.heard(SHOP, 'message').length;
  const id = await send('ditolak');
  await until(() => sink.restrictions.length, Boolean);
  expect(sink.failures).toEqual([{ id, code: 'WA_463', retryable: false }]);
  expect(sink.levels(id)).toEqual([]);
  expect(sink.restrictions).toEqual([{ until: expect.any(Date), cause: 'WA_463' }]);
  expect(sink.restrictions[0]?.until.getTime()).toBeGreaterThan(Date.now() + 3_600_000);
  expect(sandbox.heard(SHOP, 'message')).toHaveLength(before + 1);
});

it('a send whose acknowledgement got lost, sent again, is one message with its ladder', async () => {
  sandbox.faults({ dropAck: true }, SHOP);
  const id = await send('hilang');
  await budi.waitFor((message) => message.id === id);
  await reached(id, 'delivered');
  expect(sink.levels(id)).toEqual(['delivered']);
  sandbox.faults(noFaults, SHOP);
  await engine.send(BUDI_JID, { kind: 'text', text: 'hilang' }, { id });
  await reached(id, 'sent');
});

it('a phone that could not read a message gets it again, from the archive, after a restart too', async () => {
  sandbox.faults({ garble: 1 }, BUDI);
  const id = await send('ulang');
  const got = await budi.waitFor((message) => message.id === id && message.text === 'ulang');
  expect(got.text).toBe('ulang');
});

it('a receipt of another device of the shop changes nothing', async () => {
  const id = await send('sendiri');
  await reached(id, 'delivered');
  sandbox.send(SHOP, {
    tag: 'receipt',
    attrs: { from: `${SHOP}@s.whatsapp.net`, recipient: BUDI_JID, id, type: 'read', t: '1' },
  });
  sandbox.send(SHOP, { tag: 'receipt', attrs: { from: BUDI_JID, id, type: 'inactive', t: '1' } });
  sandbox.send(SHOP, { tag: 'receipt', attrs: { from: BUDI_JID, id, type: 'played', t: '1' } });
  expect(await reached(id, 'played')).toEqual(['sent', 'delivered', 'played']);
});
