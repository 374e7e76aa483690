import { uuidv7 } from '@platform/runtime';
import { auditedIn, ownStore } from '../../../asked.fixture';
import { useRunning } from '@platform/testing';
import { startCommerce } from '../../../commerce.fixture';
import { ACCOUNT, heldBy, knowOwner, walletShop } from '../../wallet/wallet.fixture';
import type { BankAccount } from '../../wallet/accounts/accounts.dto';
import type { Kyc } from '../../verification/kyc/kyc.dto';
import { opsData, ranOps } from './ops.fixture';

/** Every withdrawal has to be approved. */
const commerce = useRunning(() => startCommerce({ WITHDRAW_AUTO_LIMIT: '0' }));
beforeAll(() => knowOwner(commerce));

const listed = async (what: 'withdrawal' | 'bank-account') => {
  const data = await opsData<Record<string, { id: string }[]>>(commerce, what, 'list');
  return Object.values(data)[0]?.map(({ id }) => id);
};

describe('a withdrawal above the limit', () => {
  it('waits for an operator, and its payout begins when it is approved', async () => {
    const shop = await walletShop(commerce, 148_500);
    const { id, status } = (await shop.withdraw()).body.data;
    expect([status, await listed('withdrawal')]).toEqual(['requested', [id]]);
    const { store_id, status: after } = await opsData<{ store_id: string; status: string }>(
      ...([commerce, 'withdrawal', 'approve', id] as const),
    );
    expect([store_id, after]).toEqual([shop.storeId, 'approved']);
    expect((await ranOps(commerce, 'withdrawal', 'approve', id)).code).toBe(1);
    expect(await listed('withdrawal')).toEqual([]);
    expect(await heldBy(commerce, shop.storeId)).toMatchObject({ wallet_available: 96_000, wallet_locked: 52_500 });
  });

  it('that is rejected is back in the wallet, with its reason', async () => {
    const shop = await walletShop(commerce, 148_500);
    const { id } = (await shop.withdraw()).body.data;
    expect((await ranOps(commerce, 'withdrawal', 'reject', id)).error).toMatch(
      /^withdrawal reject needs <id> <reason>/,
    );
    expect((await ranOps(commerce, 'withdrawal', 'reject', id, 'Rekening dilaporkan')).out).toBe(
      `withdrawal ${id} of ${shop.storeId} is rejected\n`,
    );
    const { body } = await shop.ask<{ status: string; failure: string }>('GET', `/wallet/withdraw/${id}`);
    expect([body.data.status, body.data.failure]).toEqual(['rejected', 'Rekening dilaporkan']);
    expect(await heldBy(commerce, shop.storeId)).toEqual({ gateway_clearing: 148_500, wallet_available: 148_500 });
  });

  it('that nobody knows is refused', async () => {
    expect(await ranOps(commerce, 'withdrawal', 'approve', uuidv7())).toMatchObject({
      ...{ error: 'Withdrawal not found\n', code: 1 },
    });
    expect(await ranOps(commerce, 'withdrawal', 'approve', 'x')).toMatchObject({ code: 2 });
  });
});

describe('a withdrawal of which the provider does not say what became of it', () => {
  const stuck = async (status: string, alert: string | null = 'contradicted') => {
    const shop = await walletShop(commerce, 148_500);
    const { id } = (await shop.withdraw()).body.data;
    // As the payouts leave it, an hour ago
    await commerce.database.query(
      `UPDATE withdrawal SET status = $3, asked = true, alert = $4, approved_at = now(), updated_at = $5 WHERE store_id = $1 AND id = $2`,
      [shop.storeId, id, status, alert, new Date(commerce.clock.now().getTime() - 3_600_000)],
    );
    return { shop, id };
  };

  it.each([
    ['paid', 'paid', { gateway_clearing: 98_500, wallet_available: 96_000, fee_revenue: 2_500 }],
    ['failed', 'failed', { gateway_clearing: 148_500, wallet_available: 148_500 }],
  ])('is ended as %s by an operator who has looked there, and is looked at no more', async (word, status, held) => {
    const { shop, id } = await stuck('processing');
    expect(await listed('withdrawal')).toContain(id);
    expect((await ranOps(commerce, 'withdrawal', 'end', id, 'gone', 'x')).code).toBe(2);
    expect(await ranOps(commerce, 'withdrawal', 'end', id, word, 'Dilihat di dasbor')).toMatchObject({
      ...{ code: 0, out: `withdrawal ${id} of ${shop.storeId} is ${status}\n` },
    });
    expect(await heldBy(commerce, shop.storeId)).toEqual(held);
    expect(await listed('withdrawal')).not.toContain(id);
    expect(await auditedIn(commerce, shop.storeId)).toContainEqual(expect.stringContaining('withdrawal: '));
    // The same again moves nothing, and the other word only what was paid
    await ranOps(commerce, 'withdrawal', 'end', id, word, 'Dilihat di dasbor');
    expect(await heldBy(commerce, shop.storeId)).toEqual(held);
    const other = await ranOps(commerce, 'withdrawal', 'end', id, word === 'paid' ? 'failed' : 'paid', 'Bank');
    expect(other.code).toBe(word === 'paid' ? 0 : 1);
    expect(await heldBy(commerce, shop.storeId)).toEqual({ gateway_clearing: 148_500, wallet_available: 148_500 });
  });

  it('is not ended while the provider may be answering, nor before anybody has approved it', async () => {
    const { shop, id } = await stuck('processing');
    await commerce.database.query('UPDATE withdrawal SET updated_at = $2 WHERE id = $1', [id, commerce.clock.now()]);
    expect(await ranOps(commerce, 'withdrawal', 'end', id, 'failed', 'x')).toMatchObject({ code: 1 });
    const { id: waiting } = (await shop.withdraw()).body.data;
    expect(await ranOps(commerce, 'withdrawal', 'end', waiting, 'failed', 'x')).toMatchObject({ code: 1 });
    expect(await heldBy(commerce, shop.storeId)).toMatchObject({ wallet_locked: 105_000 });
  });
});

