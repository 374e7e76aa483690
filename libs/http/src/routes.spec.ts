import type { Endpoint } from './endpoint';
import { registrationsOf } from './service';
import { routeLines } from './routes';
import { endpoints, fixtureService } from './service.fixture';

describe('routeLines', () => {
  it('lists every registration with its guard, variants and double ones too, and the operational routes', () => {
    const lines = routeLines(fixtureService({ docsPath: '/docs/api' }));
    expect(lines.slice(0, 2)).toEqual(['fixture,POST,/v1/echo,jwt', 'fixture,POST,/v1/echo_admin,internal']);
    expect(lines).toContain('fixture,GET,/things/{id}/parts/{part},public');
    expect(lines.filter((line) => line === 'fixture,POST,/twice,public')).toHaveLength(2);
    expect(lines.slice(-5)).toEqual(
      ['/health', '/ready', '/metrics', '/docs/api', '/docs/api.json'].map((path) => `fixture,GET,${path},public`),
    );
  });

  it('leaves the health route to a service that has its own', () =>
    expect(routeLines(fixtureService({ ownHealth: true }))).not.toContain('fixture,GET,/health,public'));
});

describe('a variant', () => {
  it('a variant is served by its own endpoints where it has them, and leaves none out', async () => {
    const open = { suffix: '_open', guard: 'open' };
    const marked = endpoints.filter(({ path }) => path === '/v1/echo').map((one) => ({ ...one, variants: ['open'] }));
    const served = (own: Endpoint[]) =>
      registrationsOf(fixtureService({ endpoints: marked, variants: { open: { ...open, endpoints: own } } })).map(
        ({ endpoint, path, variant }) => ({ path, variant, summary: endpoint.summary }),
      );
    const other = endpoints.filter(({ path }) => path === '/v1/echo').map((one) => ({ ...one, summary: 'elsewhere' }));
    const decoys = other.flatMap((one) => [
      { ...one, method: 'get', summary: 'another method' } as const,
      { ...one, path: '/v1/other', summary: 'another path' },
    ]);
    expect(served([...decoys, ...other])).toEqual([
      { path: '/v1/echo', variant: undefined, summary: 'Says it again' },
      { path: '/v1/echo_open', variant: 'open', summary: 'elsewhere' },
    ]);
    expect(() => served([])).toThrow('no endpoint that serves the variant open of /v1/echo');
  });
});
