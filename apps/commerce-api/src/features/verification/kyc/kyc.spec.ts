import { expectNoSeqScan, explain } from '@platform/testing';
import { silentLogger, uuidv7 } from '@platform/runtime';
import { auditedIn, invalid, ownStore, refused, succeeded, type Answered, type OwnStore } from '../../../asked.fixture';
import {
  bearer,
  newApiToken,
  newMember,
  NOW,
  startCommerce,
  useCommerce,
  type Commerce,
} from '../../../commerce.fixture';
import type { Media } from '../../media/uploads/uploads.dto';
import { createApp } from '../../../app';
import { byOf } from '../../../by';
import type { DocumentKind, Kyc } from './kyc.dto';
import { approvedNameOf, KYC } from './kyc.sql';
import { DECIDED } from './kyc.sweep';
import { kycOf } from './kyc.fixture';

const commerce = useCommerce();
const text = expect.any(String) as string;

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const PERSON = {
  full_name: 'Sari Wulandari',
  national_id: '3174012345670001',
  birth_date: '1990-05-17',
  address: 'Jl. Tebet Raya 24, Jakarta',
};
const BUSINESS = {
  ...{ legal_name: 'PT Nusa Raga', tax_id: '092542943407000', registration_no: '9120001234567' },
  ...{ address: 'Jl. Tebet Raya 24, Jakarta', director: 'Sari Wulandari' },
};

interface Shop extends OwnStore {
  readonly at: Commerce;
}
const shopAt = async (at: Commerce = commerce): Promise<Shop> => ({ ...(await ownStore(at)), at });
const begin = (shop: Shop, body: object = { kind: 'person', data: PERSON }) =>
  shop.ask<Kyc>('POST', '/verification', body);
const begun = async (shop: Shop, body?: object): Promise<Kyc> => (await begin(shop, body)).body.data;
const attach = async (
  { storeId, at }: Shop,
  id: string,
  kind: DocumentKind | 'else' = 'id_card',
  bytes: Buffer = PNG,
): Promise<Answered<Kyc>> => {
  const form = new FormData();
  form.set('kind', kind);
  form.set('file', new Blob([new Uint8Array(bytes)]), 'ktp-sari.png');
  const headers = bearer(at.storeAuth.userToken({ store_id: storeId }));
  const answer = await fetch(`${at.url}/api/verification/${id}/document`, { method: 'POST', body: form, headers });
  return { status: answer.status, body: (await answer.json()) as Answered<Kyc>['body'] };
};
/** A person's check that waits for a decision. */
const submitted = async (shop: Shop): Promise<Kyc> => {
  const { id } = await begun(shop);
  await attach(shop, id);
  return (await attach(shop, id, 'selfie')).body.data;
};
const operator = ({ storeId }: Shop) =>
  byOf(commerce.clock)({
    caller: {
      storeId,
      actor: 'operator',
      name: 'Operator',
      kind: 'service',
      isService: true,
      abilities: new Set(),
      address: '',
    },
  });
const decide = (shop: Shop, id: string, decision: 'approve' | 'reject', reason?: string) =>
  kycOf(shop.at).kyc.decide(operator(shop), id, decision, reason);
const view = (more: object = {}) => ({
  ...{ id: text, kind: 'person', status: 'draft', data: PERSON, documents: [], reason: null, ...more },
});
const document = (kind: DocumentKind) => ({ kind, media_id: text });
const statusOf = async ({ ask }: Shop) => (await ask<{ kyc_status: string }>('GET', '/store')).body.data.kyc_status;

