import { silentLogger } from '@platform/runtime';
import { adsUsers, type AdsOptions } from '@platform/testing/graph';
import { explain, expectNoSeqScan, until } from '@platform/testing';
import { useAdsWithGraph, type AdsWithGraph, type Client } from '../../ads.fixture';
import { jobQueue } from '../../jobs';
import { Renewal } from './renewal';
import { StoredTokens } from './stored-tokens';
import { tokenBox } from './token.box';

const DAY_MS = 86_400_000;

const suite = (options: AdsOptions) => {
  const ads = useAdsWithGraph({}, options);
  const connected = async (days: number | null): Promise<{ client: Client; id: string }> => {
    const client = await ads.client();
    const id = await ads.connect(client);
    const end = days === null ? null : new Date(ads.clock.now().getTime() + days * DAY_MS);
    await ads.database.query('UPDATE social_tokens SET expires_at = $2 WHERE id = $1', [id, end]);
    return { client, id };
  };
  return { ads, connected };
};
interface Row {
  readonly is_active: boolean;
  readonly inactive_reason: string | null;
  readonly ciphertext: string;
  readonly expires_at: Date | null;
}
const rowOf = async (ads: AdsWithGraph, id: string) => {
  const [found] = await ads.database.query<Row>(
    'SELECT is_active, inactive_reason, ciphertext, expires_at FROM social_tokens WHERE id = $1',
    [id],
  );
  return found;
};
const exchanges = (ads: AdsWithGraph) =>
  ads.graph.ads.calls().filter(({ fields }) => fields.grant_type === 'fb_exchange_token').length;
const look = (ads: AdsWithGraph) => jobQueue().enqueue(ads.database, 'social.expiring', {});

describe('a token that ends within seven days', () => {
  const { ads, connected } = suite({ requireProof: true, extendsTokens: true });

  it('is exchanged for one that ends later', async () => {
    const { id } = await connected(6.9);
    const before = await rowOf(ads, id);
    await look(ads);
    const after = await until(
      () => rowOf(ads, id),
      (row) => row?.ciphertext !== before?.ciphertext,
    );
    expect(after).toMatchObject({ is_active: true, inactive_reason: null });
    expect((after?.expires_at?.getTime() ?? 0) - ads.clock.now().getTime()).toBeGreaterThan(50 * DAY_MS);
  });

  it('is left as it is while upstream cannot be asked', async () => {
    const { id } = await connected(3);
    const before = await rowOf(ads, id);
    ads.graph.ads.clearCalls();
    ads.graph.ads.addFault({ kind: 'drop_before_apply', call: 'any' });
    await look(ads);
    await until(
      () => exchanges(ads),
      (count) => count > 0,
    );
    expect(await rowOf(ads, id)).toEqual(before);
    ads.graph.ads.reset();
  });

  it('that upstream does not take any more makes its account inactive', async () => {
    const { id } = await connected(2);
    ads.graph.ads.endTokens(adsUsers.andi.id, 460);
    await look(ads);
    const after = await until(
      () => rowOf(ads, id),
      (row) => row?.is_active === false,
    );
    expect(after).toMatchObject({ inactive_reason: 'password_changed' });
    ads.graph.ads.reset();
  });
});

describe('a token that an exchange does not extend', () => {
  const { ads, connected } = suite({ requireProof: true });

  it('works on, and says that somebody must connect anew', async () => {
    const client = await ads.client();
    const id = await ads.connect(client);
    const soon = new Date(ads.clock.now().getTime() + 5 * DAY_MS);
    const sealed = tokenBox(Buffer.alloc(32, 'development only ').toString('base64'));
    const token = ads.graph.ads.mintToken({ userId: adsUsers.andi.id, expiresInMs: 60_000, long: true });
    const { ciphertext } = sealed.seal(client.id, id, token);
    await ads.database.query('UPDATE social_tokens SET ciphertext = $2, expires_at = $3 WHERE id = $1', [
      ...[id, ciphertext, soon],
    ]);
    await look(ads);
    const told = await until(
      () => rowOf(ads, id),
      (row) => row?.inactive_reason === 'reconnect_soon',
    );
    expect(told).toMatchObject({ is_active: true, ciphertext });
    // Written once that is kept
    const warned = () => ads.lines.filter((line) => line.includes('should be connected anew') && line.includes(id));
    await until(warned, ({ length }) => length > 0);
    expect(warned()).toHaveLength(1);
  });

  it('and whose answer names no end is asked when it ends, and says the same', async () => {
    const { client, id } = await connected(5);
    const expiresAt = new Date(ads.clock.now().getTime() + 5 * DAY_MS);
    const facts = { appId: 'any', valid: true, scopes: [], userId: adsUsers.andi.id, expiresAt };
    const graph = {
      longLived: async () => ({ accessToken: 'another', expiresAt: null }),
      debugToken: async () => facts,
    };
    const box = tokenBox(Buffer.alloc(32, 'development only ').toString('base64'));
    const own = { database: ads.database, clock: ads.clock, logger: silentLogger, queue: jobQueue() };
    const tokens = new StoredTokens(ads.database, box, silentLogger);
    await new Renewal({ ...own, tokens, box, graph }).renew(client.id, id);
    expect(await rowOf(ads, id)).toMatchObject({
      ...{ is_active: true, inactive_reason: 'reconnect_soon', expires_at: expiresAt },
    });
  });

  it('is asked about once', async () => {
    const before = exchanges(ads);
    const { id } = await connected(-1);
    await look(ads);
    await until(
      () => rowOf(ads, id),
      (row) => row?.is_active === false,
    );
    expect(await rowOf(ads, id)).toMatchObject({ inactive_reason: 'token_expired' });
    expect(exchanges(ads)).toBe(before);
  });

  it('is not touched when it ends later, or never', async () => {
    const [later, never] = [await connected(8), await connected(null)];
    const { id } = await connected(-1);
    await look(ads);
    await until(
      () => rowOf(ads, id),
      (row) => row?.is_active === false,
    );
    for (const one of [later, never])
      expect(await rowOf(ads, one.id)).toMatchObject({ is_active: true, inactive_reason: null });
  });

  it('is counted in the metrics by the days that are left', async () => {
    await connected(0.5);
    const { body } = await ads.call('/metrics');
    expect(String(body)).toMatch(/ads_social_tokens_ending\{[^}]*days="1"[^}]*\} [1-9]/);
    expect(String(body)).toMatch(/ads_upstream_requests_total\{[^}]*call="long_lived ok"[^}]*\} [1-9]/);
    expect(String(body)).toMatch(/ads_upstream_gates_open\{[^}]*\} 0/);
  });

  it.each([
    ['SELECT id FROM social_tokens WHERE is_active AND expires_at < $1', [new Date()]],
    ['SELECT 1 FROM social_tokens WHERE social_user_id = $1 AND is_active LIMIT 1', ['1']],
  ])('is found by an index: %s', async (statement, values) =>
    expectNoSeqScan(await explain(ads.database, statement, values), 'social_tokens'),
  );
});
