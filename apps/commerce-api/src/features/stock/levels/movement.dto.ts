import { Choice, Int, Text } from '@platform/validation';
import type { By } from '../../../by';
import type { BookedAs, Booked } from './bookings';

export const movementReasons = [
  'adjust',
  'damage',
  'found',
  'reserve',
  'release',
  'sale',
  'return',
  'transfer_out',
  'transfer_in',
  'count',
] as const;

/** One change of a level; it is never changed itself. */
export class Movement {
  @Text({ format: 'uuid' }) id!: string;
  @Text({ format: 'instant' }) at!: string;
  @Text({ format: 'uuid' }) variant_id!: string;
  @Text({ format: 'uuid' }) warehouse_id!: string;
  @Int() delta_on_hand!: number;
  @Int() delta_reserved!: number;
  @Choice(movementReasons) reason!: (typeof movementReasons)[number];
  @Text({ nullable: true, description: 'What it belongs to: `order:<id>`, `shipment:<id>`, `transfer:<id>`' }) ref!:
    string | null;
  @Text({ description: 'User id, or `svc:<client>`' }) actor!: string;
  @Text({ nullable: true }) note!: string | null;
}

/** A booking as its movement was written. */
export const movementOf =
  ({ actor, at }: By, { reason, ref, note }: BookedAs) =>
  ({ id, variant_id, warehouse_id, delta }: Booked): Movement => ({
    ...{ id, at: at.toISOString(), variant_id, warehouse_id, delta_on_hand: delta, delta_reserved: 0 },
    ...{ reason, ref: ref ?? null, actor, note: note ?? null },
  });
