import type { Component } from '@platform/runtime';
import { loadLibrary, type LibraryOptions } from './baileys.library';

export interface LibraryStarterOptions extends LibraryOptions {
  /** Whether any device is on this engine. */
  readonly isUsed: () => Promise<boolean>;
}

/**
 * Loads the client library before the gateway says that it is ready, where a device is on it: that stops the process for half a
 * second, for which all its first callers would wait. One that cannot be loaded keeps only its own devices offline.
 */
export const libraryStarter = ({ isUsed, ...options }: LibraryStarterOptions): Component => ({
  name: 'baileys',
  start: async () => {
    const failed = (cause: unknown): void =>
      options.logger.error('the client library cannot be loaded: its devices stay offline', { cause });
    if (await isUsed()) await loadLibrary(options).catch(failed);
  },
});
