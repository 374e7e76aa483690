import { ConfigurationError } from '@platform/runtime';

export interface OwnFilesSettings {
  readonly WA_GATEWAY_URL: string;
  readonly COMMERCE_URL: string | undefined;
  /** MEDIA_URL_ALLOW */
  readonly MEDIA_URL_ALLOW: readonly string[];
}

const isPrefix = (text: string): boolean =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && new URL(text).href === text && text.endsWith('/');

/**
 * Below which addresses our own services keep what may be copied from one to the other, private or not. Prefixes, not hosts:
 * the same hosts answer routes that are open inside, and whoever sent us the address would read them through us.
 */
export const ownFiles = (settings: OwnFilesSettings): { ofGateway: readonly string[]; ofBot: readonly string[] } => {
  const { WA_GATEWAY_URL: gateway, COMMERCE_URL: commerce, MEDIA_URL_ALLOW: more } = settings;
  const wrong = more.filter((each) => !isPrefix(each));
  if (wrong.length > 0)
    throw new ConfigurationError(['MEDIA_URL_ALLOW must list prefixes such as http://files.internal:3000/public/']);
  return {
    ofGateway: [new URL(`${gateway}/files/`).href, ...more],
    ofBot: [...(commerce === undefined ? [] : [new URL(`${commerce}/blob/`).href]), ...more],
  };
};
