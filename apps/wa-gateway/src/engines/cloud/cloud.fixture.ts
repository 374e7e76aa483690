import { startGraphSandbox, type GraphSandbox } from '@platform/testing/graph';
import { useRunning } from '@platform/testing';
import type { Deps } from '../../app';
import { useGateway, until } from '../../gateway.fixture';

export const cloudAccount = {
  phone_number_id: '106540352242922',
  token: 'sandbox-token',
  app_secret: 'app secret of the sandbox',
  verify_token: 'verify me',
};
export const cloudSubscription = (url: string) => ({
  url: `${url}/webhook/cloud`,
  verifyToken: cloudAccount.verify_token,
  appSecret: cloudAccount.app_secret,
});

/** Where the gateway finds the sandbox instead of Meta. */
export const cloudEnvironment = ({ url }: GraphSandbox): Record<string, string> => ({
  WA_CLOUD_BASE_URL: url,
  WA_CLOUD_MEDIA_HOSTS: new URL(url).host,
});

export const CUSTOMER = '628123456789';

/** The real gateway with one device `toko-1` on the sandbox, its webhook verified, for the tests of the surrounding suite. */
export const useCloudGateway = (environment: Record<string, string> = {}, deps: Partial<Deps> = {}) => {
  const sandbox = useRunning(() => startGraphSandbox({ port: 0, wa: { webhookRetryMs: 20 } }));
  const gateway = useGateway(() => ({ ...cloudEnvironment(sandbox), ...environment }), deps);
  beforeAll(async () => {
    const { client } = gateway;
    await client.data(client.post('/api/new', { instanceID: 'toko-1', engine: 'cloud', cloud: cloudAccount }));
    await sandbox.wa.subscribe(cloudSubscription(client.url));
  });
  return { gateway, sandbox };
};

/** Nothing that Meta wants to tell is still under way. */
export const quiet = ({ wa }: GraphSandbox): Promise<number> =>
  until(
    () => wa.webhooks.pending,
    (pending) => pending === 0,
  );
