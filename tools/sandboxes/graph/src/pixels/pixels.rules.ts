import { isRecord, numberAt, parseJson, recordAt, textAt, type Json } from '../json.reader';

const DAY_S = 86_400;
const OLDEST_S = 7 * DAY_S;
const MOST = 1_000;
/** https://developers.facebook.com/docs/marketing-api/conversions-api/parameters/server-event */
const SOURCES: ReadonlySet<unknown> = new Set([
  ...['email', 'website', 'app', 'phone_call', 'chat', 'physical_store', 'system_generated', 'business_messaging'],
  'other',
]);
/** Customer information that has to be hashed, and that must not be. */
const HASHED = ['em', 'ph', 'fn', 'ln', 'db', 'ge', 'ct', 'st', 'zp', 'country'];
const PLAIN = ['client_ip_address', 'client_user_agent', 'fbc', 'fbp', 'external_id', 'subscription_id', 'lead_id'];
const SHA256 = /^[0-9a-f]{64}$/;

const values = (given: unknown): unknown[] => (Array.isArray(given) ? given : given === undefined ? [] : [given]);

const faultOfUser = (user: Json): string | undefined => {
  const known = [...HASHED, ...PLAIN].some((key) => values(user[key]).length > 0);
  if (!known) return 'must include at least one customer information parameter in user_data';
  const open = HASHED.find((key) => values(user[key]).some((value) => !SHA256.test(String(value))));
  return open === undefined ? undefined : `user_data.${open} must be hashed with SHA-256`;
};

const faultOfMoney = (event: Json): string | undefined => {
  const custom = recordAt(event, 'custom_data');
  if (event.event_name !== 'Purchase') return undefined;
  if (!/^[A-Z]{3}$/i.test(textAt(custom, 'currency') ?? '')) return 'custom_data.currency must be an ISO 4217 code';
  return numberAt(custom, 'value') === undefined ? 'custom_data.value is required for Purchase' : undefined;
};

const faultOfSource = (event: Json): string | undefined => {
  if (!SOURCES.has(event.action_source)) return 'action_source is missing or unknown';
  if (event.action_source !== 'website') return undefined;
  if (textAt(event, 'event_source_url') === undefined) return 'event_source_url is required for website events';
  const agent = textAt(recordAt(event, 'user_data'), 'client_user_agent');
  return agent === undefined ? 'user_data.client_user_agent is required for website events' : undefined;
};

const faultOfTime = (event: Json, now: Date): string | undefined => {
  const [at, seconds] = [numberAt(event, 'event_time'), now.getTime() / 1000];
  if (at === undefined || !Number.isInteger(at)) return 'event_time must be a Unix timestamp in seconds';
  if (at < seconds - OLDEST_S) return 'event_time is more than 7 days ago';
  return at > seconds + DAY_S ? 'event_time is in the future' : undefined;
};

/** What is wrong with an event; undefined: nothing. */
const faultOf = (event: unknown, now: Date): string | undefined => {
  if (!isRecord(event)) return 'an event must be an object';
  if (textAt(event, 'event_name') === undefined) return 'event_name is required';
  return (
    faultOfTime(event, now) ?? faultOfSource(event) ?? faultOfUser(recordAt(event, 'user_data')) ?? faultOfMoney(event)
  );
};

/** The events of a call. One that is wrong takes all others with it: a text says which and why. */
export const eventsOf = (fields: Json, now: Date): readonly Json[] | string => {
  const given = typeof fields.data === 'string' ? parseJson(fields.data) : fields.data;
  if (!Array.isArray(given) || given.length === 0 || given.length > MOST)
    return `data must be a list of 1 to ${MOST} events`;
  for (const [at, event] of given.entries()) {
    const fault = faultOf(event, now);
    if (fault !== undefined) return `data[${at}]: ${fault}`;
  }
  return given as Json[];
};
