import { freePort, startLlmSandbox } from '@platform/testing';
import { askOf } from '../../asked.fixture';
import { newStore, startCommerce } from '../../commerce.fixture';
import { startOwner } from '../../owner.fixture';

/** commerce-api with bot-engine itself, and the model that it asks; `more` are settings. */
export const startAgentsWorld = async (more: Readonly<Record<string, string>> = {}) => {
  const [port, llm] = [await freePort(), await startLlmSandbox({ port: 0 })];
  const commerce = await startCommerce({ BOT_URL: `http://127.0.0.1:${port}`, ...more }, new Date().toISOString());
  const bot = await startOwner(commerce, 'bot-engine', port, {
    ...{ STORE_SOURCE: 'local', ENGINE_BOT_SECRET: 'a secret of the bot', LLM_BASE_URL: `${llm.url}/v1` },
  });
  return {
    commerce,
    bot,
    /** A store that both know, and the calls of its owner. */
    store: async () => {
      const storeId = await newStore(commerce);
      await bot.database.query(`INSERT INTO bot_engine.bot_stores (store_id, name) VALUES ($1, 'Toko')`, [storeId]);
      return { storeId, ask: askOf(commerce)(storeId) };
    },
    /** What the plan of a store counts of its agents. */
    counted: async (storeId: string): Promise<number> => {
      const used = `SELECT used FROM plan_use WHERE store_id = $1 AND metric = 'agents'`;
      return (await commerce.database.query<{ used: number }>(used, [storeId]))[0]?.used ?? 0;
    },
    allow: (storeId: string, agents: number) =>
      commerce.database.query(
        `INSERT INTO plan_use (store_id, metric, used, allowed) VALUES ($1, 'agents', 0, $2)
         ON CONFLICT (store_id, metric) DO UPDATE SET allowed = $2`,
        [storeId, agents],
      ),
    /** The look at what became of an agent is due now. */
    hurry: () =>
      commerce.database.query(
        `UPDATE commerce_api_jobs._private_jobs SET run_at = now(), attempts = 0 WHERE locked_at IS NULL AND key LIKE 'agent:%'`,
      ),
    stop: async () => {
      await bot.stop();
      await commerce.stop();
      await llm.close();
    },
  };
};

export type AgentsWorld = Awaited<ReturnType<typeof startAgentsWorld>>;
