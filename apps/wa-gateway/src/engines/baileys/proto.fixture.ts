import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { proto } from 'baileys';

interface Field {
  readonly name: string;
  readonly type: string;
  readonly isList: boolean;
}

type Types = ReadonlyMap<string, readonly Field[]>;

const DEFINITION = join(__dirname, '../../../../../node_modules/baileys/WAProto/WAProto.proto');
const FIELD = /^(?:(optional|repeated|required) )?([\w.]+) (\w+) = \d+/;

/** The messages of WhatsApp's protocol as the library defines them: full name to fields. */
const typesOf = (definition: string): Types => {
  const types = new Map<string, Field[]>();
  const scopes: { kind: string; name: string }[] = [];
  for (const line of definition.split('\n').map((each) => each.trim())) {
    const [, kind, opened] = /^(message|enum|oneof) (\w+) \{/.exec(line) ?? [];
    if (kind && opened) {
      scopes.push({ kind, name: opened });
      continue;
    }
    if (line === '}') scopes.pop();
    const [, label, type, name] = FIELD.exec(line) ?? [];
    if (!type || !name || scopes.at(-1)?.kind === 'enum') continue;
    const owner = scopes.flatMap((scope) => (scope.kind === 'message' ? [scope.name] : [])).join('.');
    types.set(owner, [...(types.get(owner) ?? []), { name, type, isList: label === 'repeated' }]);
  }
  return types;
};

/** Names are looked for from the inside to the outside. */
const resolved = (types: Types, scope: string, type: string): string | undefined => {
  for (let within = scope.split('.'); ; within = within.slice(0, -1)) {
    const name = [...within, type].join('.');
    if (types.has(name)) return name;
    if (within.length === 0) return undefined;
  }
};

type Built = Record<string, unknown>;

const built = (types: Types, type: string, { text, depth }: { text: string; depth: number }): Built => {
  const fields = types.get(type) ?? [];
  const valueOf = (field: Field): unknown => {
    if (field.type === 'string') return text;
    const inner = depth > 0 ? resolved(types, type, field.type) : undefined;
    return inner && built(types, inner, { text, depth: depth - 1 });
  };
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = valueOf(field);
      return value === undefined ? [] : [[field.name, field.isList ? [value] : value]];
    }),
  );
};

/** One message of every type there is, `text` in every string of it, so many levels deep. */
export const messagesOfEveryType = (text: string, depth: number): ReadonlyMap<string, proto.IMessage> => {
  const types = typesOf(readFileSync(DEFINITION, 'utf8'));
  const whole = built(types, 'Message', { text, depth: depth + 1 });
  return new Map(Object.entries(whole).map(([name, value]) => [name, { [name]: value } as proto.IMessage]));
};
