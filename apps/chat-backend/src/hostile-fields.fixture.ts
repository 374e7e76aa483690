import { openapi, type Service } from '@platform/http';
import { uuidv7 } from '@platform/runtime';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** Where a text of a body stands: names of members, and 0 for the first of a list. */
export interface TextField {
  readonly at: readonly (string | 0)[];
  readonly maxLength: number | undefined;
}

const isText = ({ type }: Schema): boolean => type === 'string' || (Array.isArray(type) && type.includes('string'));

/** Every text that an operation takes, as its own description says. */
export const textFieldsOf = (service: Service) => {
  const { paths, components } = openapi(service) as unknown as Description;
  const resolved = (schema: Schema): Schema =>
    schema.$ref ? (components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema;
  const within = (schema: Schema, at: TextField['at']): TextField[] => {
    const { properties, items, ...known } = resolved(schema);
    return [
      ...(isText(known) ? [{ at, maxLength: known.maxLength }] : []),
      ...Object.entries(properties ?? {}).flatMap(([name, one]) => within(one, [...at, name])),
      ...(items ? within(items, [...at, 0]) : []),
    ];
  };
  return (method: string, path: string): { body: TextField[]; query: string[] } => {
    const { requestBody, parameters = [] } = paths[path]?.[method.toLowerCase()] ?? {};
    const bodies = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => within(schema, []));
    const unique = new Map(bodies.map((field) => [field.at.join('.'), field]));
    return {
      body: [...unique.values()],
      query: parameters.flatMap((one) => (one.in === 'query' ? [one.name] : [])),
    };
  };
};

/** The value with `text` at its place; what is missing on the way there is made. */
const withText = (value: unknown, [name, ...rest]: TextField['at'], text: string): unknown => {
  if (name === undefined) return text;
  if (name === 0) {
    const [first, ...others] = Array.isArray(value) ? (value as unknown[]) : [];
    return [withText(first, rest, text), ...others];
  }
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  return { ...object, [name]: withText((object as Record<string, unknown>)[name], rest, text) };
};

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
  };
};

/** A good body with `text` at one place, and what must stand beside it. */
export const hostileBody = (good: unknown, at: TextField['at'], text: string): unknown => {
  const [top] = at;
  const part = typeof top === 'string' ? partsOf()[top] : undefined;
  return withText(part === undefined ? good : { ...(good as object), [String(top)]: part }, at, text);
};

/** Fields that name something: a text that nothing has is refused for that. */
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
    'store_id',
    'gudang_id',
    'id',
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
export const wasTried = (at: TextField['at'], { status, body }: Answered): boolean => {
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
