import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTill, type RunningTill } from './server';
import type { Json, Provider, TillPayment } from './till.types';

interface Got {
  readonly body: string;
  readonly signed: unknown;
}

let hook: Server;
let got: Got[];
/** Statuses that the merchant answers with, one each; then 200. */
let answers: number[];
let tell: () => void;
let running: RunningTill;

const provider: Provider = {
  ...{ name: 'Test <till>', ladder: [1, 1] },
  serve: ({ path }) => (path === '/api/x' ? { status: 200, json: { done: true } } : undefined),
  notice: ({ status, paidAmount }) => ({ type: 'text/plain', body: `${status} ${paidAmount}` }),
  sign: (_, secret) => ({ signed: secret }),
  tampered: (body) => `${body} changed`,
};

beforeEach(async () => {
  [got, answers, tell] = [[], [], () => undefined];
  hook = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push({ body: Buffer.concat(chunks).toString(), signed: request.headers.signed });
      response.writeHead(answers.shift() ?? 200).end();
      tell();
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  running = await startTill({ port: 0, minuteMs: 5 }, () => provider);
});
afterEach(async () => {
  await running.close();
  hook.closeAllConnections();
  await new Promise((resolve) => hook.close(resolve));
});

/** Resolves when the merchant has got so many notices. */
const notices = async (count: number): Promise<Got[]> => {
  while (got.length < count) await new Promise<void>((resolve) => (tell = resolve));
  return got;
};

