/** A pattern of what differs between runs, and the placeholder for the nth different match. */
export type StandIn = readonly [found: RegExp, standIn: (nth: number, text: string) => string];

/** 2026-03-01T08:00:00Z, in seconds. */
const MOMENT = 1_772_352_000;
const padded = (nth: number, length: number): string => String(nth).padStart(length, '0');

/** The first that matches at a position wins. */
const STAND_INS: readonly StandIn[] = [
  [
    /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/,
    (nth) => `0199f7a0-0000-7000-8000-${padded(nth, 12)}`,
  ],
  [/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z/, () => '2026-03-01T08:00:00.000Z'],
  [/\d{4}-\d{2}-\d{2} \d{2}:\d{2}/, () => '2026-03-01 15:00'],
  [/\b3(?:EB0|A)[0-9A-F]{18}\b/, (nth, id) => id.slice(0, -18) + padded(nth, 18)],
  [/\b(?=[0-9a-f]*[a-f])[0-9a-f]{16,}\b/, (nth, { length }) => padded(nth, length)],
  [/\b127\.0\.0\.1:\d+/, () => '127.0.0.1:3002'],
  [/\b1[789]\d{8}\b/, () => String(MOMENT)],
];

const TOKEN = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;
/** Fields with content that must not be shown, even from a test, or that nobody can read. */
const HIDDEN = /(token|secret|password|otp|otpauth_url|challenge|sid|recovery_codes?|cursor|^code|^qr|^qrcode)$/i;
const READABLE = /^\d{0,4}$/;

/** An instant becomes the fixed one, a measured duration 1; other numbers stay. */
const steadyNumber = (value: number, name: string): number => {
  if (name === 'latency_ms') return 1;
  const seconds = value > MOMENT * 500 ? value / 1000 : value;
  return seconds > MOMENT * 0.9 && seconds < MOMENT * 2 ? (seconds === value ? MOMENT : MOMENT * 1000) : value;
};

/** One name per different text, in order of appearance. */
const naming = (standIns: readonly StandIn[]): ((text: string) => string) => {
  const known = standIns.map(() => new Map<string, string>());
  const any = new RegExp(standIns.map(([{ source }]) => `(${source})`).join('|'), 'g');
  return (text) =>
    text.replace(any, (found: string, ...groups: (string | undefined)[]) => {
      const kind = groups.findIndex((group) => group !== undefined);
      const names = known[kind] as Map<string, string>;
      const name = names.get(found) ?? (standIns[kind] as StandIn)[1](names.size + 1, found);
      names.set(found, name);
      return name;
    });
};

export interface Steadied {
  /** What only one service has; the expressions must not capture. */
  readonly own?: readonly StandIn[];
  /** Names of fields that are shown although others hide a secret under them. */
  readonly shown?: readonly string[];
}

/**
 * Makes copies that are the same in every run and show no secret: ids are numbered in the order of their appearance, so that those
 * that were equal stay equal, in one copy and in all of them, instants become one instant, and tokens, passwords and cursors are
 * `<name of the field>`.
 */
export const steadily = ({ own = [], shown = [] }: Steadied = {}): ((value: unknown) => unknown) => {
  const named = naming([...own, ...STAND_INS]);
  const hides = (name: string, leaf: string): boolean =>
    TOKEN.test(leaf) || (HIDDEN.test(name) && !shown.includes(name) && !READABLE.test(leaf));
  const copy = (inner: unknown, name: string): unknown => {
    if (typeof inner === 'string') return hides(name, inner) ? `<${name}>` : named(inner);
    if (typeof inner === 'number') return steadyNumber(inner, name);
    if (Array.isArray(inner)) return inner.map((item) => copy(item, name));
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, item]) => [key, copy(item, key)]));
  };
  return (value) => copy(JSON.parse(JSON.stringify(value)), '');
};

/** One such copy. */
export const steady = (value: unknown, own: readonly StandIn[] = []): unknown => steadily({ own })(value);
