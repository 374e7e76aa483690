import type { Example } from '@platform/http';
import { invalid } from '../../refused.examples';

export const replayExamples: readonly Example[] = [
  {
    summary: 'nothing named',
    request: {},
    status: 422,
    response: invalid('event_id', 'required_without', 'event_id is required'),
  },
];
