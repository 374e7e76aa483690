import { Unavailable } from '@platform/errors';

/** Design 2.7: a 503 of this service asks for a repeat after two seconds, whatever was down. */
export const retrySoon = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (failure) {
    if (!(failure instanceof Unavailable)) throw failure;
    throw new Unavailable(failure.message, { cause: failure.cause ?? failure, retryAfterSeconds: 2 });
  }
};
