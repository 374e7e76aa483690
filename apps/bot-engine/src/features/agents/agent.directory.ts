import type { Cache, Database, Transaction } from '@platform/data';
import { LruCache, type Clock, type Component, type Logger } from '@platform/runtime';
import { refusals } from '../../refusals';
import type { Agent } from './agent.entity';
import type { AgentRepository } from './agent.repository';

/** Channel on which every replica learns that an agent, or its knowledge, is another now. */
const CHANGED = 'agent.changed';
/** Prompts are long. */
const MOST = 1_000;
const KEPT_MS = 60_000;

export type SeededAgent = Pick<Agent, 'storeId' | 'id' | 'name' | 'prompt'> & Partial<Pick<Agent, 'vision'>>;

/** The agents of all stores, as turns use them. */
export interface Agents {
  /** Not to be changed: it is kept for a minute. Throws `NotFound` for an unknown or deleted agent, and for one of another store. */
  get(storeId: string, id: string): Promise<Agent>;
  /** What belongs to the agent has changed: raises its version, and every replica reads it anew, after the commit of `tx`. */
  raise(storeId: string, id: string, tx?: Transaction): Promise<void>;
  /** Creates the agent, or sets its name and prompt; other settings stay as they are. */
  put(agent: SeededAgent): Promise<void>;
}

export interface DirectoryOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly keptMs?: number | undefined;
}

const keyOf = (storeId: string, id: string): string => JSON.stringify([storeId, id]);

/** Keeps what was read for a minute, and until somebody, in whichever process, changes it. */
export class AgentDirectory implements Agents, Component {
  readonly name = 'agents';
  private readonly known: LruCache<string, Agent>;
  private changes = 0;
  private unsubscribe: (() => Promise<void>) | undefined;

  constructor(
    private readonly database: Database,
    private readonly rows: AgentRepository,
    private readonly cache: Pick<Cache, 'publish' | 'subscribe'>,
    private readonly options: DirectoryOptions,
  ) {
    const { clock, keptMs = KEPT_MS } = options;
    this.known = new LruCache({ limit: MOST, ttlMs: keptMs, clock });
  }

  async start(): Promise<void> {
    this.unsubscribe = await this.cache.subscribe(CHANGED, (key) => this.forget(key));
  }

  async stop(): Promise<void> {
    await this.unsubscribe?.();
  }

  async get(storeId: string, id: string): Promise<Agent> {
    const key = keyOf(storeId, id);
    const kept = this.known.get(key);
    if (kept) return kept;
    const before = this.changes;
    const agent = await this.rows.find(storeId, id);
    if (!agent) throw refusals.agentNotFound();
    // What was read while somebody changed it may be the old one
    if (before === this.changes) this.known.set(key, agent);
    return agent;
  }

  async raise(storeId: string, id: string, tx?: Transaction): Promise<void> {
    await this.rows.raise(tx ?? this.database, storeId, id);
    if (tx) tx.afterCommit(() => this.announce(storeId, id));
    else await this.announce(storeId, id);
  }

  async put({ storeId, id, name, prompt, vision = false }: SeededAgent): Promise<void> {
    await this.rows.put(storeId, id, { name, prompt, vision });
    this.forget(keyOf(storeId, id));
  }

  /** A committed change. A replica that cannot be told now reads the agent anew within a minute. */
  async announce(storeId: string, id: string): Promise<void> {
    const key = keyOf(storeId, id);
    this.forget(key);
    await this.cache
      .publish(CHANGED, key)
      .catch((cause: unknown) =>
        this.options.logger.warn('other replicas were not told that an agent has changed', { storeId, id, cause }),
      );
  }

  private forget(key: string): void {
    this.changes += 1;
    this.known.delete(key);
  }
}
