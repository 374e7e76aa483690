import { createReadStream } from 'node:fs';
import type { AgentKnowledge } from '@platform/contracts';
import type { Database } from '@platform/data';
import { Conflict, NotFound } from '@platform/errors';
import { path, type FormFile, type Upload } from '@platform/http';
import { audited, type Writer } from '../../../by';
import type { BotAnswer, BotDesk } from '../../../clients/bot.desk';
import { agentRefusals } from '../agents/public';
import type { NewKnowledge } from './knowledge.dto';

type Doc = AgentKnowledge & { readonly agent_id: string };

const fileOf = ({ path: from, originalName, mimetype, size }: Upload): FormFile => ({
  ...{ field: 'file', filename: originalName, mimetype, size },
  read: () => createReadStream(from),
});

/** What the agents of a store know, which bot-engine reads and keeps. */
export class KnowledgeService {
  constructor(
    private readonly database: Database,
    private readonly bot: BotDesk,
  ) {}

  /** A file goes on as it is read; the same under one id is one document. */
  async add(
    by: Writer,
    { id, agentId, body, file }: { id: string; agentId: string; body: NewKnowledge; file: Upload | undefined },
  ): Promise<AgentKnowledge> {
    const { kind, title, text, url } = body;
    const fields = { id, agent_id: agentId, kind, title, text, url };
    const sent = file ? { form: fields, file: fileOf(file) } : { json: fields };
    const call = { method: 'POST', path: path('/internal/knowledge'), ...sent } as const;
    const { data } = await this.bot.ask<BotAnswer<Doc>>(by, call).catch((failure: unknown) => {
      throw failure instanceof Conflict && failure.code === 'id_taken' ? agentRefusals.keyUsed() : failure;
    });
    await this.tell(by, agentId, { after: { knowledge: data.title } });
    return data;
  }

  /** Throws `NotFound` for a document of another agent. */
  async remove(by: Writer, agentId: string, id: string): Promise<void> {
    const address = path('/internal/knowledge/{id}', { id });
    const { data } = await this.bot.ask<BotAnswer<Doc>>(by, { path: address });
    if (data.agent_id !== agentId) throw new NotFound('Agent not found');
    await this.bot.ask(by, { method: 'DELETE', path: address });
    await this.tell(by, agentId, { before: { knowledge: data.title } });
  }

  private tell(by: Writer, id: string, change: { readonly before?: object; readonly after?: object }): Promise<void> {
    return this.database.tx((tx) => audited(tx, by, { action: 'agent.write', type: 'agent', id, ...change }));
  }
}
