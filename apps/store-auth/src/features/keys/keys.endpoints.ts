import { publicJwks } from '@platform/auth';
import { plainEnvelope } from '@platform/envelopes';
import { Reply } from '@platform/http';
import { endpoint } from '../../endpoint';
import type { KeyRing } from './key-ring.service';
import { jwksExamples } from './keys.examples';

export const keyEndpoints = (keys: KeyRing) => [
  endpoint({
    get: '/.well-known/jwks.json',
    summary: 'Public keys that verify our tokens (RFC 7517)',
    tag: 'tokens',
    guard: 'public',
    reply: 'json',
    refuses: [],
    envelope: plainEnvelope,
    examples: jwksExamples,
    handle: async () => {
      // Whoever asks keeps the answer: another replica may have taken a key out of use
      await keys.freshen();
      return new Reply(publicJwks(keys.published()), { headers: { 'Cache-Control': 'public, max-age=600' } });
    },
  }),
];
