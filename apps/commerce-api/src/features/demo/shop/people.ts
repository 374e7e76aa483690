import type { Address } from '../../../address.dto';
import { Chance } from './chance';

/** Somebody whom the demo shop knows. */
export interface Person {
  readonly at: number;
  readonly name: string;
  /** Digits of E.164, of nobody: there are no numbers with these beginnings. */
  readonly phone: string;
  readonly email: string | null;
  readonly address: Address;
  /** Buys for others, and much at once. */
  readonly resells: boolean;
}

const FIRST = [
  ...[
    'Adi',
    'Agus',
    'Ahmad',
    'Aisyah',
    'Anisa',
    'Ayu',
    'Bagus',
    'Bayu',
    'Bima',
    'Citra',
    'Dedi',
    'Desi',
    'Dian',
    'Dimas',
  ],
  ...[
    'Eka',
    'Fajar',
    'Fitri',
    'Galih',
    'Hendra',
    'Indah',
    'Intan',
    'Joko',
    'Kartika',
    'Lestari',
    'Lina',
    'Maya',
    'Mega',
  ],
  ...[
    'Nadia',
    'Nur',
    'Putri',
    'Rahmat',
    'Ratna',
    'Reza',
    'Rizky',
    'Sinta',
    'Siti',
    'Tari',
    'Teguh',
    'Wahyu',
    'Wulan',
    'Yoga',
  ],
] as const;
const LAST = [
  ...[
    'Anggraini',
    'Firmansyah',
    'Gunawan',
    'Hakim',
    'Handayani',
    'Hidayat',
    'Kurniawan',
    'Lubis',
    'Mahendra',
    'Maulana',
  ],
  ...['Nasution', 'Nugroho', 'Permata', 'Pratama', 'Purnomo', 'Rahayu', 'Ramadhan', 'Safitri', 'Santoso', 'Saputra'],
  ...['Setiawan', 'Simanjuntak', 'Siregar', 'Susanto', 'Utami', 'Wibowo', 'Wijaya', 'Yuliana'],
] as const;
const STREETS = [
  'Melati',
  'Mawar',
  'Kenanga',
  'Anggrek',
  'Cendana',
  'Merdeka',
  'Diponegoro',
  'Sudirman',
  'Gajah Mada',
] as const;

interface City {
  readonly city: string;
  readonly province: string;
  readonly districts: readonly [string, ...string[]];
  readonly postcode: string;
  readonly buyers: number;
}
const CITIES: readonly [City, ...City[]] = [
  {
    city: 'Jakarta Selatan',
    province: 'DKI Jakarta',
    districts: ['Tebet', 'Cilandak', 'Setiabudi'],
    postcode: '12810',
    buyers: 24,
  },
  {
    city: 'Bandung',
    province: 'Jawa Barat',
    districts: ['Coblong', 'Sukajadi', 'Lengkong'],
    postcode: '40135',
    buyers: 20,
  },
  { city: 'Bekasi', province: 'Jawa Barat', districts: ['Rawalumbu', 'Jatiasih'], postcode: '17114', buyers: 12 },
  { city: 'Depok', province: 'Jawa Barat', districts: ['Beji', 'Sukmajaya'], postcode: '16421', buyers: 10 },
  { city: 'Tangerang', province: 'Banten', districts: ['Cipondoh', 'Karawaci'], postcode: '15148', buyers: 10 },
  { city: 'Surabaya', province: 'Jawa Timur', districts: ['Gubeng', 'Rungkut'], postcode: '60281', buyers: 9 },
  {
    city: 'Yogyakarta',
    province: 'DI Yogyakarta',
    districts: ['Gondokusuman', 'Umbulharjo'],
    postcode: '55225',
    buyers: 8,
  },
  { city: 'Semarang', province: 'Jawa Tengah', districts: ['Tembalang', 'Candisari'], postcode: '50275', buyers: 6 },
  {
    city: 'Medan',
    province: 'Sumatera Utara',
    districts: ['Medan Baru', 'Medan Selayang'],
    postcode: '20154',
    buyers: 5,
  },
  {
    city: 'Denpasar',
    province: 'Bali',
    districts: ['Denpasar Selatan', 'Denpasar Barat'],
    postcode: '80225',
    buyers: 4,
  },
];

/** Cities that the shop's own courier reaches. */
export const NEAR: readonly string[] = ['Jakarta Selatan', 'Bekasi', 'Depok', 'Tangerang'];
/** The city of the second warehouse. */
export const SECOND_CITY = 'Bandung';

const PEOPLE = 140;

const addressOf = (chance: Chance, name: string, phone: string): Address => {
  const { city, province, districts, postcode } = chance.weighted(CITIES, ({ buyers }) => buyers);
  const line = `Jl. ${chance.pick(STREETS)} No. ${chance.whole(1, 120)}`;
  return { name, phone, line, district: chance.pick(districts), city, province, postcode };
};

/** The same people every time, no two with one name. */
export const people = (): Person[] => {
  const chance = new Chance('people');
  return Array.from({ length: PEOPLE }, (_, at) => {
    const name = `${FIRST[at % FIRST.length]} ${LAST[(at * 5 + Math.floor(at / FIRST.length)) % LAST.length]}`;
    const phone = `6280055${String(10_000 + at * 37)}`;
    const address = addressOf(chance, name, phone);
    const email = chance.percent(55) ? `${name.toLowerCase().replace(' ', '.')}@pelanggan.example` : null;
    return { at, name, phone, email, address, resells: at % 23 === 7 };
  });
};
