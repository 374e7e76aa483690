import { httpClient } from '@platform/http';
import { startDokuSandbox, startDuitkuSandbox, startXenditSandbox, type RunningTill } from '@platform/testing/gateways';
import { useForEach } from '@platform/testing';
import type { GatewayClient } from '../features/gateways/port';
import { gatewayContract, type GatewaySubject } from './gateway.contract';
import { FakeGateway } from './gateway.fake';
import { dokuClient } from './pay-a.doku';
import { xenditClient } from './pay-b.xendit';
import { duitkuClient } from './pay-c.duitku';
import { providerLine, type ProviderLine } from './provider.call';

const DOKU = { client_id: 'MCH-0001', secret: 'test-secret' };
const XENDIT = { key: 'xnd_development_k', callback_token: 'token' };
const DUITKU = { merchant: 'DS12345', key: 'test-secret' };
const publicUrl = 'http://127.0.0.1:1/shop';

/** A sandbox and a client of it, for one test. */
const onSandbox = (
  start: () => Promise<RunningTill>,
  clientOf: (line: ProviderLine) => GatewayClient,
): (() => GatewaySubject) => {
  const sandbox = useForEach(async () => {
    const running = await start();
    const http = httpClient('provider', running.url);
    const client = clientOf(providerLine('provider', http));
    return { running, client, stop: () => Promise.all([http.stop?.(), running.close()]) };
  });
  const verbs = { paid: 'pay', failed: 'fail', expired: 'expire' } as const;
  return () => {
    const { till, faults } = sandbox.running;
    return {
      client: sandbox.client,
      become: (invoice, end, amount) =>
        void (end === 'paid'
          ? till.pay(till.named({ invoice }), { amount })
          : till[verbs[end]](till.named({ invoice }))),
      breaks: (mode) => faults.setDown({ mode, times: 1, method: 'POST' }),
      count: (wanted) => till.payments().filter(({ invoice }) => invoice === wanted).length,
    };
  };
};

describe('A on the DOKU sandbox:', () =>
  gatewayContract(
    onSandbox(
      () => startDokuSandbox({ port: 0, accounts: [DOKU] }),
      (line) => dokuClient({ line, publicUrl }, DOKU),
    ),
  ));

describe('B on the Xendit sandbox:', () =>
  gatewayContract(
    onSandbox(
      () => startXenditSandbox({ port: 0, accounts: [XENDIT] }),
      (line) => xenditClient({ line }, XENDIT),
    ),
  ));

describe('C on the Duitku sandbox:', () =>
  gatewayContract(
    onSandbox(
      () => startDuitkuSandbox({ port: 0, accounts: [DUITKU] }),
      (line) => duitkuClient({ line, publicUrl }, DUITKU),
    ),
  ));

describe('the fake:', () =>
  gatewayContract(() => {
    const client = new FakeGateway('b');
    return {
      client,
      become: (invoiceNumber, end, amount) => client.become(invoiceNumber, end, amount),
      breaks: (how) => void client.next.push(how),
      count: (invoiceNumber) => (client.payments.has(invoiceNumber) ? 1 : 0),
    };
  }));
