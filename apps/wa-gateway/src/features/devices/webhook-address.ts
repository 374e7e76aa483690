import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { InvalidInput } from '@platform/errors';
import { isMetadataAddress } from '@platform/http';

const refused = (): InvalidInput =>
  new InvalidInput([{ field: 'webhook_url', tag: 'allowed', message: 'webhook_url is not valid' }]);

/**
 * Who may receive a device's messages: hosts of WEBHOOK_ALLOW_HOSTS (`host` or `host:port`), else anyone inside the
 * perimeter could divert all chats; and never an address of a metadata service, whatever the list says (design 6).
 */
export const webhookAddresses = (allowHosts: readonly string[]) => ({
  async check(webhookUrl: string): Promise<void> {
    const { host, hostname, username, password } = new URL(webhookUrl);
    if (username || password || !(allowHosts.includes(host) || allowHosts.includes(hostname))) throw refused();
    const bare = hostname.replace(/^\[|\]$/g, '');
    const found = isIP(bare) ? [{ address: bare }] : await lookup(bare, { all: true }).catch(() => []);
    if (found.some(({ address }) => isMetadataAddress(address))) throw refused();
  },
});

export type WebhookAddresses = ReturnType<typeof webhookAddresses>;
