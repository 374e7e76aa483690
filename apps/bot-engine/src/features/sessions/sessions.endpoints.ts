import { NotFound, type Failure } from '@platform/errors';
import { area, cursorPage, dataOf, uuid, type Endpoint } from '@platform/http';
import { internalEndpoint } from '../../endpoint';
import { refusals } from '../../refusals';
import type { Agents } from '../agents/public';
import { SessionRow, SessionsQuery, SessionView, Tried } from './session.dto';
import { sessionRefusals, type SessionRepository } from './session.repository';

const sessionNotFound = (): Failure => new NotFound('session not found');

const found = async (session: Promise<SessionView | undefined>): Promise<SessionView> => {
  const view = await session;
  if (!view) throw sessionNotFound();
  return view;
};

export const sessionsEndpoints = (sessions: SessionRepository, agents: Pick<Agents, 'get'>): Endpoint[] =>
  area({ prefix: '/internal/test-sessions' }, [
    internalEndpoint({
      get: '',
      summary: 'Sessions in which agents were tried, newest first',
      guard: 'service',
      query: SessionsQuery,
      reply: cursorPage(SessionRow),
      refuses: [],
      handle: ({ caller, query }) => sessions.list(caller.storeId, query),
    }),
    internalEndpoint({
      post: '',
      summary: 'Keeps a question and its answer, in a new session or at the end of one; for 90 days',
      guard: 'service',
      status: 201,
      body: Tried,
      reply: dataOf(SessionView, 'Session saved'),
      refuses: [refusals.agentNotFound, sessionRefusals.idTaken, sessionRefusals.sessionFull],
      handle: async ({ caller: { storeId }, body }) => {
        await agents.get(storeId, body.agent_id);
        await sessions.append(storeId, body);
        return found(sessions.find(storeId, body.id));
      },
    }),
    internalEndpoint({
      get: '/{id}',
      summary: 'One session with everything that was said',
      guard: 'service',
      params: { id: uuid.refusing(sessionNotFound) },
      reply: dataOf(SessionView),
      refuses: [sessionNotFound],
      handle: ({ caller, params }) => found(sessions.find(caller.storeId, params.id)),
    }),
  ]);
