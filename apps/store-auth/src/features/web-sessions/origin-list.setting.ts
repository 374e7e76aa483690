import type { Setting } from '@platform/runtime';

const isOrigin = (text: string): boolean => {
  try {
    return /^https?:$/.test(new URL(text).protocol) && new URL(text).origin === text;
  } catch {
    return false;
  }
};

/** Origins as browsers write them; never `*`, because cookies are sent along. */
export const originList: Setting<readonly string[]> = {
  expects: 'a comma separated list of origins such as https://shop.example (no path, no *)',
  fallback: [],
  read: (text) => {
    const origins = text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean);
    return origins.every(isOrigin) ? origins : undefined;
  },
};
