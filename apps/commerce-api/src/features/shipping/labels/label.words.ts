const id = {
  from: 'Dari',
  to: 'Kepada',
  order: 'Pesanan',
  weight: 'Berat',
  collect: 'Bayar di tempat (COD)',
  more: 'lainnya',
};

type Words = Readonly<Record<keyof typeof id, string>>;

const en: Words = {
  from: 'From',
  to: 'To',
  order: 'Order',
  weight: 'Weight',
  collect: 'Cash on delivery (COD)',
  more: 'more',
};

/** What a label says in the languages of stores. */
export const labelWords: Readonly<Record<'id' | 'en', Words>> = { id, en };
