import type { Component } from '@platform/runtime';
import type { Config } from '../../config';

const isInstalled = (): boolean => {
  try {
    return require.resolve('@anthropic-ai/sdk') !== '';
  } catch {
    return false;
  }
};

/** Fails the start where a key promises a provider whose client is not installed. The client itself is loaded later. */
export const anthropicPackage = (
  { ANTHROPIC_API_KEY }: Pick<Config, 'ANTHROPIC_API_KEY'>,
  installed = isInstalled,
): Component => ({
  name: 'client of Anthropic',
  start: async () => {
    if (ANTHROPIC_API_KEY && !installed())
      throw new Error(
        'ANTHROPIC_API_KEY is set, but the package @anthropic-ai/sdk is not installed: install it, or unset the key.',
      );
  },
});
