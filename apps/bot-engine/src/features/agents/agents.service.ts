import { createHash } from 'node:crypto';
import type { AgentRow } from '@platform/contracts';
import { Conflict, InvalidInput, type Failure } from '@platform/errors';
import type { Paged } from '@platform/http';
import { refusals } from '../../refusals';
import { toolNames } from './tool.names';
import type { AgentChange, AgentsQuery, AgentView, DocView, NewAgent } from './agent.dto';
import type { AgentDirectory } from './agent.directory';
import type { AgentRepository, AgentWrite, Settings } from './agent.repository';
import { rowOf } from './agent.view';

/** The documents of an agent. */
export type DocsOf = (storeId: string, agentId: string) => Promise<DocView[]>;

export interface AgentsParts {
  readonly rows: AgentRepository;
  readonly directory: Pick<AgentDirectory, 'announce'>;
  readonly docsOf: DocsOf;
  /** Providers that this service has a key for. */
  readonly providers: readonly string[];
}

export const agentRefusals = {
  idTaken: (): Failure => new Conflict('the id belongs to another agent', { code: 'id_taken' }),
  versionConflict: (): Failure =>
    new Conflict('the agent has been changed since: read it again', { code: 'version_conflict' }),
} as const;

/** The same for the same fields and values in any order. */
const digestOf = (body: object): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(body).sort(([one], [other]) => (one < other ? -1 : 1))))
    .digest('hex');

const violation = (field: string, allowed: readonly string[]) => ({
  ...{ field, tag: 'oneof', message: `${field} must be one of [${allowed.join(' ')}]` },
});

/** Agents for their owner, the commerce platform (design 2.10). */
export class AgentsService {
  constructor(private readonly parts: AgentsParts) {}

  async page(storeId: string, query: AgentsQuery): Promise<Paged<AgentRow>> {
    const { rows, ...page } = await this.parts.rows.page(storeId, query);
    return { ...page, rows: rows.map(rowOf) };
  }

  async get(storeId: string, id: string): Promise<AgentView> {
    const agent = await this.parts.rows.find(storeId, id);
    if (!agent) throw refusals.agentNotFound();
    return { ...rowOf(agent), knowledge: await this.parts.docsOf(storeId, id) };
  }

  /** The same body under the same id again is the same agent, as it is now. */
  async create(storeId: string, { id, ...settings }: NewAgent, by: string | undefined): Promise<AgentView> {
    const from = digestOf(settings);
    const created = await this.parts.rows.insert({ storeId, id, by }, this.checked(settings), from);
    if (!created && (await this.parts.rows.createdFrom(storeId, id)) !== from) throw agentRefusals.idTaken();
    return this.get(storeId, id);
  }

  async change(write: AgentWrite, { version, ...settings }: AgentChange): Promise<AgentView> {
    const { storeId, id } = write;
    if (!(await this.parts.rows.update(write, this.checked(settings), version))) {
      if (await this.parts.rows.find(storeId, id)) throw agentRefusals.versionConflict();
      throw refusals.agentNotFound();
    }
    await this.parts.directory.announce(storeId, id);
    return this.get(storeId, id);
  }

  /** Its runs, usage and sessions stay. */
  async remove(write: AgentWrite): Promise<void> {
    if (!(await this.parts.rows.remove(write))) throw refusals.agentNotFound();
    await this.parts.directory.announce(write.storeId, write.id);
  }

  /** Throws `InvalidInput` for tools that there are not, and for providers that cannot be asked. */
  private checked(settings: Settings & { readonly tools?: readonly string[] | null }): Settings {
    const { tools } = settings;
    const known: readonly string[] = toolNames;
    const violations = [
      ...(tools?.every((name) => known.includes(name)) === false ? [violation('tools', known)] : []),
      ...(['provider', 'fallback_provider'] as const).flatMap((field) =>
        settings[field] == null || this.parts.providers.includes(settings[field] as string)
          ? []
          : [violation(field, this.parts.providers)],
      ),
    ];
    if (violations.length > 0) throw new InvalidInput(violations);
    return tools ? { ...settings, tools: [...new Set(tools)] } : settings;
  }
}
