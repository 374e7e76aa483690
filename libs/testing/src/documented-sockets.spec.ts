import { asyncapi } from '@platform/realtime';
import { Choice, Int, Nested, Text } from '@platform/validation';
import { documentedSockets } from './documented-sockets';

class Row {
  @Text() id!: string;
}
class Added {
  @Choice(['add']) op!: 'add';
  @Nested(() => Row) row!: Row;
}
class Removed {
  @Choice(['remove']) op!: 'remove';
  @Int({ nullable: true }) version!: number | null;
}
class Named {
  @Text() id!: string;
}

const checks = documentedSockets(
  asyncapi({
    name: 'shop',
    description: 'A shop',
    token: { kind: 'jwt', description: 'a token' },
    events: { changed: { summary: 'A row has changed', to: 'everybody', payload: [Added, Removed] } },
    requests: { look: { summary: 'Looks at a row', payload: Named, answer: Row } },
  }),
);

describe('the check of socket events (documentedSockets)', () => {
  it('accepts events, and the end of a session, as described', () => {
    expect(checks.event('changed', { op: 'add', row: { id: '1' } })).toEqual([]);
    expect(checks.event('changed', { op: 'remove', version: null })).toEqual([]);
    expect(checks.event('authExpired', {})).toEqual([]);
    expect(checks.answer('look', { id: '1' })).toEqual([]);
    expect(checks.answer('authRefresh', { result: false, message: 'Unauthenticated' })).toEqual([]);
  });

  it('names undeclared members at any depth', () => {
    expect(checks.event('changed', { op: 'add', row: { id: '1', secret: 's' } })).toContain(
      'changed/row must NOT have additional properties: secret',
    );
    expect(checks.answer('look', { id: '1', more: 1 })).toEqual([
      'lookAnswer must NOT have additional properties: more',
    ]);
  });

  it('refuses a missing member, a wrong type, and an event without a description', () => {
    expect(checks.event('changed', { op: 'remove' })).toContain("changed must have required property 'version'");
    expect(checks.answer('look', { id: 7 })).toEqual(['lookAnswer/id must be string']);
    expect(checks.event('gossip', {})).toEqual(['gossip is not a documented event']);
    expect(checks.event('look', { id: '1' })).toEqual(['look is not a documented event']);
    expect(checks.answer('changed', {})).toEqual(['changed is not a documented request']);
  });
});
