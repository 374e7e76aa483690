import { silentLogger, uuidv7 } from '@platform/runtime';
import { httpClient } from '@platform/http';
import { startScript, until, useRunning } from '@platform/testing';
import { join } from 'node:path';
import { httpBotNotices } from '../../../clients/bot.notice';
import { startFakeBot } from '../../../clients/bot.notice.fake';
import { startCommerce } from '../../../commerce.fixture';
import { jobQueue } from '../../../jobs';
import { orderShop } from '../../sales/orders/orders.fixture';
import { PaymentNotices } from './payment.notices';

/** The service itself reaches no bot: its own tries leave the notice waiting. */
const commerce = useRunning(() => startCommerce({ BOT_URL: 'http://127.0.0.1:1' }));
const bot = useRunning(() => startFakeBot());

/** A paid order of the bot, as its payment is known. */
const paidByBot = async () => {
  const shop = await orderShop(commerce, 3);
  const order = await shop.place(shop.cart(1));
  await commerce.database.query(`UPDATE sales_order SET channel = 'bot' WHERE id = $1`, [order.id]);
  const paid = (await shop.pay(order.id)).body.data;
  return { storeId: shop.storeId, orderId: order.id, paymentId: paid.payments[0]?.id ?? '' };
};

const jobsOf = async (orderId: string): Promise<number> => {
  const count = `SELECT count(*)::int AS left FROM commerce_api_jobs._private_jobs WHERE key = $1`;
  return (await commerce.database.query<{ left: number }>(count, [`paid message:${orderId}`]))[0]?.left ?? NaN;
};

it.each(['before the bot has told the buyer', 'after the bot has told the buyer'])(
  'a process that is killed %s leaves a notice that another one ends, and the buyer hears it once',
  async (when) => {
    bot.state.mood = when.startsWith('before') ? 'hang' : 'late';
    const { storeId, orderId, paymentId } = await paidByBot();
    const env = { DATABASE_URL: commerce.database.url, BOT_URL: bot.url, STORE: storeId, PAYMENT: paymentId };
    const child = startScript(join(__dirname, 'notice.child.ts'), env);
    const mine = () => bot.received.filter(({ idEvent }) => idEvent === `bot:${paymentId}`);
    await until(async () => mine().length === 1);
    await child.stop();
    expect(bot.told.get(`bot:${paymentId}`)).toBe(when.startsWith('before') ? undefined : true);
    bot.state.mood = 'answer';
    const tokens = { name: 'tokens', for: async () => uuidv7() };
    const client = httpBotNotices(httpClient('bot-engine', bot.url), tokens);
    const { database, clock } = commerce;
    const parts = { database, queue: jobQueue(), clock, logger: silentLogger, bot: client };
    await new PaymentNotices(parts).tell({ storeId, paymentId });
    const state = 'SELECT state FROM bot_notice WHERE store_id = $1 AND payment_id = $2';
    expect(await database.query(state, [storeId, paymentId])).toEqual([{ state: 'notified' }]);
    expect([bot.told.get(`bot:${paymentId}`), mine().length, await jobsOf(orderId)]).toEqual([true, 2, 0]);
  },
);
