import type { Example } from '@platform/http';
import { required } from '../../refused.examples';

export const markReadExamples: readonly Example[] = [
  { summary: 'no chat', request: {}, status: 422, response: required('number') },
];

export const typingExamples: readonly Example[] = [
  { summary: 'neither on nor off', request: { number: '08123456789' }, status: 422, response: required('on') },
];
