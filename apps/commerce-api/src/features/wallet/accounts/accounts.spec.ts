import { secretBox, secretBoxKeys } from '@platform/auth';
import { uuidv7 } from '@platform/runtime';
import { expectNoSeqScan, explain } from '@platform/testing';
import { auditedIn, invalid, ownStore, refused, succeeded, type OwnStore } from '../../../asked.fixture';
import { bearer, newApiToken, NOW, useCommerce } from '../../../commerce.fixture';
import { ACCOUNT, walletShop, writerOf } from '../wallet.fixture';
import type { BankAccount } from './accounts.dto';
import { verifyBankAccount, verifyMatchingAccounts } from './accounts.service';
import { ACCOUNTS } from './accounts.sql';

const commerce = useCommerce();
const PATH = '/wallet/bank-account';
const view = {
  ...{ id: expect.any(String) as string, bank_code: 'BCA', bank: 'BCA', last4: '9876', holder: 'Sari Nusa' },
  ...{ verified_at: null, usable_from: null, is_primary: true },
};
const VERIFIED = { verified_at: NOW, usable_from: '2026-03-02T08:00:00.000Z' };
const add = async ({ ask }: OwnStore, more: object = {}): Promise<string> =>
  (await ask<BankAccount>('POST', PATH, { ...ACCOUNT, ...more })).body.data.id;
const list = async ({ ask }: OwnStore) => (await ask<BankAccount[]>('GET', PATH)).body.data;

/** As whom the identity check of a store was approved. */
const approve = ({ storeId }: OwnStore, name: string) =>
  commerce.database.query(
    `INSERT INTO kyc_submission (store_id, id, kind, status, data_enc, approved_name, decided_at, created_at, updated_at)
     VALUES ($1, $2, 'person', 'approved', '', $3, $4, $4, $4)`,
    [storeId, uuidv7(), name, NOW],
  );

