import { httpClient } from '@platform/http';
import { fixedClock, silentLogger, uuidv7, type Clock } from '@platform/runtime';
import { useDatabase, useForEach } from '@platform/testing';
import { TABLES } from '../../app.fixture';
import { httpCommerce } from '../../clients/commerce';
import type { CommerceClient } from '../../clients/commerce.client';
import { FAKE_SECRET, fakeProduct, fakeShop, startFakeCommerce } from '../../clients/commerce.fake';
import { jobQueue } from '../../jobs';
import type { Agent } from '../agents/public';
import type { Store } from '../stores/public';
import { NO_FACTS, type ToolContext, type ToolOutcome } from '../tools/public';
import { CheckoutRepeats } from './checkout.repeats';
import { CheckoutRepository } from './checkout.repository';
import { CheckoutService } from './checkout.service';
import { createCheckoutTool, paymentStatusTool } from './checkout.tools';
import type { CreateCheckout } from './checkout.dto';
import { writeNotice } from './notice.writer';

export const CART: CreateCheckout = {
  items: [{ sku: 'HAT-0', quantity: 2 }],
  ...{ customerName: 'Budi', address: 'Jl. Dago 101', destination: 'Coblong, Bandung' },
};
export const QUOTE = {
  ...{ status: 'needs_confirmation', subtotal: 20_000, shipping: 15_000, total: 35_000, currency: 'IDR' },
  confirmToken: expect.stringMatching(/^c_[a-z2-7]{26}$/) as string,
};

const tokens = { name: 'tokens', for: () => Promise.resolve('a token') };
let customers = 0;

type Database = ReturnType<typeof useDatabase>;
type Room = ReturnType<typeof roomOf>;

export const roomOf = (database: Database, commerce: CommerceClient, clock: Clock, callMs = 300) => {
  const checkouts = new CheckoutRepository(database);
  const parts = { database, checkouts, commerce, queue: jobQueue(), clock, callMs };
  return {
    checkout: createCheckoutTool(new CheckoutService(parts)),
    status: paymentStatusTool(checkouts, commerce),
    repeats: new CheckoutRepeats({ ...parts, notices: writeNotice, logger: silentLogger }, callMs),
  };
};

const OPEN = `INSERT INTO bot_conversations (store_id, id, agent_id, id_user, conv_key, instance_id, chat_id, team)
  VALUES ($1, $2, 'A1', $3, $4, 'dev1', $5, '3')`;
const COMMIT = `INSERT INTO bot_runs (store_id, id, conv_id, status, reply, tokens_in, tokens_out, cost_micros, ms_queue, ms_model,
  ms_total, agent_version, lead_token) VALUES ($1, $2, $3, $4, '{}', 0, 0, 0, 0, 0, 0, 1, $5)`;

type Turn = Partial<ToolContext> & { readonly status?: string | null };
type Outcome = ToolOutcome & { readonly result: Record<string, unknown> };

/** A customer who talks to the bot: each `turn` is committed, unless its status says otherwise. */
export const conversations = (database: Database, room: () => Room) => {
  const open = async (storeId = 'S1', customer = `62812${String((customers += 1)).padStart(8, '0')}`) => {
    const id = uuidv7();
    await database.query(OPEN, [storeId, id, customer, uuidv7(), `${storeId}.${id}`]);
    const context = (more: Partial<ToolContext> = {}): ToolContext => ({
      ...{ runId: uuidv7(), store: { id: storeId } as Store, agent: {} as Agent, conversationId: id, customer },
      ...{ instanceId: 'dev1', facts: NO_FACTS, rehearsal: false, signal: new AbortController().signal, ...more },
    });
    const turn = async (args: CreateCheckout, { status = 'done', ...more }: Turn = {}): Promise<Outcome> => {
      const now = context(more);
      const outcome = await room().checkout.run(args, now);
      if (status !== null) {
        const values = [storeId, now.runId, id, status, now.leadToken ?? uuidv7()];
        await database.query(COMMIT, values);
      }
      return outcome as Outcome;
    };
    return { id, storeId, customer, context, turn };
  };
  return open;
};

/** What the room has written. */
export const written = (database: Database) => ({
  rows: () =>
    database.query<{ id: string; state: string; order_number: string | null }>(
      `SELECT id, state, order_number FROM bot_checkouts ORDER BY created_at, id`,
    ),
  notices: (lane: string) =>
    database.query<{ payload: { id: string; content: object; onlyIfOpen: boolean } }>(
      'SELECT payload FROM outbox_row WHERE starts_with(lane, $1) ORDER BY id',
      [lane],
    ),
  jobs: () =>
    database.query<{ payload: { storeId: string; id: string; tries: number }; waitsMs: number }>(
      `SELECT payload, round(1000 * extract(epoch FROM run_at - created_at))::int AS "waitsMs" FROM bot_engine_jobs._private_jobs ORDER BY id`,
    ),
});

/** The room of orders on the fake of commerce-api. */
export const useCheckouts = () => {
  const database = useDatabase(TABLES);
  const fake = useForEach(() =>
    startFakeCommerce([fakeShop('S1', { products: [fakeProduct({ sku: 'HAT-0', price: 10_000, stock: 50 })] })]),
  );
  const http = useForEach(() => httpClient('commerce-api', fake.url));
  const clock = useForEach(() => fixedClock(new Date()));
  const room = () => roomOf(database, httpCommerce({ http, tokens, secret: FAKE_SECRET }), clock);
  return { database, fake, clock, room, conversation: conversations(database, room), ...written(database) };
};

/** The token of a quote. */
export const tokenOf = ({ result }: { readonly result: Record<string, unknown> }): string =>
  String(result.confirmToken);
