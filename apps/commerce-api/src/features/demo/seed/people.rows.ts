import { standingOf } from './order.rows';
import type { PlannedOrder } from './planned.types';
import { DAY_MS, HOUR_MS, later, type Scene } from './scene';
import { Chance, idAt, idOf, type Person, tags } from '../shop/public';
import type { Rows } from './rows';

/** Who has spent so much is a VIP, in rupiah. */
const MUCH = 2_500_000;
const NOTES = [
  'Suka dikirim sore hari.',
  'Minta warna gelap kalau ada.',
  'Pelanggan lama, ramah.',
  'Alamat kantor, jam 9 sampai 5.',
] as const;

interface Known {
  readonly person: Person;
  /** Those that count: not the cancelled ones. */
  readonly orders: readonly PlannedOrder[];
  /** The first time that the shop heard of them. */
  readonly at: Date;
  readonly chance: Chance;
  readonly bought: boolean;
}

const spentBy = (orders: readonly PlannedOrder[]): number =>
  orders.reduce((sum, order) => sum + standingOf(order).paid, 0);

const tagsOf = ({ person, orders, chance, at }: Known, now: Date): string[] => [
  ...(spentBy(orders) >= MUCH ? ['VIP'] : []),
  ...(person.resells ? ['Reseller'] : []),
  ...(chance.percent(14) ? ['Komunitas lari'] : []),
  ...(orders.length === 1 && at > later(now, -14 * DAY_MS) ? ['Pelanggan baru'] : []),
];

/** The people whom the shop knows, as what they have bought makes them. */
export class PeopleRows {
  constructor(
    private readonly rows: Rows,
    private readonly scene: Scene,
  ) {}

  add(people: readonly Person[], orders: readonly PlannedOrder[]): void {
    const { storeId, now, days } = this.scene;
    const since = later(now, -(days + 2) * DAY_MS);
    for (const [name, color] of tags)
      this.rows.add('tag', {
        store_id: storeId,
        id: idOf(storeId, 'tag', name),
        name,
        color,
        created_at: since,
        updated_at: since,
      });
    for (const person of people) {
      const own = orders.filter((order) => order.person === person);
      const chance = new Chance(`${storeId}/person/${person.at}`);
      const asked = later(now, -chance.whole(1, days * 20) * HOUR_MS);
      const at = own[0] ? own[0].at : asked;
      const counted = own.filter((order) => standingOf(order).status !== 'cancelled');
      this.addOne({ person, orders: counted, at, chance, bought: own.length > 0 });
    }
  }

  private addOne(known: Known): void {
    const { person, orders, at, chance, bought } = known;
    const { storeId, now } = this.scene;
    const [of, id] = [{ store_id: storeId }, idOf(storeId, 'contact', person.phone)];
    const last = orders.at(-1);
    const changed = last ? standingOf(last).last.at : at;
    const { at: index, name, email, phone, address } = person;
    this.rows.add('contact_phone', { ...of, phone, contact_id: id, is_main: true, created_at: at });
    this.rows.add('contact', {
      ...{
        ...of,
        id,
        name,
        email,
        birthday: chance.percent(20)
          ? `${chance.whole(1975, 2004)}-0${chance.whole(1, 9)}-1${chance.whole(0, 9)}`
          : null,
      },
      ...{ source: bought ? 'order' : chance.pick(['chat', 'import']), custom: {}, blocked: index === 131 },
      ...{ block_reason: index === 131 ? 'Pesanan palsu berulang' : null, opted_out_at: index % 29 === 17 ? at : null },
      ...{ orders_count: orders.length, spent: spentBy(orders), last_order_at: last?.at ?? null },
      ...{ search_text: [name, email, phone].filter(Boolean).join(' ').toLowerCase(), version: changed.getTime() },
      ...{ created_at: at, updated_at: changed },
    });
    const times = { created_at: at, updated_at: at };
    if (bought || chance.percent(40))
      this.rows.add('contact_address', { ...of, id: idAt(at, `${id}/address`), contact_id: id, address, ...times });
    if (chance.percent(12))
      this.rows.add('contact_note', {
        ...of,
        id: idAt(changed, `${id}/note`),
        contact_id: id,
        text: chance.pick(NOTES),
        author: this.scene.staff[0].id,
        created_at: changed,
      });
    for (const tag of tagsOf(known, now))
      this.rows.add('contact_tag', { ...of, contact_id: id, tag_id: idOf(storeId, 'tag', tag) });
  }
}
