import type { Example } from '@platform/http';
import { invalid, required } from '../../refused.examples';

export const createExamples: readonly Example[] = [
  {
    summary: 'a group of nobody',
    request: { name: 'Pelanggan setia' },
    status: 422,
    response: required('participants'),
  },
];

export const participantsExamples: readonly Example[] = [
  {
    summary: 'not a group',
    request: { group_id: 'keluarga', action: 'add', participants: ['08123456789'] },
    status: 422,
    response: invalid('group_id', 'number_format', 'number format not valid'),
  },
];
