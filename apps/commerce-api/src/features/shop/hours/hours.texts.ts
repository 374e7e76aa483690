import { catalogue } from '../../../web/i18n/catalogue';

/** Of the inputs for the hours of a week. */
export const hoursTexts = catalogue(
  {
    days: { 0: 'Minggu', 1: 'Senin', 2: 'Selasa', 3: 'Rabu', 4: 'Kamis', 5: 'Jumat', 6: 'Sabtu' },
    open: ({ day }: { day: string }) => `${day} buka`,
    close: ({ day }: { day: string }) => `${day} tutup`,
    round: 'Buka 24 jam: tulis jam yang sama dua kali. Lewat tengah malam: 20.00 sampai 02.00.',
  },
  {
    days: { 0: 'Sunday', 1: 'Monday', 2: 'Tuesday', 3: 'Wednesday', 4: 'Thursday', 5: 'Friday', 6: 'Saturday' },
    open: ({ day }) => `${day} from`,
    close: ({ day }) => `${day} until`,
    round: 'Open all day: the same time twice. Past midnight: from 20:00 until 02:00.',
  },
);
