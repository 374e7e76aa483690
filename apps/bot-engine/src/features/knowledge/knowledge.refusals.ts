import { Conflict, InvalidInput, NotFound, TooMany, type Failure } from '@platform/errors';
import { refusals } from '../../refusals';

const invalid = (field: string, tag: string, message: string): Failure => new InvalidInput([{ field, tag, message }]);

/** What the routes of knowledge refuse. */
export const knowledgeRefusals = {
  agentNotFound: refusals.agentNotFound,
  docNotFound: (): Failure => new NotFound('document not found'),
  gapNotFound: (): Failure => new NotFound('gap not found'),
  idTaken: (): Failure => new Conflict('the id belongs to another document', { code: 'id_taken' }),
  oneSource: (): Failure => invalid('text', 'required_without', 'exactly one of text, file and url is required'),
  notPublic: (): Failure =>
    invalid('url', 'public_url', 'url must be an https address that everybody can reach, without a password'),
  noText: (): Failure => invalid('text', 'required', 'the document holds no text'),
  tooManyChunks: (): Failure =>
    invalid('text', 'max', 'the knowledge of an agent has at most 2000 chunks of 800 characters'),
  tooManyDocs: (): Failure => invalid('agent_id', 'max', 'an agent has at most 200 documents'),
  tooManyAtOnce: (): Failure => new TooMany('too many documents are being read', { retryAfterSeconds: 10 }),
} as const;
