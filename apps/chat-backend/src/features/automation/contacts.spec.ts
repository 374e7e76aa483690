import { openJobQueue } from '@platform/jobs';
import { until } from '@platform/testing';
import type { ChatJobs } from '../../chat.jobs';
import { takingCommerce } from '../../clients/commerce.fake';
import { SERVICE, startChat, type Chat } from '../../chat.fixture';
import { pushContacts } from './push-contacts.command';

const queue = openJobQueue<ChatJobs>('chat_backend_jobs');

let chat: Chat;
beforeEach(async () => {
  const pushContact = () => Promise.reject(new Error('commerce-api is away'));
  chat = await startChat({
    commerce: { ...takingCommerce, pushContact },
    environment: { COMMERCE_URL: 'http://127.0.0.1:9' },
  });
});
afterEach(() => chat.stop());

const jobs = () =>
  chat.database.query(
    `SELECT payload->>'nohp' AS nohp, max_attempts FROM chat_backend_jobs._private_jobs j
     JOIN chat_backend_jobs._private_tasks t ON t.id = j.task_id WHERE t.identifier = 'contact' ORDER BY 1`,
  );
/** Each job was tried and waits for its next try: one that runs cannot be replaced. */
const tried = () =>
  until(
    () =>
      chat.database.query(
        'SELECT 1 FROM chat_backend_jobs._private_jobs WHERE locked_at IS NULL AND attempts > 0 AND max_attempts = 37',
      ),
    ({ length }) => length === 2,
  );

describe('a contact that commerce-api does not take', () => {
  it('is pushed again for seven days: 37 times with the pauses of the queue', async () => {
    await chat.inbound({ number: '628100000001@s.whatsapp.net' });
    expect(await jobs()).toEqual([{ nohp: '628100000001', max_attempts: 37 }]);
    const pauses = Array.from({ length: 36 }, (_, n) => Math.exp(Math.min(n + 1, 10)));
    expect(Math.round(pauses.reduce((sum, pause) => sum + pause, 0) / 86_400)).toBe(7);
  });
});

describe('a STOP that the shop has forgotten', () => {
  it('is told again when the shop pushes the customer as one who wants messages, and not when it knows', async () => {
    await chat.database.query(
      `INSERT INTO customers (store_id, id, nohp, opt_out, opt_out_by_customer)
       SELECT 'S1', uuidv7(), nohp, true, said FROM (VALUES ('628100000031', true), ('628100000032', true), ('628100000033', false)) k (nohp, said)`,
    );
    const customer = (nohp: string, opt_out?: boolean) => ({ store_id: 'S1', nohp, opt_out, updated_at: 1 });
    const customers = [customer('628100000031', false), customer('628100000032', true), customer('628100000033')];
    await chat.post('/internal/sync', { customers }, { token: chat.tokens.tokenFor(SERVICE) });
    expect(await jobs()).toEqual([{ nohp: '628100000031', max_attempts: 37 }]);
  });
});

describe('ops push-contacts', () => {
  it('queues every customer with a number once, however often it is called', async () => {
    await chat.database.query(
      `INSERT INTO customers (store_id, id, nohp) SELECT store_id, uuidv7(), nohp
       FROM (VALUES ('S1', '628100000002'), ('S2', '628100000002'), ('S1', '120363000000000001@g.us'), ('S1', '99887766@lid')) k (store_id, nohp)`,
    );
    for (let call = 0; call < 2; call++) {
      expect(await pushContacts({ sql: chat.database, queue, isTold: true })).toBe(2);
      await tried();
    }
    expect(await jobs()).toEqual(Array(2).fill({ nohp: '628100000002', max_attempts: 37 }));
  });
});
