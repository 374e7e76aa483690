import { list, optional, secretText, text } from '@platform/runtime';

/** What a shop has on the internet beside this service. */
export const outsideSettings = {
  /** Below it each store has its subdomain; empty: none has. */
  SHOP_DOMAIN: optional(text()),
  /** Signs what the ingress asks; without it no host leads to a store. */
  INGRESS_SECRET: optional(secretText({ requiredInProduction: true })),
  /** Who is asked for records of domains, address:port; the machine's own when empty. */
  DNS_SERVERS: list({ fallback: [] }),
  /** Hosts that outgoing webhooks may name although they are private: for tests and closed networks. */
  WEBHOOK_ALLOW_HOSTS: list({ fallback: [] }),
};
