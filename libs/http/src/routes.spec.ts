import { routeLines } from './routes';
import { fixtureService } from './service.fixture';

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
