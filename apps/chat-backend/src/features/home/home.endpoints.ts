import { plainEnvelope } from '@platform/envelopes';
import type { Endpoint } from '@platform/http';
import { Text } from '@platform/validation';
import { endpoint } from '../../endpoint';

class HomeReply {
  @Text({ example: 'chat-backend' }) app!: string;
}

const HOME = { app: 'chat-backend' };

/** Contract: "`GET /` is a public health check and returns a JSON object with one string member that identifies the app". */
export const homeEndpoints: Endpoint[] = [
  endpoint({
    get: '/',
    summary: 'Which app this is',
    guard: 'public',
    envelope: plainEnvelope,
    reply: HomeReply,
    examples: [{ summary: 'always', status: 200, response: HOME }],
    handle: () => HOME,
  }),
];
