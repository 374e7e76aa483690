import { uuidv7 } from '@platform/runtime';
import { FUZZ_CANARY, fuzz, type FuzzIngredients } from '@platform/testing';
import { internalToken, serviceToken, tokenFor, useBot } from './app.fixture';
import { nobodysRows, wholeStore } from './whole-store.fixture';

const REQUESTS = 4_000;
/** Another one finds other requests; a failure names it. */
const SEED = 20_261_123;

const { database, bot } = useBot({ environment: { LLM_MODEL: 'sandbox-rules-small', BOT_WINDOW_MS: '0' } });

/** Fits well enough with its neighbours that calls get through. */
const mostly = (text: string): string[] => Array.from({ length: 12 }, () => text);

const prepare = async (): Promise<FuzzIngredients> => {
  const rows = await wholeStore(bot, database, 'S1');
  const ids = Object.values(rows);
  const service = await internalToken('S1');
  return {
    tokens: [await tokenFor(), await serviceToken(), await serviceToken(), await tokenFor({ store: 'S2' })],
    service,
    texts: [...ids, 'S1', 'A1', 'halo', 'true', '7', 'faq', ...Object.values(nobodysRows())],
    fields: {
      ...{ id: [...mostly(uuidv7()), ...ids], agent_id: mostly('A1'), idAgent: mostly('A1'), idStore: mostly('S1') },
      ...{ store_id: mostly('S1'), idUser: ['6281234567890', '628@s.whatsapp.net', '1@g.us', '5@lid'] },
      ...{ from_run: mostly(rows.run), gap_id: [rows.gap], cursor: ['1', 'x.y'], limit: ['1', '50', '0'] },
      ...{ from: mostly('2026-03-01'), to: mostly('2026-03-02'), model: ['sandbox-rules-small'] },
      ...{ url: ['https://127.0.0.1:9/x'], images: ['https://127.0.0.1:9/x.jpg'], event: mostly('payment.paid') },
    },
  };
};

it('four thousand strange requests over every route: no 500, no crash, nothing of them in the log', async () => {
  const { broken, statuses } = await fuzz({
    ...{ url: bot.url, service: bot.service, seed: SEED, requests: REQUESTS, prepare, tooLarge: 200_000 },
    // Models fail and orders cannot be looked up here
    allowed: [502, 503],
  });
  expect({ seed: SEED, broken }).toEqual({ seed: SEED, broken: [] });
  const unexpected = bot.log.filter((line) => line.includes('request failed unexpectedly'));
  expect(unexpected.slice(0, 3)).toEqual([]);
  expect((await bot.get('/ready')).status).toBe(200);
  // Requests of every fate, or the generator would prove little
  for (const status of [200, 201, 400, 401, 404, 422]) expect([...statuses]).toContain(status);
  expect(bot.log.filter((line) => line.includes(FUZZ_CANARY)).slice(0, 3)).toEqual([]);
});
