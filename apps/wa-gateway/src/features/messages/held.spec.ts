import { Sends } from '@platform/runtime';
import { useForEach } from '@platform/testing';
import { queued, startGateway, until } from '../../gateway.fixture';

const BUDI = '628123456789';
const SARI = '628120000002';
const JID = `${BUDI}@s.whatsapp.net`;

let sends: Sends;
const gateway = useForEach(() => {
  sends = new Sends('held');
  return startGateway({ ACK_TIMEOUT: '1s' }, { sends });
});
beforeEach(async () => {
  await gateway.client.link('dev1');
  for (const nohp of [BUDI, SARI])
    await gateway.client.data(gateway.client.post('/sim/phones', { nohp, name: 'Pelanggan' }));
});

/** All that was handed to WhatsApp, for any phone. */
const left = () => gateway.database.query<{ id: string }>(`SELECT id FROM sim_message WHERE direction = 'out'`);
const states = () =>
  gateway.database.query(`SELECT pesan_id, send_state, repeats, sent_at FROM message WHERE from_me ORDER BY seq`);
const waiting = (pesan_id: string) => ({ pesan_id, send_state: 'queued', repeats: 0, sent_at: null });
const shows = (nohp: string, count: number) =>
  until(
    () => gateway.client.shows(nohp),
    (texts) => texts.length >= count,
  );
const health = async () => (await gateway.client.get('/health')).body;
/** Runs all timed work of a device at once. */
const timePasses = async (): Promise<void> => {
  await gateway.app.fleet.pickUpForgotten();
  await gateway.app.fleet.chase();
};

describe('while sends are held', () => {
  it('a send is accepted with its usual answer, told as pending, and stays untouched', async () => {
    const { client, receiver } = gateway;
    expect(await client.send('P-1', BUDI, 'Halo kak')).toEqual({
      status: 200,
      body: {
        success: true,
        message: 'success send message',
        data: queued('P-1', JID),
      },
    });
    await until(
      () => receiver.taken.map(({ fields }) => fields.status),
      (told) => told.includes('pending'),
    );
    await timePasses();
    expect([await states(), await left(), await client.shows(BUDI)]).toEqual([[waiting('P-1')], [], []]);
  });

  it('what a customer writes arrives as ever', async () => {
    await gateway.client.customer(BUDI, 'dev1', 'ada stok?');
    await until(
      () => gateway.receiver.messages().map(({ fields }) => fields.text),
      (texts) => texts.includes('ada stok?'),
    );
  });

  it('/health and /metrics count what waits, and say nothing of it afterwards', async () => {
    await gateway.client.send('P-1', BUDI, 'satu');
    await gateway.client.send('P-2', SARI, 'dua');
    const metric = async () =>
      (await (await fetch(`${gateway.client.url}/metrics`)).text())
        .split('\n')
        .filter((line) => /^sends_held.*"devices"/.test(line));
    expect([await health(), await metric()]).toEqual([
      expect.objectContaining({ status: 'ok', held: 2 }),
      ['sends_held{component="devices",service="wa-gateway"} 2'],
    ]);
    sends.release();
    await shows(SARI, 1);
    expect([await health(), await metric()]).toEqual([expect.not.objectContaining({ held: expect.anything() }), []]);
  });

  it('a campaign lets nobody out of its lane', async () => {
    const { client, database } = gateway;
    const bulk = { bulk: { delay_min: 0, delay_max: 0 } };
    expect((await client.send('B-1', BUDI, 'promo', bulk)).status).toBe(200);
    const broadcast = { broadcast_id: 'PROMO', numbers: [BUDI, SARI], text: 'promo lagi' };
    expect((await client.post('/api/send-broadcast', broadcast)).status).toBe(200);
    await timePasses();
    const items = () => database.query(`SELECT DISTINCT state FROM campaign_item`);
    expect([await items(), await left()]).toEqual([[{ state: 'waiting' }], []]);
  });

  it.each([
    ['/api/typing', { number: BUDI, on: true }],
    ['/api/mark-read', { number: BUDI }],
    ['/api/group/create', { name: 'Promo', participants: [BUDI] }],
  ])('%s is refused, because there is nowhere to keep it', async (path, body) =>
    expect(await gateway.client.post(path, body)).toEqual({
      status: 503,
      body: { success: false, message: 'sends are held', error: { code: 'UNAVAILABLE', retryable: true } },
    }),
  );
});

describe('the release of held sends', () => {
  const texts = ['satu', 'dua', 'tiga', 'empat', 'lima'];
  const sendAll = async (): Promise<void> => {
    for (const text of texts) for (const nohp of [BUDI, SARI]) await gateway.client.send(`${nohp} ${text}`, nohp, text);
  };
  const expectAllOnce = async (): Promise<void> => {
    expect([await shows(BUDI, 5), await shows(SARI, 5)]).toEqual([texts, texts]);
    await until(states, (rows) => rows.every(({ send_state }) => send_state === 'acked'));
    expect((await states()).map(({ repeats }) => repeats)).toEqual(Array(10).fill(0));
    expect(await left()).toHaveLength(10);
  };

  it('in the running process sends everything once and in the order of each chat', async () => {
    await sendAll();
    expect(await left()).toEqual([]);
    sends.release();
    await expectAllOnce();
  });

  it('can be taken back, and given again, between two messages', async () => {
    sends.release();
    await gateway.client.send('P-1', BUDI, 'satu');
    await shows(BUDI, 1);
    sends.hold();
    await gateway.client.send('P-2', BUDI, 'dua');
    await timePasses();
    expect(await gateway.client.shows(BUDI)).toEqual(['satu']);
    sends.release();
    expect(await shows(BUDI, 2)).toEqual(['satu', 'dua']);
  });

  it('wakes the campaign lane', async () => {
    const bulk = { bulk: { delay_min: 0, delay_max: 0 } };
    await gateway.client.send('B-1', BUDI, 'promo', bulk);
    sends.release();
    expect(await shows(BUDI, 1)).toEqual(['promo']);
  });
});
