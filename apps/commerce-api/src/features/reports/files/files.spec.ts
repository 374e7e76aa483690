import { readdir } from 'node:fs/promises';
import { until, useForEach, useRunning } from '@platform/testing';
import { askDocumented, askOf } from '../../../asked.fixture';
import { startFakeStats } from '../../../clients/chat.stats.fake';
import { bearer, newMember, newStore, startCommerce } from '../../../commerce.fixture';
import { jobQueue } from '../../../jobs';
import { toldOf } from '../../notifications/notifications.fixture';
import { sell } from '../figures/figures.fixture';
import { uuidv7 } from '@platform/runtime';
import type { ExportJob } from './files.dto';

const chat = useRunning(() => startFakeStats());
const commerce = useRunning(() => startCommerce({ CHAT_URL: chat.url }));
useForEach(async () => ({ stop: async () => void (chat.state.mood = 'answer') }));

const DAY = 86_400_000;
const SPAN = { from: '2025-05-10', to: '2025-05-10', format: 'csv' };

const shop = async (name = '=SUM(A1)') => {
  const storeId = await newStore(commerce, [{ sku: 'A', name }]);
  const [variant] = await commerce.database.query<{ id: string }>('SELECT id FROM variant WHERE store_id = $1', [
    storeId,
  ]);
  const sale = {
    id: uuidv7(),
    at: new Date('2025-05-10T05:00:00Z'),
    total: 50_000,
    channel: 'chat',
    assignee: null,
  } as const;
  const rest = { phone: '6281110000001', provider: 'transfer', fee: 0, cost: 20_000, refunds: [] } as const;
  await sell(commerce, storeId, [{ ...sale, ...rest, variant: variant?.id as string }]);
  return { storeId, ask: askOf(commerce)(storeId) };
};
type Ask = Awaited<ReturnType<typeof shop>>['ask'];
const endOf = (read: () => Promise<{ readonly body: { readonly data: ExportJob } }>): Promise<ExportJob> =>
  until<ExportJob | undefined>(async () => {
    const job = (await read()).body.data;
    return job.state === 'done' || job.state === 'failed' ? job : undefined;
  }) as Promise<ExportJob>;
const ended = (ask: Ask, id: string): Promise<ExportJob> => endOf(() => ask('GET', `/report/export/${id}`));
const exported = async (ask: Ask, body: object): Promise<ExportJob> =>
  ended(ask, (await ask<ExportJob>('POST', '/report/export', { ...SPAN, ...body })).body.data.id);
const opened = (url: string | null): Promise<Response> => fetch(commerce.url + new URL(url ?? '').pathname);

