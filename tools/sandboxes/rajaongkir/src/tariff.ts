import type { Place } from './places';

export interface Price {
  readonly courier: string;
  readonly name: string;
  readonly service: string;
  readonly description: string;
  readonly cost: number;
  /** Days, `2` or `2-3`. */
  readonly days: string;
}

interface Service {
  readonly service: string;
  readonly description: string;
  /** Of a kg within a city. */
  readonly base: number;
  readonly days: number;
}

const COURIERS: Readonly<Record<string, { readonly name: string; readonly services: readonly Service[] }>> = {
  jne: {
    name: 'Jalur Nugraha Ekakurir (JNE)',
    services: [
      { service: 'REG', description: 'Layanan Reguler', base: 9_000, days: 2 },
      { service: 'YES', description: 'Yakin Esok Sampai', base: 17_000, days: 1 },
    ],
  },
  pos: {
    name: 'POS Indonesia (POS)',
    services: [{ service: 'Pos Reguler', description: 'Pos Reguler', base: 8_000, days: 3 }],
  },
  tiki: {
    name: 'Citra Van Titipan Kilat (TIKI)',
    services: [{ service: 'ECO', description: 'Economy Service', base: 7_500, days: 4 }],
  },
};

/** Within a city, within a province, and beyond. */
const farOf = (from: Place, to: Place): number => {
  if (from.cityId === to.cityId) return 0;
  return from.provinceId === to.provinceId ? 1 : 2;
};

const KG = 1_000;

/** Every started kg costs the same, twice as much in another city and three times as much in another province. */
export const pricesOf = (from: Place, to: Place, weightG: number, couriers: readonly string[]): Price[] => {
  const [kg, far] = [Math.max(1, Math.ceil(weightG / KG)), farOf(from, to)];
  return couriers.flatMap((courier) => {
    const { name = '', services = [] } = COURIERS[courier] ?? {};
    return services.map(({ service, description, base, days }) => {
      const range = far === 0 ? String(days) : `${days + far - 1}-${days + far}`;
      return { ...{ courier, name, service, description }, cost: base * kg * (far + 1), days: range };
    });
  });
};