const opened = (change: Partial<TillPayment> = {}): TillPayment =>
  running.till.open({
    ...{ account: 'm', invoice: 'INV-1', amount: 150_000, currency: 'IDR', description: 'Kopi <b>&', channel: 'BCA' },
    ...{ expiresAt: new Date(Date.now() + 60_000).toISOString(), returnUrl: 'https://toko.example/pay/t', asked: {} },
    noticeUrl: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook`,
    ...change,
  });

const order = async (verb: string, body: Json = {}) => {
  const answer = await fetch(`${running.url}/__sandbox/${verb}`, { method: 'POST', body: JSON.stringify(body) });
  return [answer.status, (await answer.json()) as Json] as const;
};
const tableOf = async (name: string) => (await (await fetch(`${running.url}/__sandbox/${name}`)).json()) as Json[];
const press = (payment: TillPayment, action: string) =>
  fetch(`${running.url}/pay/${payment.id}`, { method: 'POST', body: new URLSearchParams({ action }) });

describe('the page of a payment', () => {
  it('says that it is a sandbox, and has the four buttons, with nothing of the merchant as markup', async () => {
    const answer = await fetch(`${running.url}/pay/${opened().id}`);
    const page = await answer.text();
    expect([answer.status, answer.headers.get('x-sandbox')]).toEqual([200, 'true']);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page).toContain('SANDBOX Test &lt;till&gt;');
    expect(page).toContain('Kopi &lt;b&gt;&amp;');
    expect(page).toContain('<meta name="viewport" content="width=device-width,initial-scale=1">');
    expect([...page.matchAll(/<button [^>]*>([^<]+)/g)].map(([, label]) => label)).toEqual([
      ...['Pay', 'Fail', 'Expire', 'Pay wrong amount'],
    ]);
  });

  it.each([
    ['pay', 'paid 150000'],
    ['fail', 'failed null'],
    ['expire', 'expired null'],
    ['wrong', 'paid 149999'],
  ])('tells the merchant what came of %s', async (action, body) => {
    const answer = await press(opened(), action);
    expect([answer.status, answer.redirected]).toEqual([200, true]);
    expect(await notices(1)).toEqual([{ body, signed: 'own' }]);
  });

  it('has the way back when it is over, and no more buttons; a second press changes nothing', async () => {
    const payment = opened();
    await press(payment, 'pay');
    const page = await (await press(payment, 'expire')).text();
    expect(page).toContain('<a class="button" href="https://toko.example/pay/t">');
    expect(page).not.toContain('<button');
    expect(running.till.payment(payment.id)?.status).toBe('paid');
  });

  it('sends nobody to an address that runs, and knows no other payments', async () => {
    const payment = opened({ returnUrl: 'javascript:alert(1)' });
    expect(await (await press(payment, 'pay')).text()).not.toContain('javascript:');
    expect((await fetch(`${running.url}/pay/nobody`)).status).toBe(404);
  });
});

describe('notices', () => {
  it('are repeated by the ladder until they are taken, or it ends', async () => {
    answers = [500, 302, 200];
    await order('pay', { invoice: opened().invoice });
    await notices(3);
    answers = [500, 500, 500];
    await order('pay', { id: opened({ invoice: 'INV-2' }).id });
    await notices(6);
    while (running.till.sender.rows.some(({ dueAt }) => dueAt !== null)) await new Promise(setImmediate);
    expect(running.till.sender.rows.map(({ answers: tries, dueAt }) => [tries, dueAt])).toEqual([
      [[500, 302, 200], null],
      [[500, 500, 500], null],
    ]);
  });

  it('go twice, in the opposite order, or spoilt, when they are told to', async () => {
    const [one, two] = [opened(), opened({ invoice: 'INV-2' })];
    await order('reorder', { count: 2 });
    await order('pay', { id: one.id });
    await order('fail', { id: two.id });
    await notices(2);
    await order('duplicate', { id: one.id });
    await notices(3);
    await order('tamper', { id: one.id });
    await notices(4);
    await order('tamper', { id: one.id, kind: 'signature' });
    expect(await notices(5)).toEqual([
      { body: 'failed null', signed: 'own' },
      { body: 'paid 150000', signed: 'own' },
      { body: 'paid 150000', signed: 'own' },
      { body: 'paid 150000 changed', signed: 'own' },
      { body: 'paid 150000', signed: 'foreign' },
    ]);
  });

  it('come of a payment that nobody paid in time', async () => {
    opened({ expiresAt: new Date(Date.now() - 1).toISOString() });
    running.till.expireDue();
    expect(await notices(1)).toEqual([{ body: 'expired null', signed: 'own' }]);
  });
});

describe('orders of a developer', () => {
  it('show what there is', async () => {
    const payment = opened();
    const [status, paid] = await order('pay', { invoice: 'INV-1', amount: 5, channel: 'QRIS' });
    expect([status, paid]).toMatchObject([200, { status: 'paid', paidAmount: 5, channel: 'QRIS' }]);
    await notices(1);
    expect(await tableOf('payments')).toMatchObject([{ id: payment.id, status: 'paid' }]);
    expect(await tableOf('notices')).toMatchObject([{ about: payment.id, body: 'paid 5' }]);
  });

  it.each([
    ['pay', {}],
    ['pay', { invoice: 'nobody' }],
    ['down', { mode: 'sideways' }],
    ['down', { times: 0 }],
    ['delay', { ms: -1 }],
    ['tamper', { invoice: 'INV-1', kind: 'x' }],
    ['duplicate', { invoice: 'INV-1' }],
  ])('are refused when they make no sense: %s %j', async (verb, body) => {
    opened();
    expect((await order(verb, body))[0]).toBe(400);
  });

  it('are refused for what has ended, and where there are none', async () => {
    const { id } = opened();
    await order('pay', { id });
    expect([await order('pay', { id }), await order('expire', { id })]).toEqual([
      [400, { error: 'it is paid already' }],
      [400, { error: 'it is paid' }],
    ]);
    expect([(await order('dance'))[0], (await order('toString'))[0]]).toEqual([404, 404]);
  });
});

describe('calls while it is down', () => {
  const call = (signal?: AbortSignal) => fetch(`${running.url}/api/x`, { method: 'POST', body: '{}', signal });

  it.each([
    ['error', 503, '{"message":"SERVICE UNAVAILABLE"}'],
    ['html', 200, '<html><body><h1>502 Bad Gateway</h1></body></html>'],
    ['garbage', 200, '{"message":["SUCCESS"],"data":null}'],
  ])('end with %s, as often as was said', async (mode, status, text) => {
    await order('down', { mode, times: 1 });
    const answer = await call();
    expect([answer.status, await answer.text()]).toEqual([status, text]);
    expect(await (await call()).json()).toEqual({ done: true });
  });

  it('are refused or lost until it is up again, and have 5 MB when it is huge', async () => {
    for (const mode of ['refuse', 'lost']) {
      await order('down', { mode });
      await expect(call()).rejects.toThrow();
    }
    await order('down', { mode: 'huge', times: 1 });
    expect((await (await call()).text()).length).toBeGreaterThan(5 * 1024 * 1024);
    await order('down', { mode: 'up' });
    expect(await (await call()).json()).toEqual({ done: true });
  });

  it('hang', async () => {
    await order('down', { mode: 'hang', path: '/api', method: 'POST' });
    await expect(call(AbortSignal.timeout(50))).rejects.toThrow('timeout');
    expect((await fetch(`${running.url}/api/x`)).status).toBe(200);
  });

  it('are late', async () => {
    await order('delay', { ms: 60 });
    await expect(call(AbortSignal.timeout(30))).rejects.toThrow('timeout');
    expect(await (await call()).json()).toEqual({ done: true });
  });
});

it('a route that the provider has not is 404, a body over 1 MB 413', async () => {
  expect((await fetch(`${running.url}/api/y`)).status).toBe(404);
  const big = { method: 'POST', body: 'x'.repeat(2 * 1024 * 1024) };
  expect((await fetch(`${running.url}/api/x`, big)).status).toBe(413);
});

it('it does not start in production', async () => {
  await expect(startTill({ port: 0, appEnv: 'production' }, () => provider)).rejects.toThrow(
    'The Test <till> sandbox does not start with APP_ENV=production',
  );
});
