import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { InvalidInput } from '@platform/errors';

/** Link-local networks hold the metadata services of clouds (169.254.169.254, fd00:ec2::254). */
const metadata = new BlockList();
metadata.addSubnet('169.254.0.0', 16, 'ipv4');
metadata.addSubnet('fe80::', 10, 'ipv6');
metadata.addAddress('fd00:ec2::254', 'ipv6');

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
    if (found.some(({ address }) => metadata.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'))) throw refused();
  },
});

export type WebhookAddresses = ReturnType<typeof webhookAddresses>;
