// Whether a customer wants messages: what they say and what the shop sets, whichever comes first.
import { openJobQueue } from '@platform/jobs';
import { until } from '@platform/testing';
import type { ChatJobs } from '../../chat.jobs';
import type { CommerceClient, Contact } from '../../clients/commerce.client';
import { takingCommerce } from '../../clients/commerce.fake';
import { SERVICE, startChat, type Chat } from '../../chat.fixture';
import { pushContacts } from './push-contacts.command';

const SAID_AT = '2026-11-20T06:45:00.000Z';
const contacts: Contact[] = [];
const failures: Error[] = [];
const commerce: CommerceClient = {
  ...takingCommerce,
  pushContact: async (contact) => {
    const failure = failures.shift();
    if (failure) throw failure;
    return contacts.push(contact) > 0;
  },
};

let chat: Chat;
beforeAll(async () => {
  chat = await startChat({ commerce, environment: { COMMERCE_URL: 'http://127.0.0.1:9' } });
});
afterAll(() => chat.stop());

const says = async (nohp: string, text: string, more: Record<string, string> = {}) => {
  const { body } = await chat.inbound({ number: `${nohp}@s.whatsapp.net`, text, name: '', ...more });
  expect(body).toMatchObject({ result: true });
};
/** The copy of what the shop has set arrives. */
const sets = async (nohp: string, opt_out: boolean, updated_at: number) => {
  const customers = [{ store_id: 'S1', nohp, opt_out, updated_at }];
  const token = chat.tokens.tokenFor(SERVICE);
  expect((await chat.post('/internal/sync', { customers }, { token })).body).toMatchObject({ data: { applied: 1 } });
};
const told = (nohp: string, times: number) =>
  until(
    async () => contacts.filter(({ phone }) => phone === nohp).map(({ optedOut, saidAt }) => ({ optedOut, saidAt })),
    ({ length }) => length === times,
  );
const kept = async (nohp: string) =>
  (await chat.database.query('SELECT opt_out, opt_out_by_customer FROM customers WHERE nohp = $1', [nohp]))[0];
const [yes, no] = [
  { optedOut: false, saidAt: SAID_AT },
  { optedOut: true, saidAt: SAID_AT },
];
/** It stands, whenever it was said. */
const still = { optedOut: true, saidAt: undefined };
const nothing = { optedOut: undefined, saidAt: undefined };

it('what the shop has set is never told to it as what the customer wants', async () => {
  await sets('628400000001', true, 1);
  await says('628400000001', 'halo', { name: 'Ani' });
  expect(await told('628400000001', 1)).toEqual([nothing]);
  expect(await kept('628400000001')).toEqual({ opt_out: true, opt_out_by_customer: false });
});

it('the word that they want messages is told also where the copy of what the shop has set has not come', async () => {
  await says('628400000002', 'halo');
  await told('628400000002', 1);
  await says('628400000002', 'START');
  expect(await told('628400000002', 2)).toEqual([nothing, yes]);
  await sets('628400000002', true, 1);
  expect(await kept('628400000002')).toEqual({ opt_out: true, opt_out_by_customer: false });
});

it('their first word may be that they want no messages, which the shop does not take back and is told again', async () => {
  await says('628400000003', 'STOP');
  expect(await told('628400000003', 1)).toEqual([no]);
  await sets('628400000003', false, 1);
  expect(await told('628400000003', 2)).toEqual([no, still]);
  expect(await kept('628400000003')).toEqual({ opt_out: true, opt_out_by_customer: true });
  await says('628400000003', 'start');
  expect(await told('628400000003', 3)).toEqual([no, still, yes]);
  expect(await kept('628400000003')).toEqual({ opt_out: false, opt_out_by_customer: false });
});

it('a word that is told late is told as it stands then', async () => {
  failures.push(new Error('commerce-api is away'));
  await says('628400000004', 'STOP');
  await until(() => failures.length === 0);
  await says('628400000004', 'START');
  await chat.database.query(
    'UPDATE chat_backend_jobs._private_jobs SET run_at = now() WHERE attempts > 0 AND locked_at IS NULL',
  );
  expect(new Set((await told('628400000004', 1)).map(({ optedOut }) => optedOut))).toEqual(new Set([false]));
});

it.each([
  ['STOP', false, { opt_out: true, opt_out_by_customer: true }],
  ['START', true, { opt_out: false, opt_out_by_customer: false }],
])('%s counts also when the shop’s copy of them comes at the same moment', async (text, opt_out, expected) => {
  const nohp = `6284000000${opt_out ? '05' : '06'}`;
  let written: Promise<void> | undefined;
  await chat.database.tx(async (tx) => {
    await tx.query(`INSERT INTO customers (store_id, id, nohp, opt_out) VALUES ('S1', uuidv7(), $1, $2)`, [
      nohp,
      opt_out,
    ]);
    written = says(nohp, text);
    const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await until(
      () => chat.database.query(waiting),
      ({ length }) => length > 0,
    );
  });
  await written;
  expect(await kept(nohp)).toEqual(expected);
  expect(await told(nohp, 1)).toEqual([{ optedOut: text === 'STOP', saidAt: SAID_AT }]);
});

it('whoever told commerce-api of everybody tells it who has said that they want none, and of nobody that they want some', async () => {
  await says('628400000007', 'STOP');
  await told('628400000007', 1);
  await says('628400000008', 'halo');
  await told('628400000008', 1);
  const queue = openJobQueue<ChatJobs>('chat_backend_jobs');
  await pushContacts({ sql: chat.database, queue, isTold: true });
  expect([await told('628400000007', 2), await told('628400000008', 2)]).toEqual([
    [no, { optedOut: true, saidAt: undefined }],
    [nothing, nothing],
  ]);
});
