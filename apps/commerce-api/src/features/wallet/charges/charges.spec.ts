import { createPublicKey, type KeyObject } from 'node:crypto';
import { generateSigningKey } from '@platform/auth';
import { uuidv7 } from '@platform/runtime';
import { testSigningKey, useRunning } from '@platform/testing';
import { jwtVerify, SignJWT } from 'jose';
import { askDocumented, auditedIn, invalid, ownStore, refused } from '../../../asked.fixture';
import { bearer, newApiToken, newMember, NOW, startCommerce, statementsOfRequests } from '../../../commerce.fixture';
import { startSecondProcess } from '../../../second-process.fixture';
import { auditLedger } from '../../ledger/postings/public';
import { fund, heldBy } from '../wallet.fixture';
import type { Charge, MadeCharge } from './charges.dto';
import { majorUnits } from './credit';
import { creditsContract } from './credits.contract';
import { fakeCreditTaker, type CreditTaker } from './credits.fake';

const pem = async (): Promise<string> => (await testSigningKey()).exportPem();
const commerce = useRunning(async () => startCommerce({ COMMERCE_CREDIT_KEY: await pem() }));
const APPLICATION = '0199f7a0-0000-7000-8000-00000000ad50';
const CHARGE = { amount: 150_000, purpose: 'ads_topup', application_id: APPLICATION, account_id: 'act_1234567890' };

const asService = async <Data = MadeCharge>(
  storeId: string,
  path: string,
  body: object,
  key = uuidv7(),
  url = commerce.url,
) =>
  askDocumented<Data>(commerce, url, `/wallet/charge${path}`, {
    method: 'POST',
    body,
    headers: bearer(commerce.storeAuth.serviceToken('ads-client'), { 'x-store-id': storeId, 'idempotency-key': key }),
  });
const charge = (storeId: string, more: object = {}, key?: string) =>
  asService(storeId, '', { ...CHARGE, ...more }, key);
const reverse = (storeId: string, id: string, reason = 'The account is closed') =>
  asService<Charge>(storeId, `/${id}/reverse`, { reason });
const funded = async (amount: number) => {
  const { storeId } = await ownStore(commerce);
  await fund(commerce, storeId, amount);
  return storeId;
};

