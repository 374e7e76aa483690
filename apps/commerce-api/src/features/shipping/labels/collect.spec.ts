import { collectOf, type Packed, type SentGoods } from './collect';

/** The same numbers for the same seed. */
const random = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
};

/** An order whose goods are packed, unpacked and sent in some order until nothing is left; tells of every parcel what it collected when it left. */
const history = (seed: number, { unpacks }: { readonly unpacks: boolean }) => {
  const below = random(seed);
  const goods: SentGoods[] = Array.from({ length: 1 + below(3) }, (_, at) => ({
    ...{ id: `g${at}`, amount: below(50_000), qty: 1 + below(4) },
  }));
  const money = { total: goods.reduce((sum, { amount }) => sum + amount, below(20_000)), paid_total: 0 };
  const parcels: { -readonly [Name in keyof Packed]: Packed[Name] }[] = [];
  let events = 0;
  const next = (): string => String((events += 1)).padStart(6, '0');
  const inParcels = (id: string): number =>
    parcels.reduce((sum, { pieces, cancelled }) => sum + (cancelled === null ? (pieces[id] ?? 0) : 0), 0);
  const waiting = () => parcels.filter(({ left, cancelled }) => left === null && cancelled === null);
  const told = new Map<string, number>();
  const amount = (id: string): number => collectOf(money, { goods, parcels }, id);
  for (let step = 0; goods.some(({ id, qty }) => inParcels(id) < qty) || waiting().length > 0; step += 1) {
    const [open] = goods.filter(({ id, qty }) => inParcels(id) < qty);
    const some = waiting()[below(Math.max(1, waiting().length))];
    const wish = below(unpacks && step < 40 ? 3 : 2);
    if (open && (wish === 0 || !some)) {
      const pieces = { [open.id]: 1 + below(open.qty - inParcels(open.id)) };
      parcels.push({ id: next(), pieces, left: null, cancelled: null });
    } else if (some && wish === 2) some.cancelled = next();
    else if (some) {
      told.set(some.id, amount(some.id));
      some.left = next();
    }
  }
  return { ...{ goods, money, parcels, told }, amount };
};
const SEEDS = Array.from({ length: 300 }, (_, at) => at + 1);

describe('what the parcels of an order collect', () => {
  it('is together what it costs, whatever was unpacked and packed anew between them', () => {
    for (const seed of SEEDS) {
      const { money, told } = history(seed, { unpacks: true });
      expect([seed, [...told.values()].reduce((sum, each) => sum + each, 0)]).toEqual([seed, money.total]);
    }
  });

  it('is soon told of thousands, in the order in which they were packed', () => {
    const packed = Array.from({ length: 5_000 }, (_, at): Packed => {
      const id = String(at).padStart(6, '0');
      return { id, pieces: { g: 1 }, left: at === 0 ? '900000' : null, cancelled: at === 1 ? '900001' : null };
    });
    const parcels = { goods: [{ id: 'g', amount: 49_990, qty: 4_999 }], parcels: packed };
    const amounts = [0, 2, 4_999].map((at) =>
      collectOf({ total: 59_990, paid_total: 0 }, parcels, packed[at]?.id ?? ''),
    );
    expect(amounts).toEqual([10_010, 10, 10]);
  });

  it('is for each that has left what it was when it left', () => {
    for (const seed of SEEDS) {
      const { told, amount } = history(seed, { unpacks: true });
      expect([seed, ...[...told].map(([id]) => amount(id))]).toEqual([seed, ...told.values()]);
    }
  });
});
