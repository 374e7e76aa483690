import { area, cursorPage, dataOf, uuid, type Endpoint } from '@platform/http';
import { NotFound } from '@platform/errors';
import { OWNER_AWAY } from '../../../clients/face';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { Trial, TrialAnswer, TrialRow, TrialsQuery, TrialView } from './testing.dto';
import type { TestingService } from './testing.service';

export const testingEndpoints = (testing: TestingService): Endpoint[] =>
  area({ prefix: '/api/testing', tag: 'Chat' }, [
    endpoint({
      post: '/ai-agent',
      summary: 'Try a prompt without tools',
      guard: 'agent.write',
      bodyLimit: 1024 * 1024,
      body: Trial,
      reply: dataOf(TrialAnswer),
      refuses: ['notFound', ...OWNER_AWAY],
      handle: ({ caller, body }) => testing.tryOut(caller, body),
    }),
    endpoint({
      get: '/sessions',
      summary: 'Saved agent test sessions',
      guard: 'member',
      query: TrialsQuery,
      reply: cursorPage(TrialRow),
      refuses: ['invalid', ...OWNER_AWAY],
      handle: ({ caller, query }) => testing.list(caller, query),
    }),
    endpoint({
      get: '/sessions/{id}',
      summary: 'Transcript of a test session',
      guard: 'member',
      params: { id: uuid.refusing(() => new NotFound('Agent not found')) },
      reply: dataOf(TrialView),
      refuses: ['notFound', ...OWNER_AWAY],
      handle: ({ caller, params }) => testing.get(caller, params.id),
    }),
  ]);
