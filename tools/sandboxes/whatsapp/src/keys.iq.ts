import { SERVER_JID } from './jid';
import { iqError, type IqHandlers, type IqRequest } from './iq.types';
import type { BinaryNode } from './library';
import type { Delivery } from './delivery';
import type { Device, Network } from './network';
import { child, children, element } from './node.reader';

/** Below this the client is told to upload more (its own MIN_PREKEY_COUNT). */
const FEW = 5;

const storeBundle = ({ device, node }: IqRequest): BinaryNode[] => {
  const [registration, type, identity, signed] = ['registration', 'type', 'identity', 'skey'].map((tag) =>
    child(node, tag),
  );
  if (!registration || !type || !identity || !signed) return iqError('400', 'registration, type, identity and skey');
  device.bundle = { registration, type, identity, signed };
  device.oneTimeKeys.push(...children(child(node, 'list'), 'key'));
  return [];
};

const rotate = ({ device, body }: IqRequest): BinaryNode[] => {
  const signed = child(body, 'skey');
  if (!signed || !device.bundle) return iqError('400', 'skey of a known bundle');
  device.bundle.signed = signed;
  return [];
};

const digest = ({ device }: IqRequest): BinaryNode[] => {
  if (!device.bundle) return iqError('404', 'item-not-found');
  const { registration, type, identity, signed } = device.bundle;
  return [element('digest', {}, [registration, type, identity, signed])];
};

/** Requests of `xmlns=encrypt`: devices store their public keys here, and each one-time key is handed out once. */
export const keyHandlers = (network: Network, delivery: Delivery): IqHandlers => {
  const remind = (device: Device): void => {
    if (device.oneTimeKeys.length >= FEW) return;
    const attrs = { from: SERVER_JID, type: 'encrypt', id: network.nextId(), t: String(network.now()) };
    const count = element('count', { value: String(device.oneTimeKeys.length) });
    delivery.send(device, element('notification', attrs, [count]));
  };
  const bundleOf = (jid: string): BinaryNode => {
    const device = network.device(jid);
    if (!device?.bundle) return element('user', { jid }, iqError('404', 'item-not-found'));
    const { registration, type, identity, signed } = device.bundle;
    const key = device.oneTimeKeys.shift();
    remind(device);
    return element('user', { jid }, [registration, type, identity, signed, ...(key ? [key] : [])]);
  };
  return {
    'encrypt/get/count': ({ device }) => {
      const { length } = device.oneTimeKeys;
      return [element('count', { value: String(device.account.fewKeys ? Math.max(1, length) : length) })];
    },
    'encrypt/set/registration': storeBundle,
    'encrypt/set/rotate': rotate,
    'encrypt/get/digest': digest,
    'encrypt/get/key': ({ body }) => [
      element(
        'list',
        {},
        children(body, 'user').map(({ attrs }) => bundleOf(attrs.jid ?? '')),
      ),
    ],
  };
};
