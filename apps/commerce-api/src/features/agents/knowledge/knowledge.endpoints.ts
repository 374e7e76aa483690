import { AgentKnowledge } from '@platform/contracts';
import { area, dataOf, done, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { OWNER_AWAY } from '../../../clients/face';
import { OwnersKey, ownersId } from '../../../owners-id';
import { agentEndpoint, agentRefusals } from '../agents/public';
import { NewKnowledge } from './knowledge.dto';
import type { KnowledgeService } from './knowledge.service';

const KB = 1024;
/** Of a file. */
export const KNOWLEDGE_LIMIT = 5 * KB * KB;
/** Of 50,000 characters, each of which may be escaped, and of the form around a file. */
const TEXT = 512 * KB;

export const knowledgeEndpoints = (knowledge: KnowledgeService, by: ReturnType<typeof byOf>): Endpoint[] =>
  area({ prefix: '/api/agent', tag: 'Chat' }, [
    agentEndpoint({
      post: '/{id}/knowledge',
      summary: 'Add knowledge text or file',
      description:
        'Exactly one of `text`, `url` and the part `file` (PDF, txt, md). It is `processing` until it was read.',
      guard: 'agent.write',
      status: 202,
      headers: OwnersKey,
      accepts: ['json', 'multipart'],
      bodyLimit: TEXT,
      formLimit: KNOWLEDGE_LIMIT + TEXT,
      files: { file: { maxBytes: KNOWLEDGE_LIMIT } },
      body: NewKnowledge,
      reply: dataOf(AgentKnowledge),
      refuses: ['notFound', 'invalid', 'unsupportedMedia', 'tooLarge', agentRefusals.keyUsed, ...OWNER_AWAY],
      handle: (input) => {
        const writer = by(input);
        const { id: agentId } = input.params;
        const id = ownersId(writer, `knowledge ${agentId}`, input.headers);
        return knowledge.add(writer, { id, agentId, body: input.body, file: input.files[0] });
      },
    }),
    agentEndpoint({
      delete: '/{id}/knowledge/{knowledgeId}',
      summary: 'Remove knowledge',
      guard: 'agent.write',
      reply: done('Knowledge removed'),
      refuses: ['notFound', ...OWNER_AWAY],
      handle: (input) => knowledge.remove(by(input), input.params.id, input.params.knowledgeId),
    }),
  ]);
