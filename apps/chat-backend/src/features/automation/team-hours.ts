/** One opening of a team; `day` counts from Sunday (0), `close` before `open` runs into the next day. */
export interface Opening {
  readonly day: number;
  readonly open: string;
  readonly close: string;
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

const isOpening = (value: unknown): value is Opening => {
  const { day, open, close } = (value ?? {}) as Partial<Opening>;
  return typeof day === 'number' && typeof open === 'string' && typeof close === 'string';
};

const covers = ({ day, open, close }: Opening, today: number, time: string): boolean =>
  open < close
    ? day === today && open <= time && time < close
    : (day === today && open <= time) || ((day + 1) % 7 === today && time < close);

/** Whether a team works at this moment in the store's time zone. A team without hours always does. */
export const isWithinHours = (hours: unknown, timeZone: string, now: Date): boolean => {
  const openings = Array.isArray(hours) ? hours.filter(isOpening) : [];
  if (openings.length === 0) return true;
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).formatToParts(now);
  const part = (type: string): string => parts.find((one) => one.type === type)?.value ?? '';
  const today = DAYS.indexOf(part('weekday'));
  return openings.some((opening) => covers(opening, today, `${part('hour')}:${part('minute')}`));
};
