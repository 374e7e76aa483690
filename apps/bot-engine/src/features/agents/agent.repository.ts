import { type Database, listingOf, type ListedPage, type Sql } from '@platform/data';
import { In } from 'typeorm';
import { AgentsQuery } from './agent.dto';
import { Agent } from './agent.entity';

/** Columns that a caller sets, under the names that they have on the wire. */
export const settableColumns = [
  ...['name', 'prompt', 'provider', 'model', 'fallback_provider', 'fallback_model', 'temperature', 'tools'],
  ...[
    'window_ms',
    'max_wait_ms',
    'max_steps',
    'turn_cost_cap_micros',
    'fallback_text',
    'handover_text',
    'welcome_text',
  ],
  ...['resume_after_min', 'failure_resume_min', 'vision', 'enabled'],
] as const;
export type Settings = Readonly<Partial<Record<(typeof settableColumns)[number], unknown>>>;

/** Whose agent it is, and who writes it. */
export interface AgentWrite {
  readonly storeId: string;
  readonly id: string;
  readonly by: string | undefined;
}

/** Of these null is no value: their usual one is the table's. */
const demanded: readonly string[] = [
  ...['provider', 'temperature', 'tools', 'fallback_text', 'handover_text', 'welcome_text'],
  ...['resume_after_min', 'failure_resume_min', 'vision'],
];

const given = (settings: Settings) => settableColumns.filter((name) => settings[name] !== undefined);

const RAISE = 'version = version + 1, updated_at = now()';
const PUT = `
  INSERT INTO bot_agents AS agent (store_id, id, name, prompt, vision) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (store_id, id) DO UPDATE
    SET name = EXCLUDED.name, prompt = EXCLUDED.prompt, version = agent.version + 1, updated_at = now()
    WHERE (agent.name, agent.prompt) IS DISTINCT FROM (EXCLUDED.name, EXCLUDED.prompt)`;

interface Key {
  readonly id: string;
}

const listing = listingOf(AgentsQuery, {
  from: 'bot_agents a',
  tenant: 'a.store_id',
  select: 'a.id',
  only: 'a.deleted_at IS NULL',
  sort: { created_at: 'a.created_at' },
  usualSort: '-created_at',
  tie: 'a.id',
  where: { enabled: 'a.enabled = ?' },
  read: ({ id }: Key) => id,
});

const COLUMNS: Readonly<Record<keyof Agent, string>> = {
  ...{ storeId: 'store_id', id: 'id', name: 'name', prompt: 'prompt', provider: 'provider', model: 'model' },
  ...{ fallbackProvider: 'fallback_provider', fallbackModel: 'fallback_model', temperature: 'temperature' },
  ...{ tools: 'tools', windowMs: 'window_ms', maxWaitMs: 'max_wait_ms', maxSteps: 'max_steps' },
  ...{
    turnCostCapMicros: 'turn_cost_cap_micros::float8',
    fallbackText: 'fallback_text',
    handoverText: 'handover_text',
  },
  ...{ welcomeText: 'welcome_text', resumeAfterMin: 'resume_after_min', failureResumeMin: 'failure_resume_min' },
  ...{ vision: 'vision', enabled: 'enabled', version: 'version', updatedBy: 'updated_by' },
  ...{ createdAt: 'created_at', updatedAt: 'updated_at', deletedAt: 'deleted_at' },
};

/** Prepared: of a store where few write, every turn asks for it. */
const FIND = `
  SELECT ${Object.entries(COLUMNS)
    .map(([name, column]) => `${column} AS "${name}"`)
    .join(', ')}
  FROM bot_agents WHERE store_id = $1 AND id = $2 AND deleted_at IS NULL`;

/** The table of agents. Deleted ones are not found, and keep their ids. */
export class AgentRepository {
  constructor(private readonly database: Database) {}

  async find(storeId: string, id: string): Promise<Agent | undefined> {
    return (await this.database.prepared<Agent>('bot agent', FIND, [storeId, id]))[0];
  }

  async page(storeId: string, query: AgentsQuery): Promise<ListedPage<Agent>> {
    const { rows: ids, ...page } = await listing.page(this.database, storeId, query);
    const found = await this.database.entities.findBy(Agent, { storeId, id: In(ids) });
    const agents = new Map(found.map((agent) => [agent.id, agent]));
    return { ...page, rows: ids.flatMap((id) => agents.get(id) ?? []) };
  }

  /** False when the id is taken, by a deleted agent too. */
  async insert({ storeId, id, by }: AgentWrite, settings: Settings, createdFrom: string): Promise<boolean> {
    const names = given(settings);
    const rows = await this.database.query(
      `INSERT INTO bot_agents (store_id, id, updated_by, created_from, ${names.join()})
       VALUES ($1, $2, $3, $4, ${names.map((_, n) => `$${n + 5}`).join()})
       ON CONFLICT (store_id, id) DO NOTHING RETURNING id`,
      [storeId, id, by ?? null, createdFrom, ...names.map((name) => settings[name])],
    );
    return rows.length > 0;
  }

  /** What an agent that is still there was made from; null for one of the seed. */
  async createdFrom(storeId: string, id: string): Promise<string | null | undefined> {
    const [row] = await this.database.query<{ digest: string | null }>(
      'SELECT created_from AS digest FROM bot_agents WHERE store_id = $1 AND id = $2 AND deleted_at IS NULL',
      [storeId, id],
    );
    return row?.digest;
  }

  /** Raises the version. False when there is none, or none as old as `version`. */
  async update({ storeId, id, by }: AgentWrite, settings: Settings, version: number | undefined): Promise<boolean> {
    const names = given(settings);
    const usual = names.filter((name) => settings[name] === null && demanded.includes(name));
    const stated = names.filter((name) => !usual.includes(name));
    const values = [...stated.map((name, n) => `${name} = $${n + 5}, `), ...usual.map((name) => `${name} = DEFAULT, `)];
    const rows = await this.database.query(
      `UPDATE bot_agents SET ${values.join('')} updated_by = coalesce($3, updated_by), ${RAISE}
       WHERE store_id = $1 AND id = $2 AND deleted_at IS NULL AND version <= coalesce($4::int, version) RETURNING id`,
      [storeId, id, by ?? null, version ?? null, ...stated.map((name) => settings[name])],
    );
    return rows.length > 0;
  }

  /** False when there is none. */
  async remove({ storeId, id, by }: AgentWrite): Promise<boolean> {
    const rows = await this.database.query(
      `UPDATE bot_agents SET deleted_at = now(), updated_by = coalesce($3, updated_by), ${RAISE}
       WHERE store_id = $1 AND id = $2 AND deleted_at IS NULL RETURNING id`,
      [storeId, id, by ?? null],
    );
    return rows.length > 0;
  }

  async raise(sql: Sql, storeId: string, id: string): Promise<void> {
    await sql.query(`UPDATE bot_agents SET ${RAISE} WHERE store_id = $1 AND id = $2`, [storeId, id]);
  }

  async put(
    storeId: string,
    id: string,
    { name, prompt, vision }: Pick<Agent, 'name' | 'prompt' | 'vision'>,
  ): Promise<void> {
    await this.database.query(PUT, [storeId, id, name, prompt, vision]);
  }
}
