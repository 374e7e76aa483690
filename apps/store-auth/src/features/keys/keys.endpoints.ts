import { setTimeout as pause } from 'node:timers/promises';
import { publicJwks } from '@platform/auth';
import { plainEnvelope } from '@platform/envelopes';
import { Reply } from '@platform/http';
import { endpoint } from '../../endpoint';
import type { KeyRing } from './key-ring.service';
import { jwksExamples } from './keys.examples';

/** Who asks waits for five seconds, and cannot serve without an answer where it has just begun: a database that hangs must not take it away. */
const PATIENCE_MS = 1_000;

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
      await Promise.race([keys.freshen(), pause(PATIENCE_MS, undefined, { ref: false })]);
      return new Reply(publicJwks(keys.published()), { headers: { 'Cache-Control': 'public, max-age=600' } });
    },
  }),
];
