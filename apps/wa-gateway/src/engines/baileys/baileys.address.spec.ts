import type { DeviceLine } from '../../features/devices/device-line';
import { until, useGateway } from '../../gateway.fixture';

const BUDI = '628123456789';

const gateway = useGateway();
beforeAll(async () => {
  await gateway.client.link('dev1');
  await gateway.client.data(gateway.client.post('/sim/phones', { nohp: BUDI, name: 'Budi' }));
  await gateway.database.query(`INSERT INTO chat_identity VALUES ('dev1', '9628110000001@lid', $1)`, [
    `${BUDI}@s.whatsapp.net`,
  ]);
});

it.each([
  ['9628110000001@lid', `${BUDI}@s.whatsapp.net`],
  ['9628110000002@lid', '9628110000002@lid'],
])('a send to %s stands in chat %s', async (number, chat) => {
  const { client, database } = gateway;
  const sent = await client.data<{ number: string }>(client.send(`P-${number}`, number, 'halo'));
  expect(sent.number).toBe(chat);
  const kept = `SELECT payload->'options'->>'hidden' AS hidden FROM message WHERE pesan_id = $1`;
  expect(await database.query(kept, [`P-${number}`])).toEqual([{ hidden: number === chat ? null : number }]);
});

it('a send that is asked for again after the number behind its address was learned is the same send', async () => {
  const { client, database } = gateway;
  const hidden = '9628110000003@lid';
  const sent = await client.data<{ id: string; number: string }>(client.send('P-learned', hidden, 'halo'));
  expect(sent.number).toBe(hidden);
  await database.query(`INSERT INTO chat_identity VALUES ('dev1', $1, $2)`, [hidden, `${BUDI}@s.whatsapp.net`]);

  const again = await client.data(client.send('P-learned', hidden, 'halo'));
  expect(again).toMatchObject({ id: sent.id, number: hidden, duplicate: true });
  expect((await client.send('P-learned', hidden, 'lain')).status).toBe(422);
});

it('a send that is asked for again after its address has lost the number, or has another one, is the same send, also by that number', async () => {
  const { client, database } = gateway;
  const hidden = '9628110000005@lid';
  await database.query(`INSERT INTO chat_identity VALUES ('dev1', $1, $2)`, [hidden, `${BUDI}@s.whatsapp.net`]);
  const sent = await client.data<{ id: string }>(client.send('P-lost', hidden, 'halo'));
  for (const becomes of [`UPDATE chat_identity SET pn = '6281@s.whatsapp.net'`, 'DELETE FROM chat_identity']) {
    await database.query(`${becomes} WHERE lid = $1`, [hidden]);
    for (const number of [hidden, BUDI])
      expect(await client.data(client.send('P-lost', number, 'halo'))).toMatchObject({ id: sent.id, duplicate: true });
  }
  expect((await client.send('P-lost', '628111', 'halo')).status).toBe(422);
  expect((await client.send('P-lost', hidden, 'lain')).status).toBe(422);
});

it('who is written to by a LID gets it also when WhatsApp does not know the number of before any more', async () => {
  const { client, database } = gateway;
  const hidden = '9628110000006@lid';
  await database.query(`INSERT INTO chat_identity VALUES ('dev1', $1, '628999999999@s.whatsapp.net')`, [hidden]);
  expect((await client.send('P-gone', hidden, 'halo')).status).toBe(200);
  expect((await client.send('P-none', '628999999998', 'halo')).status).toBe(422);
});

it('what is sent after the number behind an address was learned leaves behind what waits by that address, each by its own', async () => {
  const { client, database, app } = gateway;
  const hidden = '9628110000004@lid';
  const line = (await app.fleet.here('dev1')) as DeviceLine;
  const seen: string[] = [];
  const send = jest.spyOn(line.engine, 'send').mockImplementation(async (_, content, { id }) => {
    const { text } = content as { text: string };
    seen.push(`${text} begins`);
    await database.query('SELECT pg_sleep(0.05)');
    seen.push(`${text} has left`);
    return { waId: id };
  });
  const number = `${BUDI}@s.whatsapp.net`;
  const ofLane = [
    `INSERT INTO message (instance_id, chat, id, from_me, direction, type, payload, send_state, at)
     VALUES ('dev1', $1, 'P-lane', true, 'out', 'text', '{}', 'queued', now())`,
    `INSERT INTO campaign_item (instance_id, chat, message_id) VALUES ('dev1', $1, 'P-lane')`,
  ];
  for (const waits of ofLane) await database.query(waits, [number]);
  line.outgoing.pause();
  await client.data(client.send('P-one', hidden, 'satu'));
  await database.query(`INSERT INTO chat_identity VALUES ('dev1', $1, $2)`, [hidden, number]);
  for (const again of [{}, { duplicate: true }])
    expect(await client.data(client.send('P-two', BUDI, 'dua'))).toMatchObject({ number, ...again });
  await client.data(client.send('P-three', hidden, 'tiga'));
  line.outgoing.resume();
  await until(
    () => seen.length,
    (length) => length === 6,
  );
  await until(
    () => line.outgoing.size,
    (size) => size === 0,
  );
  expect(seen).toEqual(['satu', 'dua', 'tiga'].flatMap((text) => [`${text} begins`, `${text} has left`]));
  await client.data(client.send('P-four', hidden, 'empat'));
  await until(
    () => seen.length,
    (length) => length === 8,
  );
  const by = send.mock.calls.map(([to, , options]) => [to, options.hidden]);
  expect(by).toEqual([[hidden], [number], [number, hidden], [number, hidden]].map(([to, as]) => [to, as]));
  send.mockRestore();
});
