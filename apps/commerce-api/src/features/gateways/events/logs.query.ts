import { Choice, Text } from '@platform/validation';

export const logKinds = ['activity', 'logins', 'payments'] as const;
export type LogKind = (typeof logKinds)[number];

/** Which records are looked at, and from where on. */
export class LogsAsked {
  @Choice(logKinds, { optional: true }) kind?: LogKind;
  @Text({ optional: true, max: 64, description: 'The ability that was used' }) action?: string;
  @Text({ optional: true, max: 500 }) cursor?: string;
}
