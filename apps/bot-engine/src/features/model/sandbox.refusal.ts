import { httpClient } from '@platform/http';
import type { Component, Logger } from '@platform/runtime';
import { SANDBOX_KEY, type Config } from '../../config';

type ModelConfig = Pick<Config, 'APP_ENV' | 'ALLOW_SANDBOX_LLM' | 'LLM_BASE_URL' | 'LLM_API_KEY' | 'LLM_MODEL'>;

const PROBE_MS = 5_000;
const INSTEAD = 'Set it to a real provider, or ALLOW_SANDBOX_LLM=1 to accept canned answers.';

/** Production must not answer customers from canned rules, unless configured to. */
export const refusesSandbox = ({ APP_ENV, ALLOW_SANDBOX_LLM }: ModelConfig): boolean =>
  APP_ENV === 'production' && !ALLOW_SANDBOX_LLM;

interface Models {
  readonly data?: readonly { readonly id?: unknown }[];
}

const looksLikeSandbox = async ({ LLM_BASE_URL, LLM_API_KEY }: ModelConfig): Promise<boolean> => {
  const client = httpClient('language model', LLM_BASE_URL, { connections: 1, timeoutMs: PROBE_MS });
  try {
    const answer = await client.call({ path: '/models', headers: { authorization: `Bearer ${LLM_API_KEY}` } });
    const models = answer.json<Models | null>()?.data;
    const names = Array.isArray(models) ? models.map(({ id }) => String(id)) : [];
    return answer.headers['x-sandbox'] !== undefined || names.some((id) => id.startsWith('sandbox-'));
  } finally {
    await client.stop?.();
  }
};

/**
 * Fails the start in production when the model provider is the sandbox (design 5.2). A provider that does not answer at
 * that moment does not stop the start: its answers are checked again, one by one.
 */
export const sandboxRefusal = (config: ModelConfig, logger: Logger): Component => ({
  name: 'language model',
  start: async () => {
    if (!refusesSandbox(config)) return;
    if (config.LLM_API_KEY === SANDBOX_KEY) throw new Error(`LLM_API_KEY is the sandbox's. ${INSTEAD}`);
    if (config.LLM_MODEL.startsWith('sandbox-')) throw new Error(`LLM_MODEL is a model of the sandbox. ${INSTEAD}`);
    const sandbox = await looksLikeSandbox(config).catch((cause: unknown) => {
      logger.warn('the language model could not be queried for its name', { cause });
      return false;
    });
    if (sandbox) throw new Error(`LLM_BASE_URL is the sandbox model server. ${INSTEAD}`);
  },
});
