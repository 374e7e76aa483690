import { idOf } from '../shop/public';
import { DAY_MS, later, type Scene } from './scene';
import type { Chronicle } from './order.rows';
import type { Row } from './rows';

const CITY = { city: 'Jakarta Selatan', province: 'DKI Jakarta' };
const SHOP = { line: 'Jl. Tebet Raya No. 24', district: 'Tebet', ...CITY, postcode: '12810' };
const SECOND = {
  line: 'Jl. Dago No. 101',
  district: 'Coblong',
  city: 'Bandung',
  province: 'Jawa Barat',
  postcode: '40135',
};
/** The number that the shop's device has in the demo. */
const PHONE = '628110000001';
const HOURS = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, open: day === 0 ? '10:00' : '08:00', close: '20:00' }));

export const openedAt = ({ now, days }: Scene): Date => later(now, -(days + 5) * DAY_MS);

/** The two warehouses of the shop. */
export const premisesOf = (scene: Scene, { main, second }: Chronicle['warehouses']): Row[] => {
  const at = { created_at: openedAt(scene), updated_at: openedAt(scene) };
  const of = { store_id: scene.storeId, phone: PHONE, status: 'active', ...at };
  return [
    { ...of, id: main, name: 'Gudang utama', address: SHOP, is_default: true },
    { ...of, id: second, name: 'Gudang Bandung', address: SECOND, is_default: false },
  ];
};

/** Who stands behind the shop; the numbers are nobody's. */
export const identityOf = ({ storeId, staff: [owner] }: Scene) => ({
  id: idOf(storeId, 'identity', 'person'),
  data: {
    ...{ full_name: owner?.name ?? 'Sari', national_id: '0000000000000000', birth_date: '1990-05-17' },
    address: [SHOP.line, SHOP.district, SHOP.city].join(', '),
  },
});

/** What the shop tells of itself. */
export const STORE_TELLS = {
  text: `UPDATE store SET description = $2, phone = $3, address = $4, hours = $5, created_at = $6, updated_at = $6
    WHERE store_id = $1`,
  values: (scene: Scene): unknown[] => [
    ...[scene.storeId, 'Perlengkapan olahraga harian: sepatu, kaos dan aksesoris.', PHONE],
    ...[JSON.stringify(SHOP), JSON.stringify(HOURS), openedAt(scene)],
  ],
};
