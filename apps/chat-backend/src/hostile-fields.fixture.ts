import { uuidv7 } from '@platform/runtime';
import { withText, type TextPath } from '@platform/testing';

const BOOK = { store_id: 'S9' } as const;
let version = Date.now();

/** Members that a good call of a route may leave out, and that one text in them does not complete. */
const partsOf = (): Readonly<Record<string, unknown>> => {
  const [id, updated_at] = [uuidv7(), ++version];
  const row = { ...BOOK, updated_at };
  const nohp = '6281234567890';
  return {
    jam_tenang: { from: '21:00', to: '07:00' },
    stores: [row],
    users: [{ ...row, user_id: id }],
    teams: [{ ...row, id }],
    team_members: [{ ...row, team_id: id, user_id: id }],
    devices: [{ ...row, instance: id }],
    templates: [{ ...row, id }],
    customers: [{ ...row, nohp }],
    orders: [{ ...row, id, nohp }],
    handle_gudang: [{ ...row, id, nohp }],
    rules: [{ ...row, id }],
    welcomes: [row],
    if_same: { nama: 'Promo', status: 'draft', meta: null },
  };
};

/** A good body with `text` at one place, and what must stand beside it. */
export const hostileBody = (good: unknown, at: TextPath, text: string): unknown => {
  const [top] = at;
  const part = typeof top === 'string' ? partsOf()[top] : undefined;
  return withText(part === undefined ? good : { ...(good as object), [String(top)]: part }, at, text);
};

/** Fields that name something, or how it was last read: a text that nothing has is refused for that. */
const NAMES = new Set([
  ...[
    'nohp',
    'instance',
    'instanceID',
    'number',
    'team',
    'to_team',
    'chatId',
    'user_id',
    'viewer_id',
    'store_id',
    'gudang_id',
    'id',
    'if_same',
  ],
  ...[
    'pesan_id',
    'quoteMsg',
    'template_id',
    'notifId',
    'notifIds',
    'ticketId',
    'chatInboxId',
    '{id}',
    '{name}',
    'exp',
    'sig',
  ],
]);

interface Answered {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Whether the text came as far as its field lets it: it was taken, broke a rule of its own field, or named nothing. Any other
 * refusal is of something else, and hides what the text would have done.
 */
export const wasTried = (at: TextPath, { status, body }: Answered): boolean => {
  const { result, errors } = (body ?? {}) as { result?: boolean; errors?: readonly { field: string }[] };
  if (errors)
    return (
      errors[0]?.field ===
      at
        .join('.')
        .replaceAll(/\.(\d+)/g, '[$1]')
        .replaceAll(/[{}]/g, '')
    );
  return (status < 300 && result !== false) || at.some((name) => NAMES.has(String(name)));
};
