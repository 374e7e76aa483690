import { until } from '@platform/testing';
import { DEMO, seed, useBot } from '../../app.fixture';

const POLICY = { title: 'Retur', text: 'Barang boleh ditukar dalam 7 hari.' };
const SHOP = { ...DEMO, ai_agent: { ...DEMO.ai_agent, vision: true }, policy: POLICY };
const { database, bot } = useBot({ shop: SHOP });

it('the seed gives the demo shop an agent that sees, and terms that are found once the service runs; another one changes no terms', async () => {
  expect(bot.url).toMatch(/^http/);
  const docs = () => database.query(`SELECT id, agent_id, kind, title, text, status FROM bot_knowledge_docs`);
  const doc = { id: 'demo-policy', agent_id: 'A1', kind: 'policy', ...POLICY };
  await until(async () => (await docs())[0]?.status === 'ready');
  expect(await docs()).toEqual([{ ...doc, status: 'ready' }]);
  expect(await database.query('SELECT id, vision FROM bot_agents')).toEqual([{ id: 'A1', vision: true }]);
  for (const policy of [POLICY, { ...POLICY, text: 'Tidak ada retur.' }]) await seed(database.url, { ...SHOP, policy });
  expect(await docs()).toEqual([{ ...doc, status: 'ready' }]);
});
