import { moneyText } from '../../messages/public';
import { noticeTexts } from '../../notifications/notices/public';
import { idOf } from '../shop/public';
import type { PlannedOrder } from './planned.types';
import type { Rows } from './rows';
import { DAY_MS, later, MINUTE_MS, type Scene } from './scene';

/** Of so many orders the owner was told; the last two they have not looked at. */
const MOST_TOLD = 5;
const UNREAD = 2;
const SAID = [
  'Stok topi di gudang Bandung tinggal sedikit, tolong dicek ya.',
  'Sudah saya hitung, besok pagi saya kirim dari gudang utama.',
  'Siap, terima kasih!',
];

const addNotices = (
  rows: Rows,
  { storeId, currency, staff: [owner] }: Scene,
  orders: readonly PlannedOrder[],
): void => {
  const [title, bodyOf] = noticeTexts['order.created'].id;
  const last = orders.toSorted((one, other) => other.at.getTime() - one.at.getTime()).slice(0, MOST_TOLD);
  last.forEach(({ id, number, at, totals }, nth) => {
    const body = bodyOf({ number, amount: moneyText(totals.total, currency) });
    rows.add('notification', {
      ...{ store_id: storeId, id: idOf(storeId, 'notification', id), user_id: owner.id },
      ...{ notice_id: id, event: 'order.created', title, body, url: `/orders/${id}`, in_app: true },
      ...{ read_at: nth < UNREAD ? null : later(at, 10 * MINUTE_MS), created_at: at },
    });
  });
};

const addRoom = (rows: Rows, { storeId, staff, now }: Scene): void => {
  const [of, id, at] = [{ store_id: storeId }, idOf(storeId, 'room', 'Gudang'), later(now, -DAY_MS)];
  const times = { created_at: at, updated_at: at };
  rows.add('staff_room', { ...of, id, name: 'Gudang', created_by: staff[0].id, ...times });
  for (const { id: user_id } of staff) rows.add('staff_room_member', { ...of, room_id: id, user_id });
  SAID.forEach((text, nth) => {
    const writer = staff[nth % staff.length] ?? staff[0];
    rows.add('staff_message', {
      ...{ ...of, id: idOf(storeId, 'staff message', String(nth)), room_id: id, user_id: writer.id, text },
      ...{ media_id: null, created_at: later(at, nth * 7 * MINUTE_MS) },
    });
  });
};

/** What the owner was told of the last orders, and what the staff tell each other. */
export const addTold = (rows: Rows, scene: Scene, orders: readonly PlannedOrder[]): void => {
  addNotices(rows, scene, orders);
  addRoom(rows, scene);
};
