import { catalogue } from '../../../web/i18n/catalogue';

/** Of the page of labels. */
export const labelTexts = catalogue(
  {
    title: 'Label',
    none: 'Belum ada paket. Label bisa dicetak setelah pesanan dikemas atau resinya diisi.',
    toOrder: 'Ke pesanan',
  },
  {
    title: 'Labels of',
    none: 'There is no parcel yet. A label is printed once the order is packed, or has a waybill.',
    toOrder: 'To the order',
  },
);
