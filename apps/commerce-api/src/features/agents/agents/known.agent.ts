import type { Sql } from '@platform/data';
import { NotFound } from '@platform/errors';
import { path } from '@platform/http';
import type { Asking, BotAnswer, BotDesk, BotPage } from '../../../clients/bot.desk';
import type { Queue } from '../../../jobs';
import { refusals } from '../../../refusals';

/** Throws `NotFound` with the field for an agent that the store has not, and what a face throws. Not for a transaction: bot-engine is asked. */
export type KnownAgent = (who: Asking, id: string, field: string) => Promise<void>;

export const knownAgent =
  (bot: BotDesk): KnownAgent =>
  async (who, id, field) => {
    await bot.ask<BotAnswer<object>>(who, { path: path('/internal/agents/{id}', { id }) }).catch((failure: unknown) => {
      throw failure instanceof NotFound ? refusals.notHere(field, 'is not an AI agent of this store') : failure;
    });
  };

/** A thing to choose one of. */
export interface Named {
  readonly id: string;
  readonly name: string;
}
const MOST_NAMES = 100;

/** To choose one of. Throws what a face throws. */
export const agentNames =
  (bot: BotDesk) =>
  async (who: Asking): Promise<Named[]> => {
    const query = { page: 1, per_page: MOST_NAMES };
    const { data } = await bot.ask<BotPage<Named>>(who, { path: path('/internal/agents'), query });
    return data.map(({ id, name }) => ({ id, name }));
  };

/** In the transaction that writes it down. The agent may have been deleted since it was found: once this is committed a job looks again. */
export type ChosenAgent = (tx: Sql, storeId: string, id: string) => Promise<void>;

export const chosenAgent =
  (queue: Queue): ChosenAgent =>
  async (tx, storeId, id) => {
    // Under a key of its own: a look that is put off for the sake of a call under way stays put off
    await queue.enqueue(tx, 'agent.reconcile', { storeId, id }, { key: `agent-chosen:${storeId}:${id}` });
  };
