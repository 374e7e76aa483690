import { anyText, contractRoutes as routes, furnish, type Route } from './contract-routes.fixture';
import { PRODUCTION, useGateway, type HttpReply } from './gateway.fixture';

const environments = {
  development: { APP_ENV: 'development' },
  production: { ...PRODUCTION, ALLOW_SIMULATOR: 'true' },
};

describe.each(Object.entries(environments))('every route of the contract, in %s', (name, environment) => {
  const gateway = useGateway(environment);
  beforeAll(async () => {
    await furnish(gateway);
  });

  const call = ({ method, path }: Route, request: Record<string, unknown>): Promise<HttpReply> =>
    method === 'POST'
      ? gateway.client.post(path, request)
      : gateway.client.get(`${path}?${new URLSearchParams(request as Record<string, string>).toString()}`);

  it.each(routes.map((route) => [route.path, route] as const))('%s answers its documented body', async (_, route) => {
    const { request, message, data } = route;
    expect(await call(route, request)).toEqual({ status: 200, body: { success: true, message, data } });
  });

  const omissions = routes.flatMap((route) =>
    (route.required ?? []).map((each) => {
      const [field, told] = typeof each === 'string' ? [each, each] : each;
      return [route.path, field, told, route] as const;
    }),
  );
  it.each(omissions)('%s without %s answers 422', async (_, field, told, route) => {
    const { [field]: _left, ...request } = route.request;
    const message = `${told} is required`;
    const error = { code: 'VALIDATION', retryable: false, errors: [{ field: told, tag: anyText, message }] };
    expect(await call(route, request)).toEqual({
      status: 422,
      body: { success: false, message, ...(name === 'production' ? {} : { error }) },
    });
  });
});
