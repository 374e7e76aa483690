import { tokenAccessSettings } from '@platform/auth';
import { databaseSettings } from '@platform/data';
import { commonSettings } from '@platform/http';
import {
  choice,
  decimal,
  flag,
  httpUrl,
  integer,
  list,
  optional,
  secretText,
  sendsSettings,
  text,
  type ConfigOf,
} from '@platform/runtime';

/** Key for the sandbox model server, which accepts any; production refuses this one. */
export const SANDBOX_KEY = 'sandbox-key';

export const settings = {
  ...commonSettings(3003),
  ...databaseSettings(),
  /** Callers that need no token: the contract's `allowedIP`. */
  ALLOWED_IPS: list({ fallback: [] }),
  ...tokenAccessSettings('bot-engine'),
  /** Where stores are looked up: `local`, which production refuses, reads the rows that `seed` wrote. */
  STORE_SOURCE: choice(['local', 'commerce'], { fallback: 'local' }),
  ...sendsSettings,
  /** commerce-api. Without it the bot knows no products, orders or parcels, and offers a person. */
  COMMERCE_URL: optional(httpUrl({ requiredInProduction: true })),
  /** chat-backend: where answers go that nobody waits for any more, and who hands over to people. */
  CHAT_URL: optional(httpUrl({ requiredInProduction: true })),
  /** Signs the orders of the bot; the same in commerce-api. */
  ENGINE_BOT_SECRET: optional(secretText({ requiredInProduction: true })),
  /** Prefixes of addresses such as `http://files.internal/media/`, besides `/media/` of CHAT_URL, below which pictures and recordings may be fetched. */
  MEDIA_URL_ALLOW: list({ fallback: [] }),
  /** With /v1, as OpenAI's clients expect it. */
  LLM_BASE_URL: httpUrl({ fallback: 'http://127.0.0.1:3102/v1', requiredInProduction: true }),
  LLM_API_KEY: secretText({ fallback: SANDBOX_KEY, requiredInProduction: true }),
  /** For greetings. */
  LLM_SMALL_MODEL: text({ fallback: 'sandbox-rules-small', requiredInProduction: true }),
  /** Of `ai-agent-testing`, whatever the agent's own model is. */
  TESTING_MODEL: text({ fallback: 'sandbox-rules-small', requiredInProduction: true }),
  /** JSON file with prices of models, put into the price list at every start. */
  LLM_PRICES_FILE: optional(text()),
  /** For agents whose provider is `anthropic`; without it they answer with their fallback. */
  ANTHROPIC_API_KEY: optional(secretText()),
  /** Without /v1. */
  ANTHROPIC_BASE_URL: httpUrl({ fallback: 'https://api.anthropic.com' }),
  /** Model that writes down voice notes; without it the bot asks for text. */
  TRANSCRIBE_MODEL: optional(text()),
  /** Model of the vectors beside the lexical search of policies. */
  EMBEDDING_MODEL: optional(text()),
  LLM_MODEL: text({ fallback: 'sandbox-rules-main', requiredInProduction: true }),
  LLM_TOKEN_PARAM: choice(['max_tokens', 'max_completion_tokens'], { fallback: 'max_tokens' }),
  /** False for models that refuse a temperature. */
  LLM_SEND_TEMPERATURE: flag({ fallback: true }),
  ALLOW_SANDBOX_LLM: flag({ fallback: false }),
  /** How long the bot waits for further messages of a burst, from the last one and in all; an agent may have its own. 0: not at all. */
  BOT_WINDOW_MS: integer(0, 30_000, { fallback: 2_500 }),
  BOT_MAX_WAIT_MS: integer(0, 30_000, { fallback: 10_000 }),
  BOT_MAX_STEPS: integer(1, 6, { fallback: 6 }),
  BOT_MAX_ROUNDS: integer(1, 3, { fallback: 3 }),
  /** Dollars; beyond it a turn ends with the text it can give. */
  BOT_TURN_COST_CAP_USD: decimal(0, 100, { fallback: 0.02 }),
  /** Dollars of one store; beyond them a person answers. A store may have its own. */
  STORE_DAY_CAP_USD: decimal(0, 1_000_000, { fallback: 20 }),
  STORE_MONTH_CAP_USD: decimal(0, 10_000_000, { fallback: 300 }),
  /** Turns of all stores that a process is in at a time; a store has 20 of them at most, in all processes together. */
  BOT_PLACES: integer(1, 10_000, { fallback: 256 }),
  /** For how long a turn keeps its conversation when its process has died; it is renewed at a third of it. */
  BOT_LEASE_MS: integer(1_000, 60_000, { fallback: 15_000 }),
  BOT_TURN_DEADLINE_MS: integer(1_000, 60_000, { fallback: 45_000 }),
  BOT_STEP_TIMEOUT_MS: integer(100, 60_000, { fallback: 20_000 }),
  /** Days for which messages of customers are kept, also in the records of runs. */
  KEEP_MESSAGES_DAYS: integer(1, 3_650, { fallback: 180 }),
  /** Days for which what a run was given, and its steps, are kept. */
  KEEP_STEPS_DAYS: integer(1, 3_650, { fallback: 30 }),
  /** Days for which runs and the log of model calls are kept: what usage is counted from. */
  KEEP_REQUESTS_DAYS: integer(31, 3_650, { fallback: 396 }),
  /** Days for which test sessions and evaluations are kept. */
  KEEP_TESTS_DAYS: integer(1, 3_650, { fallback: 90 }),
  /** Time for running turns when the process stops; the whole stop has 10 s. */
  BOT_STOP_GRACE_MS: integer(0, 8_000, { fallback: 6_000 }),
};

export type Config = ConfigOf<typeof settings>;
