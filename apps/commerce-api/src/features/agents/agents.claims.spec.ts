import { NotFound, Unavailable } from '@platform/errors';
import { untilWaiting } from '@platform/testing';
import { newStore, useCommerce } from '../../commerce.fixture';
import { jobQueue } from '../../jobs';
import { limits } from '../../limits';
import { planClaims } from '../../plan.claims';
import { touch } from '../chat/copies/public';
import { AgentsService } from './agents/public';

const commerce = useCommerce();
const AGENT = { name: 'Nusa', prompt: 'Jawab dengan ramah' };

it('an agent that was made is counted, also when our database is away before that is written', async () => {
  const storeId = await newStore(commerce);
  const { clock, database } = commerce;
  await database.query(`INSERT INTO plan_use (store_id, metric, used, allowed) VALUES ($1, 'agents', 0, 5)`, [storeId]);
  let isCut = false;
  const cut: typeof database = Object.create(database, {
    tx: {
      value: (...work: Parameters<typeof database.tx>) =>
        isCut ? Promise.reject(new Unavailable('the database does not answer')) : database.tx(...work),
    },
  });
  const made = new Set<unknown>();
  const ask = async (_: unknown, call: { path: unknown; json?: unknown }) => {
    const { id } = (call.json ?? {}) as { id?: string };
    if (id !== undefined) made.add(id);
    isCut = id !== undefined;
    return { data: { ...AGENT, id } } as never;
  };
  const bot = { ask, askModel: ask };
  const devices = { release: async () => undefined };
  const agents = new AgentsService({ database: cut, clock, queue: jobQueue(), bot, devices });
  const by = { storeId, actor: 'u1', name: 'Sari', kind: 'user', at: clock.now() } as never;
  const used = async () =>
    (await database.query(`SELECT used FROM plan_use WHERE store_id = $1 AND metric = 'agents'`, [storeId]))[0];
  await expect(agents.create(by, 'A1', AGENT)).rejects.toBeInstanceOf(Unavailable);
  expect([[...made], await used()]).toEqual([['A1'], { used: 1 }]);
  isCut = false;
  await agents.reconcile({ storeId, id: 'A1' });
  const claims = 'SELECT ref_id, open FROM plan_claim WHERE store_id = $1';
  expect([await used(), await database.query(claims, [storeId])]).toEqual([
    { used: 1 },
    [{ ref_id: 'A1', open: false }],
  ]);
});

it('an agent is looked for only when there was time to make it, whatever the clock of the process', async () => {
  const storeId = await newStore(commerce);
  const { clock, database } = commerce;
  const looks = 'SELECT run_at > now() AS waits FROM commerce_api_jobs._private_jobs WHERE key = $1';
  let meanwhile: unknown[] = [];
  const ask = async () => {
    meanwhile = await database.query(looks, [`agent:${storeId}:A1`]);
    return { data: AGENT } as never;
  };
  const devices = { release: async () => undefined };
  const agents = new AgentsService({ database, clock, queue: jobQueue(), bot: { ask, askModel: ask }, devices });
  const audit = { tenantId: storeId, actor: { id: 'u1', name: 'Sari', kind: 'user' }, at: clock.now() };
  await agents.create({ storeId, actor: 'u1', at: clock.now(), audit } as never, 'A1', AGENT);
  expect(meanwhile).toEqual([{ waits: true }]);
});

it.each([
  ['removed', (agents: AgentsService, by: never) => agents.remove(by, 'A1')],
  ['found to be gone', (agents: AgentsService, by: { storeId: string }) => agents.reconcile({ ...by, id: 'A1' })],
])(
  'an agent that is %s waits for the counters of the plan before it locks what tells of its devices',
  async (how, end) => {
    const storeId = await newStore(commerce);
    const { clock, database } = commerce;
    const audit = { tenantId: storeId, actor: { id: 'u1', name: 'Sari', kind: 'user' }, at: clock.now() };
    const by = { storeId, actor: 'u1', at: clock.now(), audit } as never;
    await database.tx((tx) => planClaims.take(tx, { storeId, metric: 'agents', id: 'A1' }, clock.now()));
    const ask = async () => {
      if (how !== 'removed') throw new NotFound('Agent not found');
      return { data: { ...AGENT, id: 'A1' } } as never;
    };
    const devices = {
      release: (tx: Parameters<typeof touch>[0]) => touch(tx, { storeId, at: clock.now() }, 'devices', ['d1']),
    };
    const agents = new AgentsService({ database, clock, queue: jobQueue(), bot: { ask, askModel: ask }, devices });
    const { ended } = await database.tx(async (tx) => {
      await limits.giveBack(tx, storeId, 'agents');
      const ending = end(agents, by);
      await untilWaiting(tx, ending);
      await tx.query(`SET LOCAL lock_timeout = '100ms'`);
      await touch(tx, { storeId, at: clock.now() }, 'stores', [storeId]);
      return { ended: ending };
    });
    await ended;
  },
);
