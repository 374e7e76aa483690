import type { Cache, Database, Sql } from '@platform/data';
import { InvalidInput, NotFound, TooMany } from '@platform/errors';
import type { Clock, Logger } from '@platform/runtime';
import type { By } from '../../../by';
import type { Queue } from '../../../jobs';
import { collectOnDelivery } from '../../sales/collecting/public';
import { fulfil, lockOrder } from '../../sales/orders/public';
import { moveShipment } from '../parcels/public';
import { TRACKING } from '../askers';
import type { Tracked, WaybillAsked } from '../port';
import { kept } from '../quiet.cache';
import type { SharedProvider } from '../shared.provider';
import type { Tracking, WaybillQuestion } from './tracking.dto';
import { doubtOf } from './doubts';
import { addLines, courierOf, DUE, parcelOnItsWay, postpone, writeDoubt, writeReceived } from './tracking.sql';

export interface ParcelsParts {
  readonly database: Pick<Database, 'tx'> & Sql;
  readonly clock: Clock;
  readonly queue: Queue;
  readonly logger: Logger;
  readonly cache: Pick<Cache, 'get' | 'set'>;
  readonly provider: SharedProvider;
}

const ACTOR = 'shipment.track';
/** Of the number of a buyer who was erased fewer are left, behind asterisks. */
const LAST_DIGITS = /\d{5}$/;
/** Whoever asks again and again gets what the courier said a moment ago. */
const ANSWER_SECONDS = 300;

const shown = (courier: string, waybill: string, tracked: Tracked): Tracking => ({
  ...{ courier, waybill, status: tracked.status, delivered: tracked.delivered },
  ...{ received_by: tracked.receivedBy, received_at: tracked.receivedAt, events: [...tracked.events] },
});

/** Where parcels are. */
export class Parcels {
  constructor(private readonly parts: ParcelsParts) {}

  /** Asks the courier now. Throws `InvalidInput` when nobody says who it is, `NotFound` when it does not know the waybill. */
  async ask(storeId: string, { waybill, courier: given, phone_last: phoneLast }: WaybillQuestion): Promise<Tracking> {
    const { database, provider } = this.parts;
    const courier = given?.toLowerCase() ?? (await courierOf(database, storeId, waybill));
    if (courier === undefined)
      throw new InvalidInput([
        { field: 'courier', tag: 'required', message: 'courier is needed for a waybill that is none of the store' },
      ]);
    const key = `track ${JSON.stringify([provider.name, courier, waybill, phoneLast ?? null])}`;
    const tracked = await kept(this.parts, key, ANSWER_SECONDS, async () => {
      const found = await provider.of(storeId).track({ courier, waybill, phoneLast });
      if (found) return found;
      throw new NotFound('Waybill not found');
    });
    return shown(courier, waybill, tracked);
  }

  /** Has couriers asked about the parcels whose time has come, each once however many processes do it. */
  async due(signal?: AbortSignal): Promise<void> {
    const { database, clock, queue } = this.parts;
    const round = () =>
      database.tx(async (tx) => {
        const due = await tx.query<{ store_id: string; id: string }>(DUE, [clock.now()]);
        for (const { store_id: storeId, id } of due)
          await queue.enqueue(tx, 'shipment.track', { storeId, id }, { key: `track:${storeId}:${id}` });
        return due.length;
      });
    while (!signal?.aborted && (await round()) > 0);
  }

  /** Asks the courier of one parcel, later where the store has asked too often, and writes down what is new; what has arrived is delivered, once, and paid where it is paid there. */
  async track(storeId: string, id: string): Promise<void> {
    const { database, clock, logger } = this.parts;
    const parcel = await parcelOnItsWay(database, storeId, id);
    if (!parcel) return;
    const { courier, waybill, phone, order_id: orderId } = parcel;
    const phoneLast = LAST_DIGITS.exec(phone?.replace(/[^\d*]/g, '') ?? '')?.[0];
    const tracked = await this.heard(storeId, { courier, waybill, phoneLast });
    if (tracked === 'postponed') return postpone(database, { storeId, actor: ACTOR, at: clock.now() }, id);
    if (!tracked) return logger.info('a courier does not know a waybill yet', { storeId, shipment: id });
    await database.tx((tx) => this.write(tx, { storeId, id, orderId, waybill }, tracked));
  }

  /** `postponed`: the store has asked so often that this parcel has to wait. */
  private async heard(storeId: string, asked: WaybillAsked): Promise<Tracked | 'postponed' | undefined> {
    const { provider, logger } = this.parts;
    try {
      return await provider.of(storeId, TRACKING).track(asked);
    } catch (failure) {
      if (!(failure instanceof TooMany)) throw failure;
      logger.info('a parcel is asked about later', { storeId, failure });
      return 'postponed';
    }
  }

  private async write(
    tx: Sql,
    { storeId, id, orderId, waybill }: { storeId: string; id: string; orderId: string; waybill: string },
    tracked: Tracked,
  ): Promise<void> {
    const by = { storeId, actor: ACTOR, at: this.parts.clock.now() };
    await lockOrder(tx, storeId, orderId);
    // Meanwhile it may have arrived, or have another waybill
    const parcel = await parcelOnItsWay(tx, storeId, id);
    if (parcel?.waybill !== waybill) return;
    const doubt = doubtOf(parcel, tracked);
    if (!doubt?.isOther) await addLines(tx, storeId, id, tracked);
    if (doubt) return writeDoubt(tx, by, id, doubt.text);
    if (tracked.returned) return this.writeReturned(tx, by, { id, orderId, waybill });
    if (!tracked.delivered) return;
    await writeReceived(tx, by, id, tracked);
    await moveShipment(tx, by, id, { status: 'delivered' });
    await fulfil(tx, by, orderId, { type: 'delivered', text: tracked.receivedBy ?? '' });
    await collectOnDelivery(tx, by, orderId);
  }

  /** Its buyer never had it: nobody has paid for it, and its goods are booked by whoever unpacks them. */
  private async writeReturned(
    tx: Sql,
    by: By,
    { id, orderId, waybill }: { readonly id: string; readonly orderId: string; readonly waybill: string },
  ): Promise<void> {
    await moveShipment(tx, by, id, { status: 'returned' });
    await fulfil(tx, by, orderId, { type: 'returned', text: waybill });
  }
}
