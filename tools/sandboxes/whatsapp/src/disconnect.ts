import { element } from './node.reader';
import type { Account, Device } from './network';
import type { BinaryNode } from './library';
import type { DisconnectCause } from './sandbox.types';
import type { Switchboard } from './switchboard';

type Told = Readonly<Record<string, string>>;

const goodbye = (cause: Exclude<DisconnectCause, 'lost'>, told: Told): BinaryNode => {
  if (cause === 440) return element('stream:error', {}, [element('conflict', { type: 'replaced' })]);
  if (cause === 401) return element('stream:error', { code: '401' }, [element('conflict', { type: 'device_removed' })]);
  if (cause === 500 || cause === 503 || cause === 515) return element('stream:error', { code: String(cause) });
  return element('failure', { reason: String(cause), location: 'sandbox', ...told });
};

/** Ends the sockets of an account as WhatsApp does for this cause; resolves when they are closed. */
export const disconnect = async (
  switchboard: Switchboard,
  account: Account,
  { cause, told = {} }: { cause: DisconnectCause; told?: Told },
): Promise<void> => {
  const end = async (device: Device): Promise<void> => {
    const { connection } = device;
    if (cause === 401) switchboard.forget(device);
    if (!connection) return;
    if (cause === 'lost') connection.cut();
    else {
      connection.send(goodbye(cause, told));
      connection.close();
    }
    await connection.closed;
  };
  await Promise.all([...account.devices.values()].map(end));
};
