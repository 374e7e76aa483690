import { Email, Money, parse, Phone, schemaOf, Slug, writerOf, type DtoClass, type Source } from './index';

const reader =
  <T extends object>(dto: DtoClass<T>, name: keyof T & string) =>
  (value: unknown, from: Source = 'json'): unknown => {
    const { value: read, violations } = parse(dto, { [name]: value }, { from });
    return read ? read[name] : violations?.map(({ tag, message }) => `${tag}: ${message}`).join();
  };

describe('the field Money', () => {
  class Price {
    @Money() price!: number;
  }
  const price = reader(Price, 'price');

  it('Money is a whole number from 0 to 10^12 in JSON', () => {
    expect([0, 150_000, 1_000_000_000_000].map((each) => price(each))).toEqual([0, 150_000, 1_000_000_000_000]);
    expect(price(-1)).toBe('min: price must be 0 or greater');
    expect(price(1_000_000_000_001)).toBe('max: price must be 1000000000000 or less');
    for (const none of [1.5, Number.NaN, '150000', '150.000', true, {}])
      expect(price(none)).toBe('integer: price must be an integer');
  });

  it.each([
    ['150000', 150_000],
    ['150.000', 150_000],
    ['1.250.000', 1_250_000],
    ['1.000.000.000.000', 1_000_000_000_000],
    ['0', 0],
  ])('Money may have thousands separators in a form: %s is %d', (text, amount) =>
    expect(price(text, 'form')).toBe(amount),
  );

  it.each(['15.00', '1.5', '1.50.000', '.000', '150,000', '-5', 'Rp150', '1e3', '150000.000', ' 5'])(
    'Money is refused in a form when it is ambiguous: %s',
    (text) => expect(price(text, 'form')).toBe('integer: price must be an integer'),
  );

  it('Money is documented as int64 and written from a bigint', () => {
    expect(schemaOf(Price).properties).toEqual({
      price: { type: 'integer', format: 'int64', minimum: 0, maximum: 1_000_000_000_000 },
    });
    expect(writerOf(Price)({ price: 150_000n })).toEqual({ price: 150_000 });
  });

  it('Money has other limits when its options say so', () => {
    class Balance {
      @Money({ min: -10, max: 10 }) balance!: number;
    }
    expect([reader(Balance, 'balance')(-10), reader(Balance, 'balance')(11)]).toEqual([
      -10,
      'max: balance must be 10 or less',
    ]);
  });
});

describe('the field Phone', () => {
  class Contact {
    @Phone() phone!: string;
  }
  const phone = reader(Contact, 'phone');

  it.each([
    '08123456789',
    '0812-3456-789',
    '+62 (0)812-3456-789',
    '62 0812 3456 789',
    '628123456789',
    '+62 812 3456 789',
    '(+62) 8123.456.789',
    '0062 812 3456 789',
    8123456789,
  ])('Phone keeps %p as the digits of its international form', (given) =>
    expect(phone(given)).toBe(given === 8123456789 ? '8123456789' : '628123456789'),
  );

  it.each(['0', '123456', '1234567890123456', 'abc', '+62 812 x', '62812\u0660\u0661\u0662'])('refuses %p', (given) =>
    expect(phone(given)).toBe('e164: phone must be a valid E.164 formatted phone number'),
  );

  it('Phone takes the country code of a leading 0 from its options', () => {
    class Singapore {
      @Phone({ countryCode: '65' }) phone!: string;
    }
    expect(reader(Singapore, 'phone')('081234567')).toBe('6581234567');
  });
});

describe('the field Slug', () => {
  class Shop {
    @Slug() slug!: string;
  }
  const slug = reader(Shop, 'slug');

  it('Slug is 3 to 60 lower-case letters, digits or hyphens', () => {
    expect(['abc', ' toko-nusa-2 ', 'a'.repeat(60)].map((each) => slug(each))).toEqual([
      'abc',
      'toko-nusa-2',
      'a'.repeat(60),
    ]);
    for (const none of ['ab', 'a'.repeat(61), 'Toko', 'a b c', 'toko_nusa', 'tokó', 'abc\n-'])
      expect(slug(none)).toBe('slug: slug must be 3 to 60 small letters, digits or hyphens');
  });
});

describe('the field Email', () => {
  class Account {
    @Email() email!: string;
  }
  const email = reader(Account, 'email');
  const longest = `${'a'.repeat(64)}@${'b'.repeat(61)}.${'c'.repeat(61)}.${'d'.repeat(61)}.id`;

  it('Email is trimmed and lower-cased', () =>
    expect(email('  Rina@Toko-Nusa.Example ')).toBe('rina@toko-nusa.example'));

  it('Email has at most 254 characters', () => {
    expect(email(longest)).toBe(longest);
    expect(email(`x${'y'.repeat(260 - longest.length)}${longest}`)).toBe(
      'max: email must be a maximum of 254 characters in length',
    );
  });

  it.each(['rina', 'rina@', '@toko.id', 'a b@toko.id', 'rina@toko', 'rina@toko.id\0'])('refuses %p', (given) =>
    expect(email(given)).toMatch(/^(email|excludesrune): /),
  );
});
