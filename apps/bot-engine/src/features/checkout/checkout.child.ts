// Confirms a quote as a turn of the bot does, and is killed before the turn is committed.
import { openDatabase } from '@platform/data';
import { httpClient } from '@platform/http';
import { environment, silentLogger, systemClock, uuidv7 } from '@platform/runtime';
import { httpCommerce } from '../../clients/commerce';
import { jobQueue } from '../../jobs';
import type { ToolContext } from '../tools/public';
import { CheckoutRepository } from './checkout.repository';
import { CheckoutService } from './checkout.service';

const { DATABASE_URL: url = '', COMMERCE_URL = '', SECRET, ASKED = '{}' } = environment;

const main = async (): Promise<void> => {
  const database = openDatabase({ url, schema: 'bot_engine', logger: silentLogger, poolSize: 2 });
  const tokens = { name: 'tokens', for: async () => 'a token' };
  const http = httpClient('commerce-api', COMMERCE_URL);
  const commerce = httpCommerce({ http, tokens, secret: SECRET });
  const checkouts = new CheckoutRepository(database);
  const service = new CheckoutService({ database, checkouts, commerce, queue: jobQueue(), clock: systemClock });
  const { args, ...context } = JSON.parse(ASKED) as { args: never } & Omit<ToolContext, 'signal' | 'runId'>;
  await service.run(args, { ...context, runId: uuidv7(), signal: new AbortController().signal });
  // The model reads the result
  setInterval(() => undefined, 1_000);
};

void main();
