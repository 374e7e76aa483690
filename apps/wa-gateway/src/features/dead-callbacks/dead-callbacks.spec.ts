import { useGateway, until } from '../../gateway.fixture';
import { accepted } from '../../receiver.fixture';

const BUDI = '628123456789';
const JID = `${BUDI}@s.whatsapp.net`;
interface Item {
  event_id: string;
  number: string;
}
interface Page {
  items: Item[];
  next_cursor: string | null;
}

const gateway = useGateway();
beforeAll(async () => {
  await gateway.client.link('dev1');
  await gateway.client.link('dev2', {}, '628110000002');
});
beforeEach(async () => {
  gateway.receiver.reset();
  await gateway.database.query('DELETE FROM outbox_row');
});

const dead = (query = ''): Promise<Page> => gateway.client.data<Page>(gateway.client.get(`/api/webhook/dead${query}`));
const replay = (body: object): Promise<{ replayed: number }> =>
  gateway.client.data(gateway.client.post('/api/webhook/replay', body));
const words = () => gateway.receiver.messages().map(({ fields }) => fields.text);
/** Messages of Budi, each of which is refused for good. */
const refused = async (to: string, count: number, from = BUDI): Promise<void> => {
  gateway.receiver.answer = () => ({ body: { result: false, message: 'Callback result false' } });
  for (let n = 0; n < count; n++) await gateway.client.customer(from, to, `${to} ${n}`);
  await until(
    () => gateway.receiver.calls.length,
    (calls) => calls === count,
  );
  await until(
    () => gateway.database.query(`SELECT 1 FROM outbox_row WHERE state IN ('queued')`),
    ({ length }) => length === 0,
  );
  gateway.receiver.reset();
};

describe('a callback that is refused for good', () => {
  it('is listed, lets its chat go on, and comes again with the same event id', async () => {
    const { client, receiver } = gateway;
    receiver.answer = ({ fields }) =>
      fields.text === 'dua' ? { body: { result: false, message: 'missing required fields' } } : accepted;
    for (const text of ['satu', 'dua', 'tiga']) await client.customer(BUDI, 'dev1', text);
    await until(
      () => receiver.calls.length,
      (calls) => calls === 3,
    );
    const eventId = receiver.calls[1]?.headers['x-gateway-event-id'];
    await until(async () => (await dead()).items.length === 1, Boolean);
    expect(await client.get('/api/webhook/dead?instanceID=dev1')).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'dead callbacks',
        data: {
          items: [
            {
              event_id: eventId,
              instanceID: 'dev1',
              number: JID,
              report: false,
              attempts: 1,
              last_error: 'refused: missing required fields',
              dead_at: expect.stringMatching(/^\d{4}-.*Z$/),
            },
          ],
          next_cursor: null,
        },
      },
    });
    receiver.reset();
    expect(await client.post('/api/webhook/replay', { event_id: eventId })).toEqual({
      status: 200,
      body: { success: true, message: 'callbacks replayed', data: { replayed: 1 } },
    });
    await until(
      () => words(),
      ({ length }) => length === 1,
    );
    expect([words(), receiver.calls[0]?.headers['x-gateway-event-id']]).toEqual([['dua'], eventId]);
    expect(await dead()).toEqual({ items: [], next_cursor: null });
    expect(await replay({ event_id: eventId })).toEqual({ replayed: 0 });
  });

  it('may be a status, which says so', async () => {
    const { client, receiver } = gateway;
    receiver.answer = ({ fields }) =>
      fields.status === 'sent' ? { body: { result: false, message: 'message update not valid' } } : accepted;
    await client.data(client.post('/sim/phones', { nohp: BUDI }));
    const { id } = await client.data<{ id: string }>(client.send('D-1', BUDI, 'halo', { instanceID: 'dev1' }));
    await until(
      () => receiver.statuses(id),
      (statuses) => statuses.includes('delivered'),
    );
    expect((await dead()).items).toEqual([expect.objectContaining({ report: true, status: 'sent', number: JID })]);
  });
});

describe('the list of dead callbacks', () => {
  it('is paged, newest first, of one device or of all', async () => {
    await refused('dev1', 3);
    await refused('dev2', 2);
    expect((await dead()).items).toHaveLength(5);
    expect((await dead('?instance=dev2')).items).toHaveLength(2);
    const first = await dead('?instanceID=dev1&limit=2');
    const rest = await dead(`?instanceID=dev1&limit=2&cursor=${first.next_cursor}`);
    expect([first.items.length, rest.items.length, rest.next_cursor]).toEqual([2, 1, null]);
    expect(new Set([...first.items, ...rest.items].map(({ event_id: id }) => id)).size).toBe(3);
  });

  it.each([
    ['?limit=0', 422],
    ['?limit=201', 422],
    ['?cursor=x', 422],
    ['?instanceID=nobody', 404],
  ])('refuses %s', async (query, status) => {
    expect((await gateway.client.get(`/api/webhook/dead${query}`)).status).toBe(status);
  });
});

describe('a replay of dead callbacks', () => {
  it('of a device takes what was written from a moment on, in its old order, and nothing of other devices', async () => {
    await refused('dev1', 1);
    await gateway.database.query(`UPDATE outbox_row SET created_at = created_at - interval '1 hour'`);
    await refused('dev1', 4);
    await refused('dev2', 1);
    const since = new Date(Date.now() - 60_000).toISOString();
    expect(await replay({ instanceID: 'dev1', since })).toEqual({ replayed: 4 });
    await until(
      () => words(),
      ({ length }) => length === 4,
    );
    expect(words()).toEqual([0, 1, 2, 3].map((n) => `dev1 ${n}`));
    expect((await dead()).items).toHaveLength(2);
    expect(await replay({ instance: 'dev1' })).toEqual({ replayed: 1 });
  });

  it.each([
    [{}, 422, 'event_id is required'],
    [{ event_id: 'x' }, 422, 'event_id is not valid'],
    [{ instanceID: 'dev1', since: 'yesterday' }, 422, 'since is not valid'],
    [{ instanceID: 'nobody' }, 404, 'device not found'],
  ])('of %j is refused', async (body, status, message) => {
    expect(await gateway.client.post('/api/webhook/replay', body)).toMatchObject({ status, body: { message } });
  });
});
