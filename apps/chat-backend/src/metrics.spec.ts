import { gaugesOf, type HttpClient } from '@platform/http';
import { openJobQueue } from '@platform/jobs';
import { metricsOf, until, useOpened } from '@platform/testing';
import { chatDatabase, offlineService, startChat } from './chat.fixture';
import { openGate } from './database-gate.fixture';

const opened = useOpened();
const NAMES = ['outbox_queued', 'outbox_oldest_seconds', 'outbox_dead', 'jobs_dead', 'db_pool_waiting'];
const OUTBOX = '{component="outbox chat-backend"}';
const JOBS = '{component="jobs chat_backend_jobs"}';

it('/metrics of chat-backend shows answers that the gateway refused for good, those that wait, and jobs that failed', async () => {
  const chat = opened(await startChat());
  // Somebody may wait for a connection for a moment
  const shown = () =>
    until(
      () => metricsOf(chat.url, ...NAMES),
      (all) => all['db_pool_waiting{component="chat-backend"}'] === 0,
    );
  const quiet = {
    ...{ [`outbox_queued${OUTBOX}`]: 0, [`outbox_oldest_seconds${OUTBOX}`]: 0, [`outbox_dead${OUTBOX}`]: 0 },
    ...{ [`jobs_dead${JOBS}`]: 0 },
    ...{ 'db_pool_waiting{component="chat-backend"}': 0, 'db_pool_waiting{component="searches"}': 0 },
  };
  expect(await shown()).toEqual(quiet);
  chat.gateway.next.push({ status: 422, message: 'number not registered' });
  await chat.post('/v1/send_express', { nohp: '628400000001', instance: 'dev1', team: '3', pesan: 'mati' });
  await openJobQueue<Record<string, object>>('chat_backend_jobs').bury(chat.database, 'automation', {}, 'planted');
  await until(async () => (await shown())[`outbox_dead${OUTBOX}`]);
  await chat.database.query(
    `INSERT INTO outbox_row (event_id, lane, target, kind, payload, state, created_at)
     SELECT gen_random_uuid(), 'planted', 'planted', kind, payload, 'blocked', now() - interval '1 hour' FROM outbox_row`,
  );
  expect(await shown()).toEqual({
    ...quiet,
    ...{ [`outbox_dead${OUTBOX}`]: 1, [`jobs_dead${JOBS}`]: 1 },
    ...{ [`outbox_queued${OUTBOX}`]: 1, [`outbox_oldest_seconds${OUTBOX}`]: expect.closeTo(3_600, -2) },
  });
});

it('/metrics of chat-backend keeps the numbers of its own database while that of _crm is away', async () => {
  const crm = opened(await chatDatabase());
  const door = await openGate(crm.url);
  opened({ stop: () => door.end() });
  const chat = opened(await startChat({ environment: { CRM_DATABASE_URL: door.url } }));
  const shown = () => metricsOf(chat.url, 'component_up', 'jobs_dead');
  const CRM = ' (CRM_DATABASE_URL)';
  const whole = await shown();
  expect(Object.keys(whole)).toContain(`jobs_dead{component="jobs chat_backend_jobs${CRM}"}`);
  door.close();
  expect(await shown()).toEqual({
    ...Object.fromEntries(
      Object.entries(whole).filter(([name]) => !name.includes(`jobs_dead{component="jobs chat_backend_jobs${CRM}`)),
    ),
    [`component_up{component="chat-backend crm${CRM}"}`]: 0,
    // Down too if one of its pools had something to write just then, and so broke down
    [`component_up{component="jobs chat_backend_jobs${CRM}"}`]: expect.any(Number) as number,
  });
});

it('/metrics of chat-backend counts the calls to a sibling that the source of _crm makes too', async () => {
  const shown = async (environment: Record<string, string>) => {
    const service = offlineService(environment);
    const peers = service.components.flat().flatMap((component) => (component as Partial<HttpClient>).peers ?? []);
    for (const peer of peers) (peer as { refusedCalls: number }).refusedCalls = 1;
    const [refused] = gaugesOf(service).filter(({ name }) => name === 'peer_calls_refused_total');
    return refused?.read();
  };
  const siblings = { BOT_URL: 'http://127.0.0.1:1', COMMERCE_URL: 'http://127.0.0.1:1' };
  expect(await shown(siblings)).toEqual({ 'wa-gateway': 1, 'bot-engine': 1, 'commerce-api': 1 });
  expect(await shown({ ...siblings, CRM_DATABASE_URL: 'postgres://u:p@127.0.0.1:1/crm' })).toEqual({
    ...{ 'wa-gateway': 2, 'bot-engine': 2, 'commerce-api': 2 },
  });
});
