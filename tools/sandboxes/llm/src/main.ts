import { environment } from '@platform/runtime';
import { startSandbox } from './server';

const BANNER = (url: string) => `SANDBOX language model server on ${url}
This is not a model: fixed rules, no weights, no understanding. It proves plumbing, never answer quality.
Models sandbox-rules-small and sandbox-rules-main; OpenAI clients use ${url}/v1, Anthropic clients ${url}.`;

const main = async (): Promise<void> => {
  if (environment.APP_ENV === 'production' && environment.ALLOW_SANDBOX_LLM !== '1')
    throw new Error(
      'The sandbox language model does not start with APP_ENV=production. Set LLM_BASE_URL to a real provider, or ALLOW_SANDBOX_LLM=1 to accept canned answers.',
    );
  const sandbox = await startSandbox({ port: Number(environment.PORT ?? 3102) });
  console.log(BANNER(sandbox.url));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void sandbox.close());
};

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
