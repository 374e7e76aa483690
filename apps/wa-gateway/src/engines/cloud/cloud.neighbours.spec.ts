import { createHmac } from 'node:crypto';
import { cloudAccount, useCloudGateway } from './cloud.fixture';

const { gateway } = useCloudGateway();
const OTHER = '106540352242923';
beforeAll(async () => {
  const cloud = { ...cloudAccount, phone_number_id: OTHER };
  await gateway.client.data(gateway.client.post('/api/new', { instanceID: 'toko-2', engine: 'cloud', cloud }));
});

const REFUSED = 'wamid.refused';
/** What stands for whatever keeps one message from being stored for long. */
const refuse = () =>
  gateway.database.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not now'; END $$;
    CREATE TRIGGER refuses BEFORE INSERT ON message FOR EACH ROW WHEN (NEW.id LIKE '${REFUSED}%') EXECUTE FUNCTION refuse()`);
const allow = () =>
  gateway.database.query('DROP TRIGGER IF EXISTS refuses ON message; DROP FUNCTION IF EXISTS refuse()');
afterEach(allow);

const text = (from: string, id: string) => ({ from, id, timestamp: '1795180010', type: 'text', text: { body: id } });
const value = (messages: readonly object[], phone_number_id = cloudAccount.phone_number_id) => ({
  metadata: { phone_number_id },
  contacts: [{ profile: { name: 'Budi' }, wa_id: '628120000001' }],
  messages,
});
const arrives = async (...values: readonly object[]): Promise<number> => {
  const body = JSON.stringify({ entry: [{ changes: values.map((each) => ({ field: 'messages', value: each })) }] });
  const signature = `sha256=${createHmac('sha256', cloudAccount.app_secret).update(body).digest('hex')}`;
  const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature };
  return (await gateway.client.get('/webhook/cloud', { method: 'POST', headers, body })).status;
};
const storedIds = async (): Promise<string[]> =>
  (await gateway.database.query<{ id: string }>(`SELECT id FROM message WHERE id LIKE 'wamid.%' ORDER BY seq`)).map(
    ({ id }) => id,
  );

const [ANI, BUDI] = ['628120000001', '628120000002'];

describe('what comes in one webhook with a message that cannot be stored', () => {
  beforeEach(() => gateway.database.query(`DELETE FROM message WHERE id LIKE 'wamid.%'`));

  it('is stored, of other customers and of other devices, and that one with the repetition', async () => {
    await refuse();
    const values = [
      value([text(ANI, REFUSED), text(BUDI, 'wamid.same-value')]),
      value([text(BUDI, 'wamid.next-value')]),
      value([text(BUDI, 'wamid.other-device')], OTHER),
    ];
    expect(await arrives(...values)).toBe(500);
    const neighbours = ['wamid.same-value', 'wamid.next-value', 'wamid.other-device'];
    expect(await storedIds()).toEqual(neighbours);
    await allow();
    expect(await arrives(...values)).toBe(200);
    expect(await storedIds()).toEqual([...neighbours, REFUSED]);
  });

  it('is stored also where nobody can say who wrote that one', async () => {
    const nameless = { ...text(BUDI, 'wamid.nameless'), from: Number(BUDI) };
    expect(await arrives(value([nameless, text(ANI, 'wamid.behind')]), value([text(ANI, 'wamid.later')]))).toBe(500);
    expect(await storedIds()).toEqual(['wamid.behind', 'wamid.later']);
  });

  it('waits for it in its own chat, so that both keep their order', async () => {
    await refuse();
    const values = [value([text(ANI, REFUSED), text(ANI, 'wamid.behind')]), value([text(ANI, 'wamid.later')])];
    expect(await arrives(...values)).toBe(500);
    expect(await storedIds()).toEqual([]);
    await allow();
    expect(await arrives(...values)).toBe(200);
    expect(await storedIds()).toEqual([REFUSED, 'wamid.behind', 'wamid.later']);
  });

  describe('waits for it in its own chat also when the same person comes to hide the number', () => {
    const both = { ...text(ANI, 'wamid.behind'), from_user_id: 'ID.7001' };
    const { from, ...hidden } = { ...both, id: 'wamid.later' };

    it.each([
      ['behind one by both names', [text(from, REFUSED), both, hidden], [REFUSED, 'wamid.behind', 'wamid.later']],
      ['that was told before', [text(from, REFUSED), hidden], [REFUSED, 'wamid.later']],
    ])('%s', async (_, messages, ids) => {
      await refuse();
      expect(await arrives(value(messages))).toBe(500);
      expect(await storedIds()).toEqual([]);
      await allow();
      expect(await arrives(value(messages))).toBe(200);
      expect(await storedIds()).toEqual(ids);
    });
  });
});
