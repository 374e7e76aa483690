import type { Area } from '../../area';
import type { Config } from '../../config';
import type { RoomParts } from '../../room.parts';
import { anthropicPackage } from './anthropic.package';
import { embedder, type Embedder } from './embedding.client';
import { modelAttempts, type AskModel } from './model.attempts';
import { configuredModels } from './model.config';
import { priceFile } from './price.file';
import { priceRepository, type Prices } from './price.repository';
import { refusesSandbox } from './sandbox.refusal';
import { stopSignal } from './stop.signal';
import { transcriber, type Transcribe } from './speech.client';

/** What the other rooms ask models with. */
export interface ModelRoom {
  readonly area: Area;
  readonly ask: AskModel;
  readonly prices: Prices;
  /** Aborts when the process stops and calls have had their grace. */
  readonly stopping: AbortSignal;
  /** With `TRANSCRIBE_MODEL` only. */
  readonly transcribe: Transcribe | undefined;
  /** With `EMBEDDING_MODEL` only. */
  readonly embedder: Embedder | undefined;
}

export const composeModel = (config: Config, { database, clock }: Pick<RoomParts, 'database' | 'clock'>): ModelRoom => {
  const prices = priceRepository(database, clock);
  const access = { baseUrl: config.LLM_BASE_URL, apiKey: config.LLM_API_KEY, refuseSandbox: refusesSandbox(config) };
  const { TRANSCRIBE_MODEL, EMBEDDING_MODEL } = config;
  const { component: calls, signal: stopping } = stopSignal(config.BOT_STOP_GRACE_MS);
  return {
    area: { components: [anthropicPackage(config), priceFile(config, prices), calls] },
    ask: modelAttempts({ models: configuredModels(config), stepTimeoutMs: config.BOT_STEP_TIMEOUT_MS }),
    prices,
    stopping,
    transcribe: TRANSCRIBE_MODEL ? transcriber(access, TRANSCRIBE_MODEL, prices) : undefined,
    embedder: EMBEDDING_MODEL ? embedder(access, EMBEDDING_MODEL, prices) : undefined,
  };
};
