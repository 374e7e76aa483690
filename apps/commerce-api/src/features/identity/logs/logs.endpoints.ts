import { cursorPage, type Endpoint } from '@platform/http';
import { endpoint } from '../../../endpoint';
import { refusals } from '../../../refusals';
import { LogEntry, LoginsAnswer, LoginsQuery, LogsQuery } from './logs.dto';
import { activityExamples, loginExamples } from './logs.examples';
import type { LogsService } from './logs.service';

const tag = 'Authentication and user';

export const logsEndpoints = (logs: LogsService): Endpoint[] => [
  endpoint({
    get: '/api/logs',
    summary: 'What was done in the store, and by whom',
    tag,
    guard: 'logs.read',
    query: LogsQuery,
    reply: cursorPage(LogEntry),
    refuses: [],
    examples: activityExamples,
    handle: ({ caller, query }) => logs.activity(caller.storeId, query),
  }),
  endpoint({
    get: '/api/logs/login',
    summary: 'My logins, with device and address',
    tag,
    guard: 'logs.read',
    query: LoginsQuery,
    reply: LoginsAnswer,
    refuses: [refusals.tokenNotAllowed, 'upstreamFailed'],
    examples: loginExamples,
    handle: ({ caller, query }) => logs.logins(caller, query.cursor),
  }),
];