describe('an identity check', () => {
  it('begins as a draft, its documents send it in, and approved it gives the store a name that was looked at', async () => {
    const shop = await shopAt();
    expect(await begin(shop)).toEqual(succeeded(201, 'Identity check created', view()));
    const { id } = (await shop.ask<Kyc[]>('GET', '/verification')).body.data[0] as Kyc;
    expect(await attach(shop, id)).toEqual(
      succeeded(201, 'Document uploaded', view({ documents: [document('id_card')] })),
    );
    const documents = [document('id_card'), document('selfie')];
    expect(await attach(shop, id, 'selfie')).toEqual(
      succeeded(201, 'Document uploaded', view({ status: 'submitted', documents })),
    );
    expect([await statusOf(shop), await approvedNameOf(commerce.database, shop.storeId)]).toEqual(['submitted', null]);
    await decide(shop, id, 'approve');
    expect(await shop.ask('GET', '/verification')).toEqual(
      succeeded(200, 'OK', [view({ status: 'approved', documents })]),
    );
    expect([await statusOf(shop), await approvedNameOf(commerce.database, shop.storeId)]).toEqual([
      'approved',
      'Sari Wulandari',
    ]);
    expect(await auditedIn(commerce, shop.storeId)).toEqual([
      'kyc.write kyc_submission: kind, status',
      'kyc.write kyc_submission: status',
      'kyc.write kyc_submission: status',
    ]);
  });

  it('of a business needs its own data and documents, and its legal name counts', async () => {
    const shop = await shopAt();
    const { id } = await begun(shop, { kind: 'business', data: BUSINESS });
    for (const kind of ['bank_book', 'deed', 'tax_card'] as const)
      expect((await attach(shop, id, kind)).body.data.status).toBe('draft');
    expect((await attach(shop, id)).body.data).toMatchObject({ status: 'submitted', data: BUSINESS });
    await decide(shop, id, 'approve');
    expect(await approvedNameOf(commerce.database, shop.storeId)).toBe('PT Nusa Raga');
  });

  it('that is rejected tells why, and is sent in again by its correction', async () => {
    const shop = await shopAt();
    const { id } = await submitted(shop);
    await decide(shop, id, 'reject', 'Foto KTP buram');
    const { body } = await shop.ask<Kyc[]>('GET', '/verification');
    expect(body.data).toEqual([
      view({ status: 'rejected', reason: 'Foto KTP buram', documents: [document('id_card'), document('selfie')] }),
    ]);
    const former = body.data[0]?.documents[0]?.media_id;
    const replaced = (await attach(shop, id)).body.data;
    expect([replaced.status, replaced.reason]).toEqual(['rejected', 'Foto KTP buram']);
    expect(replaced.documents).toEqual(expect.not.arrayContaining([{ kind: 'id_card', media_id: former }]));
    const data = { ...PERSON, address: 'Jl. Dago 101, Bandung' };
    expect(await shop.ask('PUT', `/verification/${id}`, { data })).toEqual(
      succeeded(200, 'Identity check updated', view({ status: 'submitted', data, documents: expect.anything() })),
    );
  });

  it('is one of its kind: a second, also of twenty at once, is already_submitted', async () => {
    const shop = await shopAt();
    const answers = await Promise.all(Array.from({ length: 20 }, () => begin(shop)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)]);
    const again = 'The store has an identity check of this kind already: correct that one';
    expect(await begin(shop)).toEqual(refused(409, 'already_submitted', again));
    expect((await begin(shop, { kind: 'business', data: BUSINESS })).status).toBe(201);
  });

  it.each(['submitted', 'approved'] as const)('that is %s cannot be changed', async (status) => {
    const shop = await shopAt();
    const { id } = await submitted(shop);
    if (status === 'approved') await decide(shop, id, 'approve');
    const fixed = refused(409, 'invalid_transition', `It is ${status}: that cannot be done with it now`);
    expect(await shop.ask('PUT', `/verification/${id}`, { data: PERSON })).toEqual(fixed);
    const before = (await shop.ask<Media[]>('GET', '/upload')).body.data.length;
    expect(await attach(shop, id, 'bank_book')).toEqual(fixed);
    expect((await shop.ask<Media[]>('GET', '/upload')).body.data).toHaveLength(before);
  });

  it('is decided once: of an approval and a rejection at once one is refused', async () => {
    const shop = await shopAt();
    const { id } = await submitted(shop);
    const outcomes = await Promise.allSettled([decide(shop, id, 'approve'), decide(shop, id, 'reject', 'x')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(decide(shop, id, 'reject', ' ')).rejects.toMatchObject({ kind: 'invalid' });
    await expect(decide(shop, uuidv7(), 'approve')).rejects.toMatchObject({ kind: 'notFound' });
  });

  it.each([
    ['without a name', { ...PERSON, full_name: undefined }, 'full_name', 'is a required field'],
    ['with 15 digits', { ...PERSON, national_id: '317401234567000' }, 'national_id', 'must have 16 digits'],
    [
      'born on February 30',
      { ...PERSON, birth_date: '1990-02-30' },
      'birth_date',
      'does not match the 2006-01-02 format',
    ],
    ['with what a business has', { ...PERSON, tax_id: '092542943407000' }, 'tax_id', 'is not of a person'],
    ['with U+0000', { ...PERSON, address: 'a\0' }, 'address', "cannot contain the following 'U+0000'"],
    ['with a misspelt field', { ...PERSON, adress: 'x' }, 'adress', 'is not a known field'],
  ])('of a person %s is refused', async (_, data, field, message) => {
    const shop = await shopAt();
    expect(await begin(shop, { kind: 'person', data })).toEqual(invalid(`data.${field}`, `data.${field} ${message}`));
    expect((await shop.ask('GET', '/verification')).body).toMatchObject({ data: [] });
  });

  it('takes JPEG, PNG and PDF of 5 MB at most, and keeps no file that it refuses', async () => {
    const shop = await shopAt();
    const { id } = await begun(shop);
    const webp = Buffer.concat([Buffer.from('RIFF\x24\0\0\0WEBPVP8 ', 'latin1'), Buffer.alloc(32)]);
    expect((await attach(shop, id, 'id_card', webp)).status).toBe(415);
    expect((await attach(shop, id, 'id_card', Buffer.from('MZ'))).status).toBe(415);
    expect((await attach(shop, id, 'id_card', Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]))).status).toBe(413);
    expect((await attach(shop, id, 'else')).status).toBe(422);
    expect(await shop.ask('POST', `/verification/${id}/document`, { kind: 'selfie' })).toEqual(
      invalid('file', 'file is a required field'),
    );
    expect((await shop.ask<Media[]>('GET', '/upload')).body.data).toEqual([]);
    expect((await attach(shop, id, 'id_card', Buffer.from('%PDF-1.7\n%%EOF'))).status).toBe(201);
  });

  it('of another store is 404', async () => {
    const [mine, theirs] = [await shopAt(), await shopAt()];
    const { id } = await begun(theirs);
    const unknown = refused(404, 'not_found', 'Identity check not found');
    expect(await mine.ask('PUT', `/verification/${id}`, { data: PERSON })).toEqual(unknown);
    expect(await attach(mine, id)).toEqual(unknown);
    expect((await mine.ask('GET', '/verification')).body).toMatchObject({ data: [] });
  });
});

