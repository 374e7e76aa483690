import { plainEnvelope } from '@platform/envelopes';
import type { Endpoint } from '@platform/http';
import { Text } from '@platform/validation';
import { endpoint } from '../../endpoint';
import { homeExamples } from './home.examples';

class HomeReply {
  @Text({ example: 'chat-backend' }) app!: string;
}

/** Contract: "`GET /` is a public health check and returns a JSON object with one string member that identifies the app". */
export const homeEndpoints: Endpoint[] = [
  endpoint({
    get: '/',
    summary: 'Which app this is',
    guard: 'public',
    envelope: plainEnvelope,
    reply: HomeReply,
    refuses: [],
    examples: homeExamples,
    handle: () => ({ app: 'chat-backend' }),
  }),
];
