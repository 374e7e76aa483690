import { contractRoutes, departures, mountedRoutes, notYetBuilt, type ContractRoute } from './contract-routes';
import { allRoutes } from './routes';

/** How many routes of a service are not built yet. A number may only fall; a service without one is finished and stays so. */
const NOT_YET: Readonly<Record<string, number>> = {
  'ads-api': 27,
  'bot-engine': 3,
  'commerce-api': 381,
  'commerce-web': 192,
};

const contract = contractRoutes();
const mounted = mountedRoutes(allRoutes());
const notYet = notYetBuilt();

const without = ({ service, route }: ContractRoute): ContractRoute[] => {
  const at = mounted.findIndex((one) => one.service === service && one.route === route);
  return mounted.filter((_, index) => index !== at);
};

const countsOf = (services: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const name of services) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

describe('the contract', () => {
  it('has 728 routes, one of them twice in one service', () => {
    expect(countsOf(contract.map(({ service }) => service))).toEqual({
      'store-auth': 9,
      'chat-backend': 84,
      'bot-engine': 7,
      'wa-gateway': 16,
      'ads-api': 30,
      'commerce-api': 390,
      'commerce-web': 192,
    });
    const names = contract.map(({ service, route }) => `${service} ${route}`);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([
      'commerce-api POST /api/order/change_payment_status',
    ]);
  });

  it('is what the services mount, guard by guard, but for the routes that are listed as not built yet', () =>
    expect(departures(contract, mounted, notYet)).toEqual([]));

  it('has fewer routes that are not built yet with every release, and none of a finished service', () =>
    expect(countsOf(notYet.map((line) => line.split(' ')[0] ?? ''))).toEqual(NOT_YET));

  it('misses every single route that somebody deletes', () => {
    const built = contract.filter(({ service, route }) =>
      mounted.some((one) => one.service === service && one.route === route),
    );
    const unnoticed = built.filter((route) => departures(contract, without(route), notYet).length === 0);
    expect({ unnoticed, tried: built.length }).toEqual({ unnoticed: [], tried: contract.length - notYet.length });
  });
});

describe('departures', () => {
  const login = { service: 'shop', route: 'POST /login', guard: 'public' };

  it('asks for a second registration of what the contract registers twice', () =>
    expect(departures([login, login], [login], [])).toEqual(['shop POST /login is not mounted']));

  it('names another guard than the documented one', () =>
    expect(departures([login], [{ ...login, guard: 'jwt' }], [])).toEqual([
      'shop POST /login has the guard jwt, the contract says public',
    ]));

  it('wants a route off the list as soon as it is mounted', () =>
    expect(departures([login], [login], ['shop POST /login'])).toEqual([
      'shop POST /login is mounted: take it off docs/contract/not-yet.csv',
    ]));

  it('excuses a route that is listed, and nothing that the contract does not know', () => {
    expect(departures([login], [], ['shop POST /login'])).toEqual([]);
    expect(departures([login], [login], ['shop GET /nowhere'])).toEqual(['shop GET /nowhere is not in the contract']);
  });
});
