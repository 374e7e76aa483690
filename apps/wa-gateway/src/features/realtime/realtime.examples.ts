import type { Example } from '@platform/http';
import { required } from '../../refused.examples';

/** An empty request, which misses these fields. */
export const nothingExamples = (fields: readonly string[]): readonly Example[] => [
  { summary: 'nothing at all', request: {}, status: 422, response: required(...fields) },
];
