// The whole stack of a JSON request with an empty handler: token, validation, envelope, metrics, access log. `flags`: with the V8
// flags of a bundle.
import 'reflect-metadata';
import { jwtGuard, tokenVerifier, type Principal } from '@platform/auth';
import { chatEnvelope } from '@platform/envelopes';
import { endpointsOf, startService, type Guard } from '@platform/http';
import { createLogger } from '@platform/runtime';
import { setFlags } from '@platform/stack/flags';
import { Choice, Int, Nested, Text } from '@platform/validation';

const [port, issuer, flags] = process.argv.slice(2);
if (flags === 'flags') setFlags();
const logger = createLogger({ service: 'bench' });

class Message {
  @Text({ max: 64 }) id!: string;
  @Text({ max: 128 }) nohp!: string;
  @Text({ max: 64 }) instance!: string;
  @Text({ max: 4096 }) text!: string;
  @Choice(['chat', 'image', 'video']) type!: 'chat' | 'image' | 'video';
  @Int({ min: 0 }) timestamp!: number;
}

class Echo {
  @Nested(() => Message) data!: Message;
}

const verifier = tokenVerifier({ jwksUrl: `${issuer}/.well-known/jwks.json`, audience: 'bench', logger });
const jwt: Guard<Principal> = { label: 'jwt', scheme: 'bearer', authenticate: jwtGuard({ verifier }) };
const endpoint = endpointsOf<{ jwt: Principal }>();

void startService(
  {
    name: 'bench',
    description: 'Answers what it was sent',
    endpoints: [
      endpoint({
        post: '/v1/echo',
        summary: 'Echo',
        guard: 'jwt',
        body: Message,
        reply: Echo,
        handle: ({ body }) => ({ data: body }),
      }),
    ],
    guards: { jwt: jwt as Guard<unknown> },
    envelope: chatEnvelope,
    components: [],
  },
  { port: Number(port), host: '127.0.0.1', logger },
);
process.on('SIGTERM', () => process.exit(0));
