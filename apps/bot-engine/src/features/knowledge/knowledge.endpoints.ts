import { cursorPage, dataOf, done, listOf, uuid } from '@platform/http';
import { internalEndpoint } from '../../endpoint';
import { DocView } from '../agents/public';
import { GapChange, GapsQuery, GapView } from './gap.dto';
import type { GapService } from './gap.service';
import { KnowledgeQuery, NewDoc, WholeKnowledgeDoc } from './knowledge.dto';
import { knowledgeRefusals } from './knowledge.refusals';
import type { KnowledgeService } from './knowledge.service';

const MB = 1024 * 1024;
const KB = 1024;
const FILE = 5 * MB;

const { agentNotFound, docNotFound, gapNotFound, idTaken, tooManyAtOnce } = knowledgeRefusals;

/** What a store tells its bot, and what its bot could not tell (design 2.10). */
export const knowledgeEndpoints = (knowledge: KnowledgeService, gaps: GapService) => [
  internalEndpoint({
    get: '/internal/knowledge',
    summary: 'The documents of an agent, oldest first',
    guard: 'service',
    query: KnowledgeQuery,
    reply: listOf(DocView),
    refuses: [agentNotFound],
    handle: ({ caller, query }) => knowledge.list(caller.storeId, query.agent_id),
  }),
  internalEndpoint({
    post: '/internal/knowledge',
    summary: 'A document to be read: a text, a file (PDF, txt, md) or a page',
    description: 'The same id and content again is the same document. A job reads it and makes it `ready` or `failed`.',
    guard: 'service',
    status: 202,
    accepts: ['json', 'multipart'],
    body: NewDoc,
    bodyLimit: 512 * KB,
    formLimit: FILE + 512 * KB,
    files: { file: { maxBytes: FILE } },
    reply: dataOf(DocView),
    refuses: [agentNotFound, gapNotFound, idTaken, tooManyAtOnce, 'unsupportedMedia', 'invalid'],
    handle: ({ caller, body, files }) => knowledge.post(caller.storeId, body, files),
  }),
  internalEndpoint({
    get: '/internal/knowledge/{id}',
    summary: 'One document with its text',
    guard: 'service',
    reply: dataOf(WholeKnowledgeDoc),
    refuses: [docNotFound],
    handle: ({ caller, params }) => knowledge.get(caller.storeId, params.id),
  }),
  internalEndpoint({
    delete: '/internal/knowledge/{id}',
    summary: 'Forgets a document',
    guard: 'service',
    reply: done('Document deleted'),
    refuses: [docNotFound],
    handle: ({ caller, params }) => knowledge.remove(caller.storeId, params.id),
  }),
  internalEndpoint({
    get: '/internal/gaps',
    summary: 'Questions that the knowledge did not answer, the last asked first',
    guard: 'service',
    query: GapsQuery,
    reply: cursorPage(GapView),
    refuses: ['invalid'],
    handle: ({ caller, query }) => gaps.list(caller.storeId, query),
  }),
  internalEndpoint({
    put: '/internal/gaps/{id}',
    summary: 'Opens, closes or dismisses a gap',
    guard: 'service',
    params: { id: uuid },
    body: GapChange,
    reply: dataOf(GapView),
    refuses: [gapNotFound],
    handle: ({ caller, params, body }) => gaps.set(caller.storeId, params.id, body),
  }),
];
