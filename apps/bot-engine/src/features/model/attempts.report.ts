import type { Logger } from '@platform/runtime';
import type { Provider } from './chat.model';
import type { Attempt, PricedAttempt } from './model.attempts';

const SETTINGS: Readonly<Record<Provider, string>> = {
  openai: 'LLM_API_KEY and LLM_BASE_URL',
  anthropic: 'ANTHROPIC_API_KEY',
};

/** One call for the log: numbers and names, never a text of the customer, the prompt or the provider. */
export const loggedAttempt = ({ provider, model, status, ms, httpStatus, requestId }: Attempt) => ({
  provider,
  model,
  status,
  ms,
  httpStatus,
  requestId,
});

/** Says in the log what an operator has to mend: refused credentials, a model without a price. */
export const reportTrouble = (logger: Logger, attempts: readonly PricedAttempt[]): void => {
  for (const { provider, model, status, httpStatus } of attempts)
    if (status === 'auth')
      logger.error(`the language model refuses our credentials: check ${SETTINGS[provider]}`, { model, httpStatus });
  const unpriced = attempts.find(({ costMicros }) => costMicros === null)?.model;
  if (unpriced) logger.warn('the model has no price, so its cost is unknown', { model: unpriced });
};
