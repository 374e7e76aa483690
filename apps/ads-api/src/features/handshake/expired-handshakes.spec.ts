import { Housekeeping } from '@platform/data';
import { expectNoSeqScan, explain } from '@platform/testing';
import { failed, handshakeHeaders, NOW, startAds, type Ads } from '../../ads.fixture';

const MINUTE = 60_000;
let ads: Ads;
beforeEach(async () => {
  ads = await startAds();
});
afterEach(() => ads.stop());

const rows = async () => {
  const [counted] = await ads.database.query<{ handshakes: number; bearers: number }>(
    `SELECT (SELECT count(*) FROM handshake_replays)::int AS handshakes, (SELECT count(*) FROM access_tokens)::int AS bearers`,
  );
  return counted;
};
const sweep = async () => {
  const [housekeeping] = ads.app.components.flat().filter((component) => component instanceof Housekeeping);
  await housekeeping?.sweep();
};

describe('a handshake that is over', () => {
  it('is refused when it comes again within its ten minutes, and its bearer is good, whatever is swept', async () => {
    const client = await ads.client();
    const headers = handshakeHeaders(client, NOW);
    const { authorization = '', ...key } = await ads.signIn(client);
    ads.clock.advance(10 * MINUTE);
    await sweep();
    const { status, body } = await ads.handshake(headers);
    expect({ status, body }).toEqual({ status: 404, body: failed('Invalid Signature') });
    expect((await ads.call('/api/social/accounts', { headers: { authorization, ...key } })).status).toBe(200);
    expect(await rows()).toEqual({ handshakes: 1, bearers: 1 });
  });

  it('leaves no row once neither it nor its bearer can be used', async () => {
    const client = await ads.client();
    await ads.signIn(client);
    ads.clock.advance(12 * MINUTE);
    await sweep();
    expect(await rows()).toEqual({ handshakes: 0, bearers: 1 });
    ads.clock.advance(5 * MINUTE);
    await sweep();
    expect(await rows()).toEqual({ handshakes: 0, bearers: 0 });
  });

  it.each(['handshake_replays', 'access_tokens'])('is found in %s by an index', async (table) => {
    const plan = await explain(ads.database, `SELECT ctid FROM ${table} WHERE expires_at < $1 LIMIT 1000`, [
      new Date(),
    ]);
    expectNoSeqScan(plan, table);
  });
});
