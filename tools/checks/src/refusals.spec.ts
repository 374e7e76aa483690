import { plainEnvelope } from '@platform/envelopes';
import { Conflict } from '@platform/errors';
import { endpointsOf, publicGuard, registrationsOf, startService } from '@platform/http';
import { silentLogger } from '@platform/runtime';
import { caller, useRunning } from '@platform/testing';
import { takeUnforeseen } from '@platform/testing/unforeseen';
import { allServices } from './routes';

// A page shows whatever is refused as a page, and is not documented
it.each(allServices().map((service) => [service.name, service] as const))(
  '%s: every operation lists its refusals, even if there are none',
  (_, service) =>
    expect(
      registrationsOf(service).flatMap(({ endpoint, path }) =>
        endpoint.refuses || endpoint.isPage ? [] : [`${endpoint.method} ${path}`],
      ),
    ).toEqual([]),
);

describe('a refusal that a running service answers without listing it', () => {
  const taken = () => new Conflict('taken', { code: 'taken' });
  const endpoint = endpointsOf<{ public: undefined }>();
  const refusing = {
    summary: 'Refuses',
    guard: 'public',
    reply: 'json',
    handle: () => {
      throw taken();
    },
  } as const;
  const running = useRunning(() =>
    startService(
      {
        name: 'planted',
        description: 'A service with a mistake',
        endpoints: [
          endpoint({ ...refusing, get: '/listed', refuses: [taken] }),
          endpoint({ ...refusing, get: '/forgotten', refuses: [] }),
        ],
        guards: { public: publicGuard },
        envelope: plainEnvelope,
        components: [],
      },
      { port: 0, host: '127.0.0.1', logger: silentLogger },
    ),
  );

  it('fails the spec file in which it occurs, in every project', async () => {
    const call = caller(running.url);
    expect([(await call('/listed')).status, (await call('/forgotten')).status]).toEqual([409, 409]);
    expect(takeUnforeseen()).toEqual([
      'GET /forgotten of planted does not list among `refuses`: conflict, 409, no code: taken',
    ]);
  });
});
