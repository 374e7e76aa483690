import type { Example } from '@platform/http';
import { invalid, required } from '../../refused.examples';

export const sendMediaExamples: readonly Example[] = [
  {
    summary: 'no file',
    request: { number: '08123456789', type: 'image' },
    status: 422,
    response: required('file'),
  },
  {
    summary: 'no such type',
    request: { number: '08123456789', type: 'hologram', url: 'https://shop.example/a.jpg' },
    status: 422,
    response: invalid('type', 'oneof'),
  },
];

export const sendLocationExamples: readonly Example[] = [
  {
    summary: 'beyond the pole',
    request: { number: '08123456789', latitude: '90.1', longitude: '106.8' },
    status: 422,
    response: invalid('latitude', 'max'),
  },
];

export const sendMessageExamples: readonly Example[] = [
  {
    summary: 'no pesan_id',
    request: { role: 'agent', data: {} },
    status: 422,
    response: required('pesan_id'),
  },
  {
    summary: 'nothing to send',
    request: { pesan_id: 'P-1', role: 'agent', data: { number: '08123456789' } },
    status: 422,
    response: required('text'),
  },
  {
    summary: 'not a number',
    request: { pesan_id: 'P-1', role: 'agent', data: { number: 'Budi', text: 'Halo' } },
    status: 422,
    response: invalid('number', 'number_format', 'number format not valid'),
  },
  {
    summary: 'sockets only',
    request: { pesan_id: 'P-1', role: 'agent', data: { note: 'seen' } },
    status: 200,
    response: {
      success: true,
      message: 'success send message',
      data: { pesan_id: 'P-1', role: 'agent', status: null, delivery: 'realtime', clients: 0 },
    },
  },
];
