import { useGateway } from '../../gateway.fixture';

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
