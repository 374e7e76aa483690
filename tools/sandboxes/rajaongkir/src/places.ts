/** A district, and one part of it as the search knows it. The two have numbers of their own. */
export interface Place {
  readonly provinceId: string;
  readonly province: string;
  readonly cityId: string;
  readonly city: string;
  readonly districtId: string;
  readonly district: string;
  readonly searchId: string;
  readonly subdistrict: string;
  readonly postcode: string;
}

const TABLE: readonly (readonly [string, string, string, string, string])[] = [
  ['Jawa Barat', 'Bandung', 'Coblong', 'Dago', '40135'],
  ['Jawa Barat', 'Bandung', 'Cicendo', 'Arjuna', '40172'],
  ['Jawa Barat', 'Bandung', 'Sukajadi', 'Pasteur', '40161'],
  ['Jawa Barat', 'Cimahi', 'Cimahi Utara', 'Cibabat', '40513'],
  ['DKI Jakarta', 'Jakarta Pusat', 'Menteng', 'Cikini', '10330'],
  ['DKI Jakarta', 'Jakarta Selatan', 'Tebet', 'Tebet Barat', '12810'],
  ['DI Yogyakarta', 'Sleman', 'Depok', 'Caturtunggal', '55281'],
  ['Jawa Timur', 'Surabaya', 'Gubeng', 'Airlangga', '60286'],
  ['Bali', 'Denpasar', 'Denpasar Selatan', 'Sanur', '80228'],
  ['Papua', 'Jayapura', 'Abepura', 'Kota Baru', '99351'],
];

const numberOf = (names: readonly string[], name: string, from: number): string => String(from + names.indexOf(name));
const distinct = (column: 0 | 1): string[] => [...new Set(TABLE.map((row) => row[column]))];

export const PLACES: readonly Place[] = TABLE.map(([province, city, district, subdistrict, postcode], at) => ({
  ...{ province, city, district, subdistrict, postcode },
  provinceId: numberOf(distinct(0), province, 1),
  cityId: numberOf(distinct(1), city, 101),
  districtId: String(1_001 + at),
  searchId: String(50_001 + at),
}));

/** As the search writes it. */
export const labelOf = ({ subdistrict, district, city, province, postcode }: Place): string =>
  [subdistrict, district, city, province, postcode].join(', ').toUpperCase();

/** Those in whose label every word of the text begins a word. */
export const found = (text: string): Place[] => {
  const words = text
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  return PLACES.filter((place) => {
    const names = labelOf(place).split(/[\s,]+/);
    return words.every((word) => names.some((name) => name.startsWith(word)));
  });
};
