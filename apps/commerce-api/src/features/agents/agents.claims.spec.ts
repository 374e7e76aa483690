import { Unavailable } from '@platform/errors';
import { newStore, useCommerce } from '../../commerce.fixture';
import { jobQueue } from '../../jobs';
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
