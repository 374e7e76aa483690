import type { PageCursor } from '@platform/data';
import type { Feed } from '@platform/http';
import type { GapChange, GapsQuery, GapView } from './gap.dto';
import type { Gap, GapRepository } from './gap.repository';
import { knowledgeRefusals } from './knowledge.refusals';

const PER_PAGE = 50;

const viewOf = ({ id, agentId, question, count, lastAt, runId, status }: Gap): GapView => ({
  ...{ id, agent_id: agentId, question, count, last_at: lastAt.toISOString(), run_id: runId, status },
});

/** The open questions of a store, for people. */
export class GapService {
  constructor(
    private readonly gaps: GapRepository,
    private readonly cursor: PageCursor,
  ) {}

  async list(storeId: string, query: GapsQuery): Promise<Feed<GapView>> {
    const { agent_id: agentId, status, cursor, limit = PER_PAGE } = query;
    const binding = JSON.stringify(['gaps', storeId, agentId, status]);
    const after = cursor === undefined ? undefined : this.cursor.read(binding, cursor);
    const { rows, next } = await this.gaps.list(storeId, { agentId, status, limit, after });
    return { rows: rows.map(viewOf), nextCursor: next && this.cursor.write(binding, next) };
  }

  async set(storeId: string, id: string, { status }: GapChange): Promise<GapView> {
    const gap = await this.gaps.set(storeId, id, status);
    if (!gap) throw knowledgeRefusals.gapNotFound();
    return viewOf(gap);
  }
}
