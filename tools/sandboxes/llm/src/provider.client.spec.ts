import { environment } from '@platform/runtime';
import { startSandbox, type Sandbox } from './index';
import { providerContract } from './provider.contract';

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await startSandbox({ port: 0 })));
afterAll(() => sandbox.close());

providerContract('the sandbox, as a provider', () => ({
  baseURL: `${sandbox.url}/v1`,
  apiKey: 'sandbox-key',
  model: 'sandbox-rules-main',
}));

const { EVAL_MODEL_BASE_URL: baseURL, EVAL_MODEL_API_KEY: apiKey, EVAL_MODEL: model } = environment;
if (baseURL && apiKey && model)
  providerContract('the provider of EVAL_MODEL_BASE_URL', () => ({ baseURL, apiKey, model }));
else
  process.stderr.write(
    'EVAL_MODEL_BASE_URL, EVAL_MODEL_API_KEY and EVAL_MODEL are not set: the protocol was tested with the sandbox only.\n',
  );
