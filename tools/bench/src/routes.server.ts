// As many parameterised routes as the largest service will have, with empty handlers.
import 'reflect-metadata';
import { plainEnvelope } from '@platform/envelopes';
import { endpointsOf, publicGuard, startService } from '@platform/http';
import { createLogger } from '@platform/runtime';

const [port, routes] = process.argv.slice(2);
const endpoint = endpointsOf<{ public: undefined }>();

void startService(
  {
    name: 'bench',
    description: 'Answers on many paths',
    endpoints: Array.from({ length: Number(routes) }, (_, index) =>
      endpoint({
        post: `/api/area${index % 20}/thing${index}/{id}/parts/{part}`,
        summary: `Route ${index}`,
        guard: 'public',
        reply: 'json',
        handle: ({ params }) => params,
      }),
    ),
    guards: { public: publicGuard },
    envelope: plainEnvelope,
    components: [],
  },
  { port: Number(port), host: '127.0.0.1', logger: createLogger({ service: 'bench' }) },
);
process.on('SIGTERM', () => process.exit(0));
