// Tells the bot of one payment, and is killed while it waits for the answer.
import { httpClient } from '@platform/http';
import { openDatabase } from '@platform/data';
import { environment, silentLogger, systemClock } from '@platform/runtime';
import { httpBotNotices } from '../../../clients/bot.notice';
import { jobQueue } from '../../../jobs';
import { PaymentNotices } from './payment.notices';

const { DATABASE_URL: url = '', BOT_URL = '', STORE = '', PAYMENT = '' } = environment;

const main = async (): Promise<void> => {
  const database = openDatabase({ url, schema: 'commerce_api', logger: silentLogger, poolSize: 2 });
  const bot = httpBotNotices(httpClient('bot-engine', BOT_URL), { name: 'tokens', for: async () => 'a token' });
  const parts = { database, queue: jobQueue(), clock: systemClock, logger: silentLogger, bot };
  await new PaymentNotices(parts).tell({ storeId: STORE, paymentId: PAYMENT });
};

void main();
