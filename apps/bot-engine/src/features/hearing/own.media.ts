import { ConfigurationError } from '@platform/runtime';
import type { Config } from '../../config';

const isPrefix = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).href === text && text.endsWith('/');

/**
 * Below which addresses lie the files that customers sent, private or not. Prefixes, not hosts: whoever sends us an address
 * would otherwise read all that our own services answer inside.
 */
export const ownMedia = ({
  CHAT_URL,
  MEDIA_URL_ALLOW,
}: Pick<Config, 'CHAT_URL' | 'MEDIA_URL_ALLOW'>): readonly string[] => {
  if (!MEDIA_URL_ALLOW.every(isPrefix))
    throw new ConfigurationError(['MEDIA_URL_ALLOW must list prefixes such as http://files.internal:3000/public/']);
  return [...(CHAT_URL === undefined ? [] : [new URL(`${CHAT_URL}/media/`).href]), ...MEDIA_URL_ALLOW];
};
