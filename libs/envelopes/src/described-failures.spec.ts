import {
  adsEnvelope,
  botTextEnvelope,
  chatEnvelope,
  commerceEnvelope,
  describeFailures,
  storeAuthEnvelope,
} from './index';

const TEXT = { type: 'string' };

describe('describeFailures', () => {
  it('says what a business refusal of chat-backend is: 200, result false, a text, perhaps a code', () =>
    expect(describeFailures(chatEnvelope, ['rejected', 'notFound'])).toEqual([
      {
        status: 200,
        kinds: ['rejected', 'notFound'],
        plain: false,
        headers: {},
        schema: {
          type: 'object',
          properties: { result: { type: 'boolean', const: false }, message: TEXT, code: TEXT },
          required: ['result', 'message'],
        },
      },
    ]));

  it('keeps the texts that an envelope fixes, and lists them where there are several', () =>
    expect(describeFailures(storeAuthEnvelope, ['unauthenticated'])).toEqual([
      {
        status: 401,
        kinds: ['unauthenticated'],
        plain: false,
        headers: { 'Cache-Control': { type: 'string', const: 'no-store' } },
        schema: {
          type: 'object',
          properties: {
            status: { type: 'string', enum: ['ekspired', 'invalid'] },
            message: { type: 'string', enum: ['token ekspired', 'token tidak valid'] },
          },
          required: ['status', 'message'],
        },
      },
    ]));

  it('knows the answers that a code decides', () =>
    expect(describeFailures(chatEnvelope, ['unavailable']).map(({ status, headers }) => ({ status, headers }))).toEqual(
      [
        { status: 500, headers: {} },
        { status: 503, headers: { 'Retry-After': { type: 'integer' } } },
      ],
    ));

  it('says that commerce-api lists errors by field, whatever the fields are called', () =>
    expect(describeFailures(commerceEnvelope({ production: true }), ['invalid'])[0]?.schema).toEqual({
      type: 'object',
      properties: {
        status: { type: 'string', const: 'error' },
        message: TEXT,
        code: TEXT,
        errors: { type: 'object', additionalProperties: { type: 'array', items: TEXT } },
      },
      required: ['status', 'message', 'code', 'errors'],
    }));

  it('shows no detail that production keeps to itself', () => {
    const memberNames = (production: boolean) =>
      Object.keys(
        (describeFailures(commerceEnvelope({ production }), ['unexpected'])[0]?.schema as { properties: object })
          .properties,
      );
    expect([memberNames(true), memberNames(false)]).toEqual([
      ['status', 'message', 'code'],
      ['status', 'message', 'code', 'detail'],
    ]);
  });

  it('makes one description of all kinds that share a status', () => {
    const [only, ...others] = describeFailures(adsEnvelope, ['malformed', 'invalid', 'rejected']);
    expect({ others, status: only?.status, required: only?.schema.required }).toEqual({
      others: [],
      status: 400,
      required: ['status', 'message', 'error'],
    });
  });

  it('says when the body is text', () =>
    expect(describeFailures(botTextEnvelope, ['malformed'])).toEqual([
      {
        status: 400,
        kinds: ['malformed'],
        plain: true,
        headers: {},
        schema: { type: 'string', const: 'invalid json' },
      },
    ]));
});
