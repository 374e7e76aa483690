import { expectNoSeqScan, explain } from '@platform/testing';
import { auditedIn, invalid, ownStore, refused, succeeded, type OwnStore } from '../../../asked.fixture';
import { useCommerce } from '../../../commerce.fixture';
import type { TransferAccount } from './accounts.dto';
import { ACCOUNTS } from './accounts.sql';

const commerce = useCommerce();
/** For what is refused, which leaves it as it was. */
let refusing: OwnStore;
beforeAll(async () => {
  refusing = await ownStore(commerce);
});
const PATH = '/payment/bank-transfer';
const body = { bank_code: 'BCA', number: '5210001234', holder: 'Sari Nusa' };
const view = { id: expect.any(String) as string, ...body, bank: 'BCA', active: true };
const LAST = refused(409, 'last_account', 'Buyers have no other account: add one, or switch bank transfer off first');
const add = async ({ ask }: OwnStore, more: object = {}): Promise<string> =>
  (await ask<TransferAccount>('POST', PATH, { ...body, ...more })).body.data.id;
const statuses = async (calls: readonly Promise<{ readonly status: number }>[]) =>
  (await Promise.all(calls)).map(({ status }) => status).sort();

describe('an account for transfers', () => {
  it('is added, listed in the order of adding, changed and removed, and the log tells of it', async () => {
    const store = await ownStore(commerce);
    const { ask, storeId } = store;
    expect(await ask('POST', PATH, body)).toEqual(succeeded(201, 'Account created', view));
    const second = await add(store, { bank_code: 'GOPAY', number: '081234567890' });
    const changed = { ...view, id: second, bank_code: 'OVO', bank: 'OVO', holder: 'Siti', active: false };
    const { id: _id, bank: _bank, ...change } = changed;
    expect(await ask('PUT', `${PATH}/${second}`, change)).toEqual(succeeded(200, 'Account updated', changed));
    expect(await ask('GET', PATH)).toEqual(succeeded(200, 'OK', [view, changed]));
    expect(await ask('DELETE', `${PATH}/${second}`)).toEqual(succeeded(200, 'Account deleted', null));
    expect(await ask('GET', PATH)).toEqual(succeeded(200, 'OK', [view]));
    expect((await auditedIn(commerce, storeId)).map((told) => told.split(': ')[1])).toEqual([
      ...['active, bank, bank_code, holder, id, number', 'active, bank, bank_code, holder, id, number'],
      ...['active, bank, bank_code, holder, number', 'active, bank, bank_code, holder, id, number'],
    ]);
  });

  it.each([
    ['of an unknown bank', { bank_code: 'constructor' }, 'bank_code', /^bank_code must be one of \[BCA /],
    ['with a number that is no digits', { number: '52100-1234' }, 'number', 'number must be a valid numeric value'],
    ['with a number of four digits', { number: '1234' }, 'number', 'number must be at least 5 characters in length'],
    ['without a holder', { holder: ' ' }, 'holder', 'holder is a required field'],
    ['with U+0000 in its holder', { holder: 'a\0' }, 'holder', "holder cannot contain the following 'U+0000'"],
    ['with a misspelt field', { actve: true }, 'actve', 'actve is not a known field'],
  ])('%s is refused', async (_, wrong, field, message) => {
    const text = typeof message === 'string' ? message : (expect.stringMatching(message) as string);
    expect(await refusing.ask('POST', PATH, { ...body, ...wrong })).toEqual(invalid(field, text));
  });

  it('keeps names from right to left and emoji as they are', async () => {
    const store = await ownStore(commerce);
    await add(store, { holder: 'مرشل 😀\ud83d' });
    expect((await store.ask<TransferAccount[]>('GET', PATH)).body.data[0]?.holder).toBe('مرشل 😀\ufffd');
  });

  it('of another store is 404, and stays as it is', async () => {
    const [mine, theirs] = [await ownStore(commerce), await ownStore(commerce)];
    const id = await add(theirs);
    expect([
      (await mine.ask('PUT', `${PATH}/${id}`, body)).status,
      (await mine.ask('DELETE', `${PATH}/${id}`)).status,
    ]).toEqual([404, 404]);
    expect(await mine.ask('GET', PATH)).toEqual(succeeded(200, 'OK', []));
    expect(await theirs.ask('GET', PATH)).toEqual(succeeded(200, 'OK', [view]));
  });
});

describe('the last account that buyers can transfer to', () => {
  it('stays while transfers are switched on, and may go afterwards', async () => {
    const store = await ownStore(commerce);
    const id = await add(store);
    await add(store, { active: false });
    expect(await store.ask('DELETE', `${PATH}/${id}`)).toEqual(LAST);
    expect(await store.ask('PUT', `${PATH}/${id}`, { ...body, active: false })).toEqual(LAST);
    await store.ask('PUT', '/payment/methods/transfer', { enabled: false });
    expect((await store.ask('DELETE', `${PATH}/${id}`)).status).toBe(200);
  });

  it('is one of two that are taken away at once', async () => {
    const store = await ownStore(commerce);
    const [one, other] = [await add(store), await add(store)];
    const off = store.ask('PUT', `${PATH}/${other}`, { ...body, active: false });
    expect(await statuses([store.ask('DELETE', `${PATH}/${one}`), off])).toEqual([200, 409]);
  });
});

it('of twenty more accounts at once only as many are added as a store may have', async () => {
  const store = await ownStore(commerce);
  await add(store);
  const added = await statuses(Array.from({ length: 20 }, () => store.ask('POST', PATH, body)));
  expect(added).toEqual([...Array.from({ length: 19 }, () => 201), 409]);
  expect(await store.ask('POST', PATH, body)).toEqual(
    refused(409, 'too_many_accounts', 'A store has at most 20 accounts'),
  );
});

it('the accounts of a store are read by index', async () =>
  expectNoSeqScan(await explain(commerce.database, ACCOUNTS, ['S1'])));
