/** WhatsApp's addresses: `user[:device]@server`. */
export const PHONES = 's.whatsapp.net';
export const LIDS = 'lid';
export const GROUPS = 'g.us';

export interface JidParts {
  readonly user: string;
  readonly device: number;
  readonly server: string;
}

export const parseJid = (jid: string): JidParts => {
  const [address = '', server = ''] = jid.split('@');
  const [user = '', device] = address.split(':');
  return { user, device: Number(device ?? 0), server };
};

export const formatJid = (user: string, server: string, device = 0): string =>
  device ? `${user}:${device}@${server}` : `${user}@${server}`;

/** Without the device. */
export const userJid = (jid: string): string => {
  const { user, server } = parseJid(jid);
  return formatJid(user, server);
};

/** Adds `@s.whatsapp.net` to a bare number. */
export const toJid = (to: string): string => (to.includes('@') ? to : formatJid(to, PHONES));

export const isGroup = (jid: string): boolean => jid.endsWith(`@${GROUPS}`);
export const isLid = (jid: string): boolean => jid.endsWith(`@${LIDS}`);
/** The server itself, as the client writes it. */
export const SERVER_JID = `@${PHONES}`;
