import type { Sql } from '@platform/data';
import { limits } from '../../limits';
import type { ChatCopies } from '../chat/copies/public';
import { insertDevice, type DeviceRow } from './devices.sql';

/** Part of the `seed` command: a device whose session the gateway has already. */
export const seedDevice = async (
  tx: Sql,
  copies: ChatCopies,
  { storeId, at }: { readonly storeId: string; readonly at: Date },
  row: DeviceRow,
): Promise<void> => {
  await limits.upTo(tx, storeId, 'devices', 1);
  await insertDevice(tx, { storeId, actor: 'seed', at }, row);
  await copies.touched(tx, storeId, 'devices', [row.instance_id]);
};
