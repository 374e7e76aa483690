import { catalogue } from '../../../web/i18n/catalogue';

/** Of what somebody was told. */
export const noteTexts = catalogue(
  {
    title: 'Pemberitahuan saya',
    what: 'Kabar',
    text: 'Isi',
    at: 'Waktu',
    unread: 'Belum dibaca',
    isNew: 'Baru',
    actions: 'Tindakan',
    read: 'Tandai dibaca',
    readAll: 'Tandai semua dibaca',
    allRead: 'Semua ditandai dibaca.',
    choose: 'Atur pemberitahuan',
    none: 'Belum ada pemberitahuan. Kabar tentang pesanan, stok, dan uang akan tampil di sini.',
  },
  {
    title: 'My notifications',
    what: 'News',
    text: 'What it says',
    at: 'Time',
    unread: 'Unread',
    isNew: 'New',
    actions: 'Actions',
    read: 'Mark as read',
    readAll: 'Mark all as read',
    allRead: 'All are marked as read.',
    choose: 'Choose how you are told',
    none: 'No notifications yet. News of orders, stock and money will be seen here.',
  },
);
