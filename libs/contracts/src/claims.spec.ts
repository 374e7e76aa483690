import { asAuthEvent, isClaims } from './claims';

const claims = {
  iss: 'store-auth',
  aud: ['chat-backend'],
  sub: 'u1',
  store_id: 'S1',
  role: 'agent',
  teams: ['3'],
  email: 'a@example.com',
  sid: 'sid',
  jti: 'jti',
  iat: 1,
  nbf: 1,
  exp: 2,
};

describe('claims of a token', () => {
  it('are accepted when complete, with one audience or several', () => {
    expect(isClaims(claims)).toBe(true);
    expect(isClaims({ ...claims, aud: 'preview', store_id: '', role: 'bot', teams: [] })).toBe(true);
  });

  it.each(Object.keys(claims))('are refused without %s', (name) => {
    expect(isClaims({ ...claims, [name]: undefined })).toBe(false);
  });

  it('are refused with an unknown role or a wrong type', () => {
    for (const wrong of [{ role: 'root' }, { teams: [1] }, { teams: '3' }, { exp: '2' }, { aud: [1] }])
      expect(isClaims({ ...claims, ...wrong })).toBe(false);
    expect([null, 'x', 1].some(isClaims)).toBe(false);
  });
});

describe('auth events', () => {
  it('are accepted when known and complete', () => {
    const events = [
      { type: 'revoke', sid_hash: 'aa', exp: 1 },
      { type: 'revoke', jti: 'j', exp: 1 },
      { type: 'membership', store_id: 'S1', user_id: 'u1', role: 'agent', teams: [], at: 1 },
    ];
    expect(events.map(asAuthEvent)).toEqual(events);
  });

  it('are passed over when of a later version or incomplete', () => {
    const foreign = [
      { type: 'later' },
      { type: 'revoke', exp: 1 },
      { type: 'revoke', sid_hash: 'aa' },
      { type: 'membership', store_id: 'S1' },
      null,
      'x',
    ];
    expect(foreign.map(asAuthEvent)).toEqual(foreign.map(() => undefined));
  });
});
