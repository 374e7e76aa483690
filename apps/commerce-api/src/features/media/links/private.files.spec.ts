import { askOf, ownStore, type Answered } from '../../../asked.fixture';
import { newApiToken, newMember, newStore, useCommerce } from '../../../commerce.fixture';
import type { SystemRole } from '../../../roles';
import type { Media } from '../uploads/public';

const commerce = useCommerce();
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const expired = {
  status: 410,
  body: { status: 'error', message: 'The link has expired or was withdrawn', code: 'expired' },
};

const upload = async (storeId: string, purpose: string): Promise<Media> => {
  const form = new FormData();
  form.append('purpose', purpose);
  form.append('file', new Blob([PNG]), 'bukti.png');
  return (await askOf(commerce)(storeId)<Media>('POST', '/upload', form)).body.data;
};
/** The first file of the library as the bearer of a token sees it. */
const seenBy = async (token: string): Promise<Media | undefined> =>
  ((await commerce.call('GET', '/api/upload', token)).body as Answered<Media[]>['body']).data[0];
const pathOf = (url: string | null | undefined): string => new URL(url ?? '').pathname;
const open = async (url: string | null | undefined) => {
  const answer = await fetch(commerce.url + pathOf(url));
  return { status: answer.status, body: (await answer.json()) as unknown };
};
/** A store with one private file, and a member who sees it. */
const shop = async (purpose = 'proof', role: SystemRole = 'finance') => {
  const storeId = await newStore(commerce);
  const media = await upload(storeId, purpose);
  const member = await newMember(commerce, storeId, role);
  return { storeId, media, member, url: (await seenBy(member.token))?.url };
};

describe('a private file', () => {
  it('is shown by a link, to be kept by nobody, and as a file that can run nothing', async () => {
    const { media, url } = await shop();
    for (const link of [url, media.url]) {
      const answer = await fetch(commerce.url + pathOf(link));
      const { headers } = answer;
      expect([answer.status, Buffer.from(await answer.arrayBuffer())]).toEqual([200, PNG]);
      expect(
        ['content-type', 'cache-control', 'content-security-policy', 'x-content-type-options'].map((name) =>
          headers.get(name),
        ),
      ).toEqual(['image/png', 'private, no-store', "default-src 'none'; sandbox", 'nosniff']);
      expect([headers.get('content-disposition'), headers.get('referrer-policy')]).toEqual(['inline', 'no-referrer']);
    }
  });

  it.each([
    ['proof', ['owner', 'admin', 'finance']],
    ['document', ['owner']],
    ['digital', ['owner', 'admin']],
  ])('of the kind %s has a link for %j and for no other role', async (purpose, readers) => {
    const { storeId, media } = await shop(purpose);
    const seen = [media.url === null ? [] : ['owner']];
    for (const role of ['admin', 'cs', 'warehouse', 'finance', 'advertiser'] as const) {
      const { token } = await newMember(commerce, storeId, role);
      if (typeof (await seenBy(token))?.url === 'string') seen.push([role]);
    }
    expect(seen.flat()).toEqual(readers);
  });

  it('has a link for an API token that may see it, and for none that may not', async () => {
    const { storeId } = await shop();
    const reader = await newApiToken(commerce, storeId, { abilities: ['payment.read'] });
    const other = await newApiToken(commerce, storeId, { abilities: ['order.read'] });
    const link = (await seenBy(reader.token))?.url;
    expect([(await fetch(commerce.url + pathOf(link))).status, (await seenBy(other.token))?.url]).toEqual([200, null]);
    await commerce.database.query('UPDATE api_token SET revoked_at = $2 WHERE id = $1', [
      reader.id,
      commerce.clock.now(),
    ]);
    expect(await open(link)).toEqual(expired);
  });

  it('is closed after a quarter of an hour', async () => {
    const { url } = await shop();
    commerce.clock.advance(15 * 60_000);
    const late = await open(url);
    commerce.clock.advance(-15 * 60_000);
    expect(late).toEqual(expired);
  });

  it('is closed to a link of which anything was changed', async () => {
    const [{ url, storeId }, other] = [await shop(), await shop()];
    const [claim = '', signature = ''] = pathOf(url).split('/').at(-1)?.split('.') ?? [];
    const told = Buffer.from(claim, 'base64url').toString();
    const changed = [told.replace(storeId, other.storeId), told.replace('17', '27'), told.replace('GET', 'PUT')];
    expect(new Set([told, ...changed]).size).toBe(4);
    for (const text of changed)
      expect(await open(`https://x/blob/${Buffer.from(text).toString('base64url')}.${signature}`)).toEqual(expired);
    for (const token of [claim, `${claim}.`, `${claim}.${signature}x`, '%00.%00', '..%2f..%2fetc%2fpasswd'])
      expect(await open(`https://x/blob/${token}`)).toEqual(expired);
  });

  it('is closed as soon as whoever has the link has lost the right, the membership or the store', async () => {
    const { storeId, member, url } = await shop();
    const { database } = commerce;
    const become = (role: string) =>
      database.query('UPDATE membership SET system_role = $3 WHERE store_id = $1 AND user_id = $2', [
        storeId,
        member.userId,
        role,
      ]);
    await become('cs');
    expect(await open(url)).toEqual(expired);
    await become('finance');
    expect((await fetch(commerce.url + pathOf(url))).status).toBe(200);
    await database.query(`UPDATE store SET status = 'suspended' WHERE store_id = $1`, [storeId]);
    expect(await open(url)).toEqual(expired);
    await database.query(`UPDATE store SET status = 'open' WHERE store_id = $1`, [storeId]);
    await database.query('DELETE FROM membership WHERE store_id = $1 AND user_id = $2', [storeId, member.userId]);
    expect(await open(url)).toEqual(expired);
  });

  it('that was deleted is closed', async () => {
    const { storeId, media, url } = await shop();
    await askOf(commerce)(storeId)('DELETE', `/upload/${media.id}`);
    expect(await open(url)).toEqual(expired);
  });
});

it('a public file keeps its address for everybody', async () => {
  const { storeId } = await ownStore(commerce);
  const { url } = await upload(storeId, 'product');
  const { token } = await newMember(commerce, storeId, 'cs');
  expect((await seenBy(token))?.url).toBe(url);
});
