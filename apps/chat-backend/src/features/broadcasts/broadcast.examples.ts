import type { Example } from '@platform/http';

const required = (field: string) => ({ field, tag: 'required', message: `${field} is a required field` });

export const sendBroadcastExamples: readonly Example[] = [
  {
    summary: 'nothing to send to nobody',
    request: { instance: 'dev1', team: '3', nama: ' ' },
    status: 422,
    response: {
      errors: [
        required('nama'),
        { field: 'pesan', tag: 'required_without', message: 'pesan is a required field' },
        { field: 'penerima', tag: 'required_without', message: 'penerima is a required field' },
      ],
    },
  },
];

export const schedulerExamples: readonly Example[] = [
  {
    summary: 'a step that does not exist',
    request: { broadcastId: 'S1.none', aksi: 'stop' },
    status: 422,
    response: {
      errors: [{ field: 'aksi', tag: 'oneof', message: 'aksi must be one of [pause resume cancel]' }],
    },
  },
];