describe('a charge', () => {
  it('takes the money once, and states it for one application, account and amount for a week', async () => {
    const storeId = await funded(400_000);
    const { status, body } = await charge(storeId);
    const { credit, ...made } = body.data;
    const id = expect.any(String) as string;
    expect([status, made]).toEqual([
      201,
      {
        id,
        reference: `CHG-${made.id}`,
        amount: 150_000,
        currency: 'IDR',
        reversed_at: null,
        available_after: 250_000,
      },
    ]);
    expect(await heldBy(commerce, storeId)).toEqual({
      gateway_clearing: 400_000,
      wallet_available: 250_000,
      ads_funds: 150_000,
    });
    const key = createPublicKey(await pem());
    const options = {
      algorithms: ['RS256'],
      issuer: 'commerce-api',
      audience: 'ads-api',
      currentDate: commerce.clock.now(),
    };
    const { payload, protectedHeader } = await jwtVerify(credit, key, options);
    const iat = Date.parse(NOW) / 1000;
    expect([protectedHeader.alg, payload]).toEqual([
      'RS256',
      {
        ...{
          iss: 'commerce-api',
          aud: 'ads-api',
          jti: made.id,
          reference: made.reference,
          application_id: APPLICATION,
        },
        ...{ account_id: '1234567890', amount: 150_000, currency: 'IDR', paid_at: NOW, iat, exp: iat + 7 * 86_400 },
      },
    ]);
    expect(await auditedIn(commerce, storeId)).toEqual([
      'wallet.charge wallet_charge: account_id, amount, application_id, currency, id, reference, reversed_at',
    ]);
  });

  it('under one key is one, of twenty at once and much later, with the same credit', async () => {
    const storeId = await funded(400_000);
    const answers = await Promise.all(Array.from({ length: 20 }, () => charge(storeId, {}, 'once')));
    const first = await charge(storeId, {}, 'once');
    const codes = new Set(answers.map(({ status, body }) => (status === 201 ? body.data.credit : body.code)));
    codes.delete('idempotency_running');
    expect([...codes]).toEqual([first.body.data.credit]);
    await commerce.database.query('DELETE FROM idempotency_keys');
    commerce.clock.advance(3_600_000);
    const later = await charge(storeId, {}, 'once');
    expect([later.body.data.credit, later.body.data.id]).toEqual([first.body.data.credit, first.body.data.id]);
    expect((await heldBy(commerce, storeId)).ads_funds).toBe(150_000);
    await commerce.database.query('DELETE FROM idempotency_keys');
    expect((await charge(storeId, { amount: 1 }, 'once')).body.code).toBe('idempotency_mismatch');
  });

  it('asks the database five times', async () => {
    const storeId = await funded(400_000);
    await charge(storeId);
    expect(await statementsOfRequests(commerce, () => charge(storeId))).toBe(5);
  });

  it('that costs more than there is takes nothing', async () => {
    const storeId = await funded(149_999);
    expect(await charge(storeId)).toEqual(
      refused(409, 'insufficient_balance', 'There is not enough money in the wallet'),
    );
    expect(await heldBy(commerce, storeId)).toEqual({ gateway_clearing: 149_999, wallet_available: 149_999 });
  });

  it('of a store that does not exist is 404', async () => {
    expect((await charge('nobody')).status).toBe(404);
  });

  it.each([
    [{ amount: 0 }, 'amount', 'amount must be 1 or greater'],
    [{ amount: '150.000' }, 'amount', 'amount must be an integer'],
    [{ account_id: 'act_x' }, 'account_id', 'account_id must be the id of an ad account'],
    [{ account_id: '1'.repeat(21) }, 'account_id', 'account_id must be the id of an ad account'],
    [{ purpose: 'rent' }, 'purpose', 'purpose must be one of [ads_topup]'],
    [{ application_id: 'x' }, 'application_id', 'application_id must be a valid UUID'],
    [{ currency: 'USD' }, 'currency', 'currency is not a known field'],
  ])('with %j is refused', async (wrong, field, message) => {
    const { storeId } = await ownStore(commerce);
    expect(await charge(storeId, wrong)).toEqual(invalid(field, message));
  });

  it('is for the client of ads-api alone: neither an owner, an API token nor another service may', async () => {
    const storeId = await funded(400_000);
    const owner = commerce.storeAuth.userToken({ store_id: storeId });
    const { token: admin } = await newMember(commerce, storeId, 'admin');
    const { token: script } = await newApiToken(commerce, storeId, { abilities: ['wallet.charge'] });
    const others = [owner, admin, script, commerce.storeAuth.serviceToken('bot-engine', storeId)];
    const refusal = {
      status: 'error',
      message: 'This needs the ability wallet.charge',
      code: 'forbidden',
      ability: 'wallet.charge',
    };
    for (const path of ['/api/wallet/charge', `/api/wallet/charge/${uuidv7()}/reverse`])
      for (const token of others) {
        const { status, body } = await commerce.post(path, CHARGE, bearer(token, { 'idempotency-key': 'k' }));
        expect({ status, body }).toEqual({ status: 403, body: refusal });
      }
    expect((await heldBy(commerce, storeId)).wallet_available).toBe(400_000);
  });
});

describe('a reversal', () => {
  it('gives the money back once, of twenty at once too, and answers the same again', async () => {
    const storeId = await funded(400_000);
    const { id } = (await charge(storeId, {}, 'k')).body.data;
    const answers = await Promise.all(Array.from({ length: 20 }, () => reverse(storeId, id)));
    const again = await reverse(storeId, id, 'Another reason');
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(again).toEqual(answers[0]);
    expect(again.body.data.reversed_at).toBe(commerce.clock.now().toISOString());
    expect(await heldBy(commerce, storeId)).toEqual({ gateway_clearing: 400_000, wallet_available: 400_000 });
    // Its statement is not made again
    await commerce.database.query('DELETE FROM idempotency_keys');
    expect((await charge(storeId, {}, 'k')).body.code).toBe('charge_reversed');
  });

  it('of a charge of another store is 404', async () => {
    const [mine, theirs] = [await funded(1), await funded(400_000)];
    const { id } = (await charge(theirs)).body.data;
    expect((await reverse(mine, id)).status).toBe(404);
    expect((await heldBy(commerce, theirs)).ads_funds).toBe(150_000);
  });
});

