import { tokenAccessSettings } from '@platform/auth';
import { databaseSettings } from '@platform/data';
import { commonSettings } from '@platform/http';
import { choice, flag, httpUrl, integer, list, secretText, text, type ConfigOf } from '@platform/runtime';

/** Key for the sandbox model server, which accepts any; production refuses this one. */
export const SANDBOX_KEY = 'sandbox-key';

export const settings = {
  ...commonSettings(3003),
  ...databaseSettings(),
  /** Callers that need no token: the contract's `allowedIP`. */
  ALLOWED_IPS: list({ fallback: [] }),
  ...tokenAccessSettings('bot-engine'),
  /** Where stores are looked up: `local` reads the rows that `seed` wrote. */
  STORE_SOURCE: choice(['local'], { fallback: 'local' }),
  /** With /v1, as OpenAI's clients expect it. */
  LLM_BASE_URL: httpUrl({ fallback: 'http://127.0.0.1:3102/v1', requiredInProduction: true }),
  LLM_API_KEY: secretText({ fallback: SANDBOX_KEY, requiredInProduction: true }),
  LLM_MODEL: text({ fallback: 'sandbox-rules-main', requiredInProduction: true }),
  LLM_TOKEN_PARAM: choice(['max_tokens', 'max_completion_tokens'], { fallback: 'max_tokens' }),
  /** False for models that refuse a temperature. */
  LLM_SEND_TEMPERATURE: flag({ fallback: true }),
  ALLOW_SANDBOX_LLM: flag({ fallback: false }),
  BOT_TURN_DEADLINE_MS: integer(1_000, 60_000, { fallback: 45_000 }),
  BOT_STEP_TIMEOUT_MS: integer(100, 60_000, { fallback: 20_000 }),
  /** Time for running turns when the process stops; the whole stop has 10 s. */
  BOT_STOP_GRACE_MS: integer(0, 8_000, { fallback: 6_000 }),
};

export type Config = ConfigOf<typeof settings>;
