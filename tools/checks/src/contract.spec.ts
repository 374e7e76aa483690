import { contractRoutes, departures, internalRoutes, mountedRoutes, type ContractRoute } from './contract-routes';
import { allRoutes } from './routes';

const contract = contractRoutes();
const mounted = mountedRoutes(allRoutes());

const without = ({ service, route }: ContractRoute): ContractRoute[] => {
  const at = mounted.findIndex((one) => one.service === service && one.route === route);
  return mounted.filter((_, index) => index !== at);
};

const countsOf = (services: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const name of services) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
};

describe('the routes of the contract', () => {
  it('are 728, one of which is listed twice', () => {
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

  it('are mounted with the right guards', () => expect(departures(contract, mounted)).toEqual([]));

  it('are reported when any one of them is no longer mounted', () => {
    const unnoticed = contract.filter((route) => departures(contract, without(route)).length === 0);
    expect({ unnoticed, tried: contract.length }).toEqual({ unnoticed: [], tried: 728 });
  });
});

describe('the routes of bot-engine', () => {
  const inside = /^(GET|POST|PUT|DELETE) \/(api|internal)\//;
  const textOf = ({ route, guard }: ContractRoute) => `${route} ${guard}`;

  it('under /api are the six of the contract, under /internal those listed for commerce-api, and no others', () => {
    const promised = [...contract, ...internalRoutes()].filter(({ service }) => service === 'bot-engine');
    const here = mounted.filter(({ service }) => service === 'bot-engine');
    const [asPromised, asMounted] = [promised, here].map((routes) =>
      routes.filter(({ route }) => inside.test(route)).map(textOf),
    );
    expect(asMounted?.sort()).toEqual(asPromised?.sort());
  });
});

describe('departures from the contract', () => {
  const login = { service: 'shop', route: 'POST /login', guard: 'public' };

  it('include a missing second registration of a route that the contract has twice', () =>
    expect(departures([login, login], [login])).toEqual(['shop POST /login is not mounted']));

  it('include a guard other than the documented one', () =>
    expect(departures([login], [{ ...login, guard: 'jwt' }])).toEqual([
      'shop POST /login has the guard jwt, the contract says public',
    ]));
});
