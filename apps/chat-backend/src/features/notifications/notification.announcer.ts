import { chatRooms } from '@platform/contracts';
import type { Emitter } from '@platform/realtime';
import type { Coalescer } from '@platform/runtime';
import type { NotifStruct } from './notification.dto';
import type { NotificationEvents } from './notification.events';

/** A notification that a statement wrote, and whose it is. */
export interface Notified {
  readonly store: string;
  readonly user: string;
  readonly notif: { readonly type: string };
}

export interface NotifiedUser {
  readonly store: string;
  readonly user: string;
}

export interface UserTotals extends NotifiedUser {
  readonly total: number;
  readonly unread: number;
}

/** Tells users of their notifications after the commit; their counters follow, at most once a second each. */
export class NotificationAnnouncer {
  constructor(
    private readonly sockets: Emitter<NotificationEvents>,
    private readonly counters: Pick<Coalescer<NotifiedUser>, 'add'>,
  ) {}

  /** Null or nothing: nobody was notified. */
  notified(rows: readonly Notified[] | null | undefined): void {
    for (const { store, user, notif } of rows ?? []) {
      this.sockets.emit(chatRooms.user(store, user), 'notif', notif as NotifStruct);
      this.countsChanged(store, user);
    }
  }

  countsChanged(store: string, user: string): void {
    this.counters.add({ store, user });
  }
}

export const emitTotals = (sockets: Emitter<NotificationEvents>, rows: readonly UserTotals[]): void => {
  for (const { store, user, total, unread } of rows)
    sockets.emit(chatRooms.user(store, user), 'totalNotif', { total, unread });
};
