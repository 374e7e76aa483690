import type { Cache } from '@platform/data';
import { refusals } from '../../refusals';
import type { WelcomeLimit } from './welcome.service';

const GREETINGS = 60;
const WINDOW_SECONDS = 60;

/** As many greetings a minute as a store may have turns (design 3.4), counted apart from these: customers come first. */
export const welcomeLimit =
  (cache: Pick<Cache, 'increment'>): WelcomeLimit =>
  async (storeId) => {
    if ((await cache.increment(`welcome:${storeId}`, WINDOW_SECONDS)) > GREETINGS)
      throw refusals.storeBusy(WINDOW_SECONDS);
  };