it('a bank account of another name is verified by an operator, once, and usable a day later', async () => {
  const shop = await walletShop(commerce, 1);
  const other = { bank_code: 'BRI', number: '1234567890', holder: 'CV Lain' };
  const { id } = (await shop.ask<BankAccount>('POST', '/wallet/bank-account', other)).body.data;
  expect(await listed('bank-account')).toContain(id);
  const verified = await opsData<{ verified_at: string; usable_from: string }>(commerce, 'bank-account', 'verify', id);
  expect(Date.parse(verified.usable_from) - Date.parse(verified.verified_at)).toBe(86_400_000);
  commerce.clock.advance(1000);
  expect(await opsData(commerce, 'bank-account', 'verify', id)).toMatchObject(verified);
  expect(await listed('bank-account')).not.toContain(id);
  expect(await auditedIn(commerce, shop.storeId)).toContain('wallet.withdraw bank_account: usable_from, verified_at');
});

describe('a store that has more than a list shows', () => {
  const many = async (table: string, id: string) => {
    const columns = `SELECT string_agg(quote_ident(column_name), ', ') AS names FROM information_schema.columns
      WHERE table_schema = 'commerce_api' AND table_name = $1 AND column_name NOT IN ('id', 'created_at', 'is_primary', 'idempotency_key')`;
    const [{ names }] = (await commerce.database.query(columns, [table])) as [{ names: string }];
    const [own, value] = table === 'withdrawal' ? ['idempotency_key', 'n::text'] : ['is_primary', 'false'];
    await commerce.database.query(
      `INSERT INTO ${table} (${names}, id, created_at, ${own})
       SELECT ${names}, uuidv7(), created_at - interval '1 day', ${value} FROM ${table}, generate_series(1, 120) n WHERE id = $1`,
      [id],
    );
  };

  it('hides no withdrawal of another', async () => {
    const [shop, other] = [await walletShop(commerce, 148_500), await walletShop(commerce, 148_500)];
    const { id } = (await shop.withdraw()).body.data;
    await many('withdrawal', id);
    const { id: theirs } = (await other.withdraw()).body.data;
    expect(await listed('withdrawal')).toContain(theirs);
    await commerce.database.query('DELETE FROM withdrawal WHERE store_id = $1 AND id <> $2', [shop.storeId, id]);
  });

  it('hides no account that was added after its own, and can be looked at by itself', async () => {
    const [{ ask }, other] = [await ownStore(commerce), await ownStore(commerce)];
    const mine = (await ask<BankAccount>('POST', '/wallet/bank-account', ACCOUNT)).body.data.id;
    await many('bank_account', mine);
    const { id } = (await other.ask<BankAccount>('POST', '/wallet/bank-account', ACCOUNT)).body.data;
    expect(await listed('bank-account')).toContain(id);
    const { accounts } = await opsData<{ accounts: { id: string }[] }>(
      ...([commerce, 'bank-account', 'list', other.storeId] as const),
    );
    expect(accounts.map((each) => each.id)).toEqual([id]);
  });
});

it('an account of the name that an identity check gives is verified with its approval', async () => {
  const { ask, storeId } = await ownStore(commerce);
  const { id } = (await ask<BankAccount>('POST', '/wallet/bank-account', ACCOUNT)).body.data;
  const data = {
    full_name: 'SARI  nusa',
    national_id: '3174012345670001',
    birth_date: '1990-05-17',
    address: 'Jl. Dago 1',
  };
  const check = (await ask<Kyc>('POST', '/verification', { kind: 'person', data })).body.data;
  await commerce.database.query(`UPDATE kyc_submission SET status = 'submitted' WHERE id = $1`, [check.id]);
  expect(await listed('bank-account')).toContain(id);
  await opsData(commerce, 'kyc', 'approve', storeId, check.id);
  expect(await listed('bank-account')).not.toContain(id);
});
