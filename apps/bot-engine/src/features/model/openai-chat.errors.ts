import { APIConnectionError, APIError } from 'openai';
import { modelErrors } from './provider.errors';

/** What the `openai` client threw, as a `ModelError`. */
export const modelErrorOf = modelErrors<APIError>({
  isConnection: (thrown) => thrown instanceof APIConnectionError,
  isAnswer: (thrown) => thrown instanceof APIError,
  isContext: ({ code }) => code === 'context_length_exceeded',
});