describe('a report as a file', () => {
  it('has the rows of the report, is a download, and does not run in a spreadsheet', async () => {
    const { ask, storeId } = await shop();
    const job = await exported(ask, { report: 'products' });
    expect(job).toMatchObject({
      kind: 'report.file',
      state: 'done',
      progress: { done: 1, total: 1 },
      result: { rows: 1 },
    });
    expect(await toldOf(commerce, storeId, 'job.done')).toEqual(['products-2025-05-10-2025-05-10.csv selesai']);
    const file = await opened(job.url);
    expect(await file.text()).toMatch(
      /^product_id,name,units,revenue,refunded,cost,margin\r\n[0-9a-f-]{36},'=SUM\(A1\),1,50000,0,20000,30000\r\n$/,
    );
    expect(file.headers.get('content-disposition')).toContain('products-2025-05-10-2025-05-10.csv');
  });

  it('is asked for once by a key', async () => {
    const { ask } = await shop();
    const ids = await Promise.all(
      [1, 2].map(
        async () => (await ask<ExportJob>('POST', '/report/export', { ...SPAN, report: 'sales' }, 'k')).body.data?.id,
      ),
    );
    const again = (await ask<ExportJob>('POST', '/report/export', { ...SPAN, report: 'sales' }, 'k')).body.data.id;
    expect(ids.filter(Boolean).every((id) => id === again)).toBe(true);
  });

  it('can be opened for a day, and its link ends then', async () => {
    const { ask } = await shop();
    const { id, url } = await exported(ask, { report: 'sales' });
    commerce.clock.advance(DAY - 60_000);
    expect((await opened(url)).status).toBe(200);
    commerce.clock.advance(60_000);
    expect((await opened(url)).status).toBe(410);
    expect((await ask<ExportJob>('GET', `/report/export/${id}`)).body.data.state).toBe('done');
  });

  it('is there once, also when the job runs again after it was killed and twice at the same time', async () => {
    const { ask, storeId } = await shop();
    const { id } = await exported(ask, { report: 'sales' });
    // As a kill leaves it that came after the file and before its row
    await commerce.database.query(`DELETE FROM media WHERE store_id = $1 AND purpose = 'report'`, [storeId]);
    await commerce.database.query(
      `UPDATE job_row SET state = 'running', done = 0, args = args - 'media_id' WHERE store_id = $1 AND id = $2`,
      [storeId, id],
    );
    const files = await readdir(commerce.mediaDir);
    const queue = jobQueue();
    for (const key of ['one', 'two'])
      await queue.enqueue(commerce.database, 'report.file', { storeId, id }, { key: `${id} ${key}` });
    expect((await ended(ask, id)).result).toEqual({ rows: 1 });
    const waiting = `SELECT 1 FROM commerce_api_jobs._private_jobs WHERE key LIKE $1 || ' %'`;
    await until(async () => (await commerce.database.query(waiting, [id])).length === 0 || undefined);
    expect(
      await commerce.database.query(`SELECT name FROM media WHERE store_id = $1 AND purpose = 'report'`, [storeId]),
    ).toEqual([{ name: 'sales-2025-05-10-2025-05-10.csv' }]);
    expect(await readdir(commerce.mediaDir)).toHaveLength(files.length + 1);
  });

  /** As if it had not been written yet, until it has been. */
  const writtenAnew = async (storeId: string, id: string): Promise<void> => {
    const { database } = commerce;
    await database.query(`DELETE FROM media WHERE store_id = $1 AND purpose = 'report'`, [storeId]);
    const back = `UPDATE job_row SET state = 'queued', done = 0, args = args - 'media_id' WHERE store_id = $1 AND id = $2`;
    await database.query(back, [storeId, id]);
    await jobQueue().enqueue(database, 'report.file', { storeId, id }, { key: id });
    const over = `SELECT 1 FROM job_row WHERE store_id = $1 AND id = $2 AND state IN ('done', 'failed')`;
    await until(async () => (await database.query(over, [storeId, id])).length > 0);
  };

  /** One that an admin has, who becomes something else. */
  const ofAdmin = async () => {
    const { storeId } = await shop('Topi');
    const { userId, token } = await newMember(commerce, storeId, 'admin');
    chat.handled.set(`${storeId} ${userId}`, []);
    const own = async (id: string) =>
      (await commerce.call('GET', `/api/report/export/${id}`, token)).body as { data: ExportJob };
    const asked = await commerce.call('POST', '/api/report/export', token, { ...SPAN, report: 'products' });
    const { id, url } = await endOf(async () => ({ body: await own((asked.body as { data: ExportJob }).data.id) }));
    const role = 'UPDATE membership SET system_role = $3 WHERE store_id = $1 AND user_id = $2';
    const become = (name: string) => commerce.database.query(role, [storeId, userId, name]);
    return { storeId, id, url, own, become };
  };

  it('opens for its maker as long as they may see all that is in it', async () => {
    const { id, url, own, become } = await ofAdmin();
    const open = async () =>
      Promise.all([url, (await own(id)).data.url].map(async (link) => (await opened(link)).status));
    await become('advertiser');
    expect(await open()).toEqual([410, 410]);
    await become('admin');
    expect(await open()).toEqual([200, 200]);
  });

  it('has no more in it than whoever asked for it may see by the time that it is written', async () => {
    const { storeId, id, own, become } = await ofAdmin();
    await become('advertiser');
    await writtenAnew(storeId, id);
    expect(await (await opened((await own(id)).data.url)).text()).toBe('product_id,name,units,revenue,refunded\r\n');
    await become('cs');
    await writtenAnew(storeId, id);
    const kept = `SELECT 1 FROM media WHERE store_id = $1 AND purpose = 'report'`;
    expect(await commerce.database.query(kept, [storeId])).toEqual([]);
  });

  it('whose process has died at its last try has failed a day later, when the store asks for another', async () => {
    const { ask, storeId } = await shop();
    const { id } = await exported(ask, { report: 'sales' });
    // As a kill leaves it, and no job is left
    await commerce.database.query(
      `UPDATE job_row SET state = 'running', done = 0, total = 0, result = NULL, args = args - 'media_id'
       WHERE store_id = $1 AND id = $2`,
      [storeId, id],
    );
    commerce.clock.advance(DAY - 1);
    await exported(ask, { report: 'sales' });
    const found = async () => (await ask<ExportJob>('GET', `/report/export/${id}`)).body.data;
    expect(await found()).toMatchObject({ state: 'running', errors: [] });
    commerce.clock.advance(1);
    await exported(ask, { report: 'sales' });
    const errors = [{ row: 0, field: 'report', message: 'It could not be written' }];
    expect(await found()).toMatchObject({ state: 'failed', errors, url: null });
  });

  it('is nobody else’s: neither its link nor its job, and not what a member may not see', async () => {
    const { ask, storeId } = await shop();
    const { id } = await exported(ask, { report: 'sales' });
    const { userId, token } = await newMember(commerce, storeId, 'advertiser');
    chat.handled.set(`${storeId} ${userId}`, []);
    const as = <Data>(method: string, path: string, body?: unknown) =>
      askDocumented<Data>(commerce, commerce.url, path, { method, body, headers: bearer(token) });
    expect((await as('GET', `/report/export/${id}`)).status).toBe(404);
    const own = (await as<ExportJob>('POST', '/report/export', { ...SPAN, report: 'products' })).body.data.id;
    const done = await endOf(() => as('GET', `/report/export/${own}`));
    expect(await (await opened(done.url)).text()).toBe('product_id,name,units,revenue,refunded\r\n');
    await commerce.database.query('DELETE FROM membership WHERE store_id = $1 AND user_id = $2', [storeId, userId]);
    expect((await opened(done.url)).status).toBe(410);
  });
});
