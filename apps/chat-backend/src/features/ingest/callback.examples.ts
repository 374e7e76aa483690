import type { Example } from '@platform/http';
import { callbackRefusals } from '@platform/contracts';

export const callbackExamples: readonly Example[] = [
  {
    summary: 'result false',
    request: { result: false },
    status: 200,
    response: { result: false, message: callbackRefusals.resultFalse },
  },
  {
    summary: 'status without id',
    request: { result: true, report: true, instanceID: 'dev1', number: '628@s.whatsapp.net' },
    status: 200,
    response: { result: false, message: callbackRefusals.missingFields },
  },
  {
    summary: 'bare number',
    request: { result: true, report: true, instanceID: 'dev1', number: '6281234567890', id: 'A', status: 'sent' },
    status: 200,
    response: { result: false, message: callbackRefusals.invalidNumber },
  },
];