describe('the credit of a charge:', () => {
  const key = async () => createPublicKey(await pem());
  let taker: CreditTaker;
  beforeAll(async () => {
    taker = fakeCreditTaker({ 'commerce-api': await key() }, () => commerce.clock.now());
  });
  const forged = async (text: string) => {
    const [, body = ''] = text.split('.');
    const other = (await generateSigningKey()).privateKey;
    const under = (alg: string, by: KeyObject | Uint8Array) =>
      new SignJWT(JSON.parse(Buffer.from(body, 'base64url').toString()) as object as never)
        .setProtectedHeader({ alg })
        .sign(by);
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`;
    const spki = Buffer.from((await key()).export({ type: 'spki', format: 'pem' }));
    return [await under('RS256', other), await under('HS256', spki), none, `${text.slice(0, -6)}AAAAAA`];
  };
  creditsContract(() => ({
    taker,
    forged,
    credit: async () => {
      const { credit, amount, currency } = (await charge(await funded(150_000))).body.data;
      return { text: credit, claimed: { application_id: APPLICATION, account_id: '1234567890', amount, currency } };
    },
  }));

  it('ads-api takes none that is older than a week', async () => {
    const { credit, amount, currency } = (await charge(await funded(150_000))).body.data;
    commerce.clock.advance(7 * 86_400_000 + 1_000);
    const claimed = { application_id: APPLICATION, account_id: '1234567890', amount, currency };
    await expect(taker.take(credit, claimed)).rejects.toThrow('exp');
  });
});

it('twenty charges and twenty reversals at once, over two processes, leave what was not reversed', async () => {
  const settings = { COMMERCE_CREDIT_KEY: await pem() };
  const today = await startCommerce(settings, new Date().toISOString());
  const second = await startSecondProcess(today, settings);
  try {
    const { storeId } = await ownStore(today);
    await fund(today, storeId, 3_000_000);
    const headers = (key: string) =>
      bearer(today.storeAuth.serviceToken('ads-client'), { 'x-store-id': storeId, 'idempotency-key': key });
    const url = (nth: number) => (nth % 2 === 0 ? today.url : second.url);
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        askDocumented<MadeCharge>(today, url(nth), '/wallet/charge', {
          method: 'POST',
          body: CHARGE,
          headers: headers(`c${nth}`),
        }),
      ),
    );
    const ids = made.map(({ body }) => body.data.id);
    await Promise.all(
      ids.slice(0, 10).flatMap((id, nth) =>
        [0, 1].map((more) =>
          askDocumented(today, url(nth + more), `/wallet/charge/${id}/reverse`, {
            method: 'POST',
            body: { reason: 'x' },
            headers: headers('r'),
          }),
        ),
      ),
    );
    expect(await heldBy(today, storeId)).toEqual({
      gateway_clearing: 3_000_000,
      wallet_available: 1_500_000,
      ads_funds: 1_500_000,
    });
  } finally {
    await second.stop();
    await today.stop();
  }
});

it.each([
  [150_000, 'IDR', 150_000],
  [1_050, 'USD', 10.5],
  [1, 'USD', 0.01],
])('%i in the settlement unit of %s are %d', (amount, currency, major) =>
  expect(majorUnits(amount, currency)).toBe(major),
);

it('without a key nobody is charged', async () => {
  const keyless = await startCommerce();
  try {
    const { storeId } = await ownStore(keyless);
    const headers = bearer(keyless.storeAuth.serviceToken('ads-client'), {
      'x-store-id': storeId,
      'idempotency-key': 'k',
    });
    expect((await keyless.post('/api/wallet/charge', CHARGE, headers)).status).toBe(503);
  } finally {
    await keyless.stop();
  }
});

it('the ledger adds up after all of this', () => auditLedger(commerce.database));