describe('what an identity check holds', () => {
  it('is sealed, and stands in no log', async () => {
    const shop = await shopAt();
    const { id } = await begun(shop);
    await shop.ask('PUT', `/verification/${id}`, { data: { ...PERSON, national_id: '3174019999990002' } });
    const rows = await commerce.database.query('SELECT * FROM kyc_submission WHERE store_id = $1', [shop.storeId]);
    const audit = await commerce.database.query('SELECT * FROM audit_log WHERE tenant_id = $1', [shop.storeId]);
    const told = JSON.stringify([rows, audit, commerce.lines]);
    for (const secret of ['3174012345670001', '3174019999990002', 'Wulandari']) expect(told).not.toContain(secret);
  });

  it('is shown to nobody without kyc.write, and its documents are listed to nobody without it', async () => {
    const shop = await shopAt();
    await submitted(shop);
    const listed = await shop.ask<Media[]>('GET', '/upload?purpose=document');
    expect(listed.body.data.map(({ name, url }) => [name, typeof url])).toEqual([
      ['ktp-sari.png', 'string'],
      ['ktp-sari.png', 'string'],
    ]);
    const admin = await newMember(commerce, shop.storeId, 'admin');
    const cs = await newMember(commerce, shop.storeId, 'cs');
    const { token } = await newApiToken(commerce, shop.storeId, { abilities: ['upload.write'] });
    for (const stranger of [admin.token, cs.token, token]) {
      const none = { current_page: 1, per_page: 15, total: 0, last_page: 1, from: null, to: null };
      for (const path of ['/api/upload', '/api/upload?purpose=document'])
        expect(await commerce.call('GET', path, stranger)).toMatchObject({
          status: 200,
          body: { data: [], meta: none },
        });
      expect((await commerce.call('GET', '/api/verification', stranger)).status).toBe(403);
    }
  });

  it('loses its documents 30 days after the decision, or as the store has set, and not before', async () => {
    const [usual, quick, open] = [await shopAt(), await shopAt(), await shopAt()];
    await quick.ask('PUT', '/settings/privacy', { version: 0, keep_identity_documents_days: 3 });
    for (const shop of [usual, quick]) await decide(shop, (await submitted(shop)).id, 'approve');
    await submitted(open);
    const day = 86_400_000;
    const documentsAfter = async (days: number) => {
      commerce.clock.advance(days * day);
      await kycOf(commerce).forget(silentLogger);
      commerce.clock.advance(-days * day);
      const lists = [usual, quick, open].map(({ ask }) => ask<Kyc[]>('GET', '/verification'));
      return (await Promise.all(lists)).map(({ body }) => body.data[0]?.documents.length);
    };
    expect(await documentsAfter(2.9)).toEqual([2, 2, 2]);
    expect(await documentsAfter(3)).toEqual([2, 0, 2]);
    expect(await documentsAfter(29.9)).toEqual([2, 0, 2]);
    expect(await documentsAfter(30)).toEqual([0, 0, 2]);
    const left = `SELECT count(*)::int AS files FROM media WHERE store_id = $1 AND (refs > 0 OR sweep_after > $2)`;
    const at = new Date(Date.parse(NOW) + 30 * day);
    expect(await commerce.database.query(left, [usual.storeId, at])).toEqual([{ files: 0 }]);
    expect(await approvedNameOf(commerce.database, usual.storeId)).toBe('Sari Wulandari');
  });

  it('go of the stores behind one whose documents cannot be removed', async () => {
    const [broken, behind] = [await shopAt(), await shopAt()];
    const decided = async (shop: Shop, hours: number) => {
      await decide(shop, (await submitted(shop)).id, 'approve');
      const earlier = `UPDATE kyc_submission SET decided_at = decided_at - $2 * interval '1 hour' WHERE store_id = $1`;
      await commerce.database.query(earlier, [shop.storeId, hours]);
    };
    await decided(broken, 2);
    await decided(behind, 1);
    // Its count of who shows it is wrong: it cannot go below none
    await commerce.database.query('UPDATE media SET refs = 0 WHERE store_id = $1', [broken.storeId]);
    const errors: string[] = [];
    const day = 86_400_000;
    commerce.clock.advance(30 * day);
    const logger = { ...silentLogger, error: (text: string) => void errors.push(text) };
    await kycOf(commerce)
      .forget(logger)
      .catch(() => undefined);
    commerce.clock.advance(-30 * day);
    const documents = 'SELECT DISTINCT store_id FROM kyc_document WHERE store_id = ANY ($1)';
    const left = await commerce.database.query(documents, [[broken.storeId, behind.storeId]]);
    expect([left, errors]).toEqual([
      [{ store_id: broken.storeId }],
      ['documents of an identity check could not be removed'],
    ]);
    await commerce.database.query('UPDATE media SET refs = 1 WHERE store_id = $1', [broken.storeId]);
  });
});

it('with KYC_AUTO_APPROVE nobody has to decide, and production does not start with it', async () => {
  const quick = await startCommerce({ KYC_AUTO_APPROVE: 'true', DATABASE_URL: commerce.database.url });
  try {
    const shop = await shopAt(quick);
    expect((await submitted(shop)).status).toBe('approved');
    expect(await approvedNameOf(commerce.database, shop.storeId)).toBe('Sari Wulandari');
  } finally {
    await quick.stop();
  }
  const given = { KYC_AUTO_APPROVE: true, APP_ENV: 'production', PUSH_ALLOW_HOSTS: [] as string[] };
  const config = given as unknown as Parameters<typeof createApp>[0];
  expect(() => createApp(config, { logger: silentLogger })).toThrow(
    /KYC_AUTO_APPROVE=true .* refused with APP_ENV=production/,
  );
});

it('checks are found by their indexes', async () => {
  expectNoSeqScan(await explain(commerce.database, KYC, [uuidv7()]), 'kyc_submission', 'kyc_document');
  expectNoSeqScan(await explain(commerce.database, DECIDED, [NOW, 30, 10, []]), 'kyc_submission');
});