describe('a payout account', () => {
  it('is added with its number sealed, which nothing shows again, and the first is the primary', async () => {
    const store = await ownStore(commerce);
    const created = await store.ask<BankAccount>('POST', PATH, ACCOUNT);
    expect(created).toEqual(succeeded(201, 'Account created', view));
    const gopay = { bank_code: 'GOPAY', number: '081234567890' };
    await add(store, gopay);
    const second = { ...view, bank_code: 'GOPAY', bank: 'GoPay', last4: '7890', is_primary: false };
    expect(await list(store)).toEqual([view, second]);
    const rows = await commerce.database.query<{ id: string; number_enc: string }>(
      'SELECT id, number_enc FROM bank_account WHERE store_id = $1 ORDER BY created_at, id',
      [store.storeId],
    );
    const box = secretBox(secretBoxKeys.fallback ?? '');
    const purpose = `bank_account/${store.storeId}/${rows[0]?.id}`;
    expect(box.open(rows[0]?.number_enc ?? '', purpose)).toBe(ACCOUNT.number);
    const told = JSON.stringify([created, await list(store), rows, commerce.lines]);
    const audit = JSON.stringify(
      await commerce.database.query('SELECT * FROM audit_log WHERE tenant_id = $1', [store.storeId]),
    );
    expect([told, audit].filter((text) => text.includes(ACCOUNT.number) || text.includes(gopay.number))).toEqual([]);
  });

  it.each([
    ['Sari Nusa', 'SARI  NUSA', VERIFIED],
    ['sari nusa', 'Ｓari Nusa', VERIFIED],
    ['Sari Nusa', 'Siti Nusa', { verified_at: null, usable_from: null }],
  ])('of %j is verified when the identity check says %j', async (holder, name, expected) => {
    const store = await ownStore(commerce);
    await approve(store, name);
    const { body } = await store.ask<BankAccount>('POST', PATH, { ...ACCOUNT, holder });
    expect(body.data).toEqual({ ...view, holder, ...expected });
  });

  it('is verified when the check is approved later, or by an operator, once', async () => {
    const store = await ownStore(commerce);
    const [id, other] = [await add(store), await add(store, { holder: 'Toko Nusa' })];
    await approve(store, 'Sari Nusa');
    const by = writerOf(store.storeId, new Date(NOW));
    await commerce.database.tx((tx) => verifyMatchingAccounts(tx, by));
    expect((await list(store)).map(({ verified_at }) => verified_at)).toEqual([NOW, null]);
    await commerce.database.tx((tx) => verifyBankAccount(tx, by, other));
    const later = writerOf(store.storeId, new Date('2026-03-05T00:00:00Z'));
    const again = await commerce.database.tx((tx) => verifyBankAccount(tx, later, id));
    expect(again).toEqual({ ...view, ...VERIFIED });
    expect(await auditedIn(commerce, store.storeId)).toEqual([
      ...Array.from(
        { length: 2 },
        () => 'wallet.withdraw bank_account: bank, bank_code, holder, id, is_primary, last4, usable_from, verified_at',
      ),
      ...Array.from({ length: 2 }, () => 'wallet.withdraw bank_account: usable_from, verified_at'),
    ]);
  });

  it('becomes the primary, and the oldest does when the primary is removed', async () => {
    const store = await ownStore(commerce);
    const [one, two, three] = [await add(store), await add(store), await add(store)];
    expect((await store.ask('PUT', `${PATH}/${three}/primary`)).body).toMatchObject({
      data: { id: three, is_primary: true },
    });
    expect((await list(store)).map(({ is_primary }) => is_primary)).toEqual([false, false, true]);
    expect(await store.ask('DELETE', `${PATH}/${three}`)).toEqual(succeeded(200, 'Account deleted', null));
    expect((await list(store)).map(({ id, is_primary }) => [id, is_primary])).toEqual([
      [one, true],
      [two, false],
    ]);
  });

  it('stays while a withdrawal to it is open', async () => {
    const shop = await walletShop(commerce, 100_000);
    expect((await shop.withdraw()).status).toBe(201);
    expect(await shop.ask('DELETE', `${PATH}/${shop.account}`)).toEqual(
      refused(409, 'in_use', 'A withdrawal to this account is open'),
    );
  });

  it('of another store is 404, and stays as it is', async () => {
    const [mine, theirs] = [await ownStore(commerce), await ownStore(commerce)];
    const id = await add(theirs);
    expect([
      (await mine.ask('PUT', `${PATH}/${id}/primary`)).status,
      (await mine.ask('DELETE', `${PATH}/${id}`)).status,
      await list(mine),
      await list(theirs),
    ]).toEqual([404, 404, [], [view]]);
  });

  it.each([
    [{ bank_code: 'constructor' }, 'bank_code', expect.stringMatching(/^bank_code must be one of/) as string],
    [{ number: '52100-1' }, 'number', 'number must be a valid numeric value'],
    [{ holder: 'a\0' }, 'holder', "holder cannot contain the following 'U+0000'"],
    [{ verified_at: NOW }, 'verified_at', 'verified_at is not a known field'],
  ])('with %j is refused', async (wrong, field, message) => {
    const { ask } = await ownStore(commerce);
    expect(await ask('POST', PATH, { ...ACCOUNT, ...wrong })).toEqual(invalid(field, message));
  });

  it('is not shown to an API token that may read the wallet', async () => {
    const { storeId } = await ownStore(commerce);
    const { token } = await newApiToken(commerce, storeId, { abilities: ['wallet.read'] });
    const answers = await Promise.all(
      ['/wallet', PATH, '/wallet/withdraw'].map((path) => commerce.get(`/api${path}`, bearer(token))),
    );
    expect(answers.map(({ status, body }) => [status, (body as { code?: string }).code])).toEqual([
      [200, undefined],
      [403, 'token_not_allowed'],
      [403, 'token_not_allowed'],
    ]);
  });
});

it('of thirty that are added at once a store has twenty', async () => {
  const store = await ownStore(commerce);
  const added = await Promise.all(Array.from({ length: 30 }, () => store.ask('POST', PATH, ACCOUNT)));
  expect(added.filter(({ status }) => status === 201)).toHaveLength(20);
  expect((await list(store)).filter(({ is_primary }) => is_primary)).toHaveLength(1);
});

it('the banks are those of the bundled table, with what one takes at once', async () => {
  const { ask } = await ownStore(commerce);
  const { data } = (await ask<{ code: string }[]>('GET', '/wallet/banks')).body;
  expect(data.filter(({ code }) => code === 'BCA' || code === 'GOPAY')).toEqual([
    { code: 'BCA', name: 'BCA', kind: 'bank', min: 10_000, max: 500_000_000 },
    { code: 'GOPAY', name: 'GoPay', kind: 'ewallet', min: 10_000, max: 20_000_000 },
  ]);
});

it('the accounts of a store are read by index', async () =>
  expectNoSeqScan(await explain(commerce.database, ACCOUNTS, ['S1'])));
