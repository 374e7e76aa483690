import { formatJid, isLid, parseJid, PHONES, toJid } from './jid';
import { iqError, type IqHandlers } from './iq.types';
import type { BinaryNode } from './library';
import { lidOf, type Account, type Network } from './network';
import { child, children, element, text } from './node.reader';

const deviceList = (account: Account | undefined): BinaryNode => {
  const devices = [...(account?.devices.keys() ?? [])].map((id) =>
    element('device', { id: String(id), 'key-index': String(id) }),
  );
  return element('devices', {}, [element('device-list', {}, devices)]);
};

/** Directory requests: which numbers exist, their devices, LIDs, pictures and settings. */
export const directoryHandlers = (network: Network): IqHandlers => {
  const about = (asked: string, jid: string, account: Account | undefined): BinaryNode[] => {
    if (asked === 'contact') return [element('contact', { type: account ? 'in' : 'out' })];
    if (asked === 'devices') return [deviceList(account)];
    return asked === 'lid' && account && !isLid(jid) ? [element('lid', { val: lidOf(account) })] : [];
  };
  const user = (protocols: readonly string[], node: BinaryNode): BinaryNode => {
    const phone = text(child(node, 'contact')).replace('+', '');
    const jid = node.attrs.jid ?? toJid(phone);
    const account = network.find(jid);
    return element(
      'user',
      { jid: isLid(jid) ? jid : formatJid(parseJid(jid).user, PHONES) },
      protocols.flatMap((asked) => about(asked, jid, account)),
    );
  };
  return {
    'usync/get/usync': ({ body }) => {
      const protocols = children(child(body, 'query')).map(({ tag }) => tag);
      const users = children(child(body, 'list'), 'user').map((each) => user(protocols, each));
      return [element('usync', { ...body?.attrs }, [element('list', {}, users)])];
    },
    'privacy/get/privacy': () => [
      element('privacy', {}, [element('category', { name: 'readreceipts', value: 'all' })]),
    ],
    'privacy/set/tokens': () => [],
    'w:profile:picture/get/picture': ({ node }) => {
      const url = network.find(node.attrs.target ?? '')?.picture;
      return url ? [element('picture', { url, type: 'preview', id: '1' })] : iqError('404', 'item-not-found');
    },
    'blocklist/get/': () => [],
    'abt/get/props': () => [],
    'passive/set/active': () => [],
    'passive/set/passive': () => [],
    'w:p/get/ping': () => [],
  };
};
