import { listingOf, type Database, type Feed, type PageCursor } from '@platform/data';
import { Conflict, type Failure } from '@platform/errors';
import { cut } from '@platform/runtime';
import { SessionsQuery, type SessionRow, type SessionView, type Tried } from './session.dto';

const TITLE_LENGTH = 60;
const MOST_LINES = 1_000;

export const sessionRefusals = {
  idTaken: (): Failure => new Conflict('the id belongs to a session of another agent', { code: 'id_taken' }),
  sessionFull: (): Failure =>
    new Conflict(`a session has at most ${MOST_LINES} lines: open another one`, { code: 'session_full' }),
} as const;

const LINES =
  '(SELECT count(*)::int FROM bot_test_session_lines l WHERE l.store_id = s.store_id AND l.session_id = s.id)';

interface Record {
  readonly id: string;
  readonly agent_id: string;
  readonly title: string;
  readonly lines: number;
  readonly updated_at: Date;
}

const rowOf = ({ id, agent_id, title, lines, updated_at: updatedAt }: Record): SessionRow => ({
  ...{ id, agent_id, title, lines, updated_at: updatedAt.toISOString() },
});

export const sessionListing = listingOf(SessionsQuery, {
  from: 'bot_test_sessions s',
  tenant: 's.store_id',
  select: `s.id, s.agent_id, s.title, s.updated_at, ${LINES} AS lines`,
  sort: { updated_at: 's.updated_at' },
  usualSort: '-updated_at',
  tie: 's.id',
  where: { agent_id: 's.agent_id = ?' },
  most: 100,
  read: rowOf,
});

/** Locks the session until the end of the transaction: its lines are numbered. */
const OPEN = `
  INSERT INTO bot_test_sessions AS s (store_id, id, agent_id, title, prompt) VALUES ($1, $2, $3, $4, $5)
  ON CONFLICT (store_id, id) DO UPDATE SET prompt = EXCLUDED.prompt, updated_at = now() WHERE s.agent_id = EXCLUDED.agent_id`;
const APPEND = `
  INSERT INTO bot_test_session_lines (store_id, session_id, n, role, content)
  VALUES ($1, $2, $3, 'user', $4), ($1, $2, $3 + 1, 'assistant', $5)`;
const ONE = `
  SELECT s.id, s.agent_id, s.title, s.prompt, s.updated_at, ${LINES} AS lines FROM bot_test_sessions s
  WHERE s.store_id = $1 AND s.id = $2`;
const TRANSCRIPT = `
  SELECT role, content, at FROM bot_test_session_lines WHERE store_id = $1 AND session_id = $2 ORDER BY n`;

interface Line {
  readonly role: 'user' | 'assistant';
  readonly content: string;
  readonly at: Date;
}

/** Sessions in which owners have tried their agents. */
export class SessionRepository {
  constructor(
    private readonly database: Database,
    private readonly cursors: PageCursor,
  ) {}

  list(storeId: string, query: SessionsQuery): Promise<Feed<SessionRow>> {
    return sessionListing.feed(this.database, storeId, query, this.cursors);
  }

  async find(storeId: string, id: string): Promise<SessionView | undefined> {
    const [session] = await this.database.query<Record & { prompt: string }>(ONE, [storeId, id]);
    if (!session) return undefined;
    const transcript = await this.database.query<Line>(TRANSCRIPT, [storeId, id]);
    return {
      ...rowOf(session),
      prompt: session.prompt,
      transcript: transcript.map((line) => ({ ...line, at: line.at.toISOString() })),
    };
  }

  /** Opens the session, or appends to it. */
  async append(storeId: string, { id, agent_id, prompt, question, answer }: Tried): Promise<void> {
    await this.database.tx(async (tx) => {
      await tx.query(OPEN, [storeId, id, agent_id, cut(question, TITLE_LENGTH), prompt]);
      // Counted anew: those that were written while we waited for the lock
      const [session] = await tx.query<Record>(ONE, [storeId, id]);
      if (session?.agent_id !== agent_id) throw sessionRefusals.idTaken();
      if (session.lines + 2 > MOST_LINES) throw sessionRefusals.sessionFull();
      await tx.query(APPEND, [storeId, id, session.lines, question, answer]);
    });
  }
}
