import type { AgentRow } from '@platform/contracts';
import type { Database, Transaction } from '@platform/data';
import { Conflict, NotFound, type Failure } from '@platform/errors';
import { path, type Paged } from '@platform/http';
import type { Clock } from '@platform/runtime';
import { audited, type Writer } from '../../../by';
import type { BotAnswer, BotDesk, BotPage } from '../../../clients/bot.desk';
import { isRefusal } from '../../../clients/face';
import type { CommerceJobs, Queue } from '../../../jobs';
import { planClaims, type Claimed } from '../../../plan.claims';
import type { Agent, AgentChange, AgentsQuery, AgentUsage, NewAgent, UsageQuery } from './agents.dto';

export const agentRefusals = {
  keyUsed: (): Failure =>
    new Conflict('Idempotency-Key was used with a different request', { code: 'idempotency_mismatch' }),
} as const;

/** Where the agents of a store are chosen. */
export interface AnsweredDevices {
  /** The agent answers no device any more, and no welcome is in its name. */
  release(tx: Transaction, by: Pick<Writer, 'storeId' | 'actor' | 'at'>, agentId: string): Promise<void>;
}

export interface AgentsParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly queue: Queue;
  readonly bot: BotDesk;
  readonly devices: AnsweredDevices;
}

/** Long after every call of one attempt has ended. */
const LOOK_AGAIN_SECONDS = 120;
const USUAL_DAYS = 30;
const DAYS = `
  SELECT coalesce($2, (today - ${USUAL_DAYS - 1})::text) AS from, coalesce($3, today::text) AS to
  FROM (SELECT ($4::timestamptz AT TIME ZONE timezone)::date AS today FROM store WHERE store_id = $1) here`;

const claimOf = (storeId: string, id: string): Claimed => ({ storeId, metric: 'agents', id });
type By = Pick<Writer, 'storeId' | 'actor'>;

/** AI agents of a store, which bot-engine keeps (design 5.6): here is only how many of them its plan counts. */
export class AgentsService {
  constructor(private readonly parts: AgentsParts) {}

  async list(by: By, { page, per_page, enabled }: AgentsQuery): Promise<Paged<AgentRow>> {
    const query = { page, per_page: per_page ?? 15, enabled };
    const { data, meta } = await this.parts.bot.ask<BotPage<AgentRow>>(by, { path: path('/internal/agents'), query });
    return { rows: data, total: meta.total, page: meta.current_page, perPage: meta.per_page };
  }

  async get(by: By, id: string): Promise<Agent> {
    return (await this.parts.bot.ask<BotAnswer<Agent>>(by, { path: path('/internal/agents/{id}', { id }) })).data;
  }

  /** Counted before the engine is called, and no more when it refuses; what is not known is looked up by a job. */
  async create(by: Writer, id: string, body: NewAgent): Promise<Agent> {
    const fresh = await this.claim(by, id);
    const data = await this.made(by, id, body).catch(async (failure: unknown) => {
      if (failure instanceof Conflict && failure.code === 'id_taken') throw agentRefusals.keyUsed();
      // An earlier attempt under the same id may have made it
      if (fresh && isRefusal(failure)) await this.release(by.storeId, id, by.at);
      throw failure;
    });
    // What fails from here on leaves an agent that is counted
    await this.parts.database.tx(async (tx) => {
      await planClaims.settle(tx, claimOf(by.storeId, id));
      if (fresh) await audited(tx, by, { action: 'agent.write', type: 'agent', id, after: { name: data.name } });
    });
    return data;
  }

  private async made(by: Writer, id: string, body: NewAgent): Promise<Agent> {
    const call = { method: 'POST', path: path('/internal/agents'), json: { ...body, id } } as const;
    return (await this.parts.bot.ask<BotAnswer<Agent>>(by, call)).data;
  }

  async change(by: Writer, id: string, body: AgentChange): Promise<Agent> {
    const call = { method: 'PUT', path: path('/internal/agents/{id}', { id }), json: body } as const;
    const { data } = await this.parts.bot.ask<BotAnswer<Agent>>(by, call);
    const after = Object.fromEntries(Object.keys(body).map((field) => [field, 'changed']));
    await this.parts.database.tx((tx) => audited(tx, by, { action: 'agent.write', type: 'agent', id, after }));
    return data;
  }

  /** Takes it off the devices first: whatever becomes of the call, no customer waits for an agent that is gone. */
  async remove(by: Writer, id: string): Promise<void> {
    const { name } = await this.get(by, id);
    await this.parts.database.tx(async (tx) => {
      await this.lookAgain(tx, by, id);
      await this.parts.devices.release(tx, by, id);
    });
    await this.parts.bot.ask(by, { method: 'DELETE', path: path('/internal/agents/{id}', { id }) });
    await this.parts.database.tx(async (tx) => {
      // The counters of the plan before what tells of devices, as everybody locks them
      await planClaims.release(tx, claimOf(by.storeId, id));
      // Whoever chose it meanwhile found it still
      await this.parts.devices.release(tx, by, id);
      await audited(tx, by, { action: 'agent.write', type: 'agent', id, before: { name } });
    });
  }

  /** Throws `NotFound` for an agent that there is not, whatever was used of it. */
  async usage(by: By, id: string, { from, to }: UsageQuery, now: Date): Promise<AgentUsage> {
    await this.get(by, id);
    const [days] = await this.parts.database.query<{ from: string; to: string }>(DAYS, [
      ...[by.storeId, from ?? null, to ?? null, now],
    ]);
    const query = { ...days, agent_id: id };
    return (await this.parts.bot.ask<BotAnswer<AgentUsage>>(by, { path: path('/internal/usage'), query })).data;
  }

  /** The job: an agent that the engine has not is counted no more, and answers no device. */
  async reconcile({ storeId, id }: CommerceJobs['agent.reconcile']): Promise<void> {
    const { database } = this.parts;
    const claim = await planClaims.find(database, claimOf(storeId, id));
    const by = { storeId, actor: 'agent.reconcile' };
    try {
      await this.get(by, id);
    } catch (failure) {
      if (!(failure instanceof NotFound)) throw failure;
      return database.tx(async (tx) => {
        if (claim) await planClaims.release(tx, claimOf(storeId, id), claim.at);
        await this.parts.devices.release(tx, { ...by, at: this.parts.clock.now() }, id);
      });
    }
    await planClaims.settle(database, claimOf(storeId, id));
  }

  private claim(by: Writer, id: string): Promise<boolean> {
    return this.parts.database.tx(async (tx) => {
      await this.lookAgain(tx, by, id);
      return planClaims.take(tx, claimOf(by.storeId, id), by.at);
    });
  }

  private async lookAgain(tx: Transaction, { storeId }: Writer, id: string): Promise<void> {
    const later = { key: `agent:${storeId}:${id}`, afterSeconds: LOOK_AGAIN_SECONDS };
    await this.parts.queue.enqueue(tx, 'agent.reconcile', { storeId, id }, later);
  }

  private release(storeId: string, id: string, at?: Date): Promise<boolean> {
    return this.parts.database.tx((tx) => planClaims.release(tx, claimOf(storeId, id), at));
  }
}
