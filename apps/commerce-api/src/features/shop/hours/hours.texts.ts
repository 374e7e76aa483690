import { catalogue } from '../../../web/i18n/catalogue';

/** Of the inputs for the hours of a week. */
export const hoursTexts = catalogue(
  {
    days: { 0: 'Minggu', 1: 'Senin', 2: 'Selasa', 3: 'Rabu', 4: 'Kamis', 5: 'Jumat', 6: 'Sabtu' },
    open: ({ day }: { day: string }) => `${day} buka`,
    close: ({ day }: { day: string }) => `${day} tutup`,
  },
  {
    days: { 0: 'Sunday', 1: 'Monday', 2: 'Tuesday', 3: 'Wednesday', 4: 'Thursday', 5: 'Friday', 6: 'Saturday' },
    open: ({ day }) => `${day} from`,
    close: ({ day }) => `${day} until`,
  },
);
