// commerce-api and bot-engine themselves, as processes beside this suite: what one relies on at the other about payments.
import { httpClient } from '@platform/http';
import { serviceTokens } from '@platform/auth';
import { uuidv7 } from '@platform/runtime';
import { runProgramCommand, startProgram, testDatabase, useRunning } from '@platform/testing';
import {
  PRODUCT,
  REAL_SECRET,
  startRealCommerce,
  type RealCommerce,
} from 'bot-engine/src/clients/commerce.real.fixture';
import { httpBotNotices, type PaymentNotice } from 'commerce-api/src/clients/bot.notice';
import { noticeContract } from 'commerce-api/src/clients/bot.notice.contract';

const main = 'apps/bot-engine/src/main.ts';

const startBot = async ({ url, storeAuth }: RealCommerce) => {
  const database = await testDatabase({ schema: 'bot_engine', migrations: [] });
  const env = {
    ...{ APP_ENV: 'test', HOST: '127.0.0.1', PORT: '0', STORE_AUTH_URL: storeAuth.url, SERVICE_CLIENT_SECRET: 'x' },
    ...{ COMMERCE_URL: url, STORE_SOURCE: 'commerce', ENGINE_BOT_SECRET: REAL_SECRET, ...database.settings },
  };
  const migrated = await runProgramCommand({ main, args: ['migrate'], env });
  if (migrated.code !== 0) throw new Error(migrated.output);
  const program = await startProgram({ main, env });
  return { url: program.url, database, stop: async () => [await program.stop(), await database.stop?.()] };
};

const commerce = useRunning(() => startRealCommerce());
const bot = useRunning(() => startBot(commerce));
const http = useRunning(async () => httpClient('bot-engine', bot.url));
const tokens = useRunning(async () =>
  serviceTokens({ storeAuthUrl: commerce.storeAuth.url, clientId: 'commerce-api', clientSecret: 'x' }),
);

/** A paid order, and the notice of it. */
const paid = async (storeId: string): Promise<PaymentNotice> => {
  const { orderNumber, total, currency } = await commerce.client.createCheckout({
    ...{ idStore: storeId, idUser: '6281234567890', items: [{ sku: PRODUCT.sku, quantity: 1 }] },
    customer: { name: 'Budi', address: 'Jl. Dago 101', destination: 'Coblong, Bandung' },
    idempotencyKey: uuidv7(),
  });
  await commerce.pay(storeId, orderNumber);
  const about = { idStore: storeId, amount: total, currency, paidAt: new Date().toISOString(), provider: 'a' };
  return { idEvent: `bot:${orderNumber}`, orderNumber, ...about };
};

/** As a conversation of the bot has taken it. */
const taken = async ({ idStore, orderNumber, amount }: PaymentNotice): Promise<void> => {
  const id = uuidv7();
  await bot.database.query(
    `INSERT INTO bot_engine.bot_conversations (store_id, id, agent_id, id_user, conv_key, instance_id, team)
     VALUES ($1, $2, 'A1', '6281234567890', $3, 'dev1', '3')`,
    [idStore, id, id],
  );
  await bot.database.query(
    `INSERT INTO bot_engine.bot_checkouts (store_id, id, conv_id, run_id, confirm_token, cart_hash, args, quote, total, state, order_number)
     VALUES ($1, $2, $2, $2, $3, '', '{}', '{}', $4, 'pending', $3)`,
    [idStore, id, orderNumber, amount],
  );
};

describe('bot-engine itself', () => {
  let [ofBot, ofOther] = [] as unknown as [PaymentNotice, PaymentNotice];
  beforeAll(async () => {
    const storeId = await commerce.newStore();
    [ofBot, ofOther] = [await paid(storeId), await paid(storeId)];
    await taken(ofBot);
  });
  noticeContract(() => ({ notices: httpBotNotices(http, tokens), ofBot, ofOther }));
});
