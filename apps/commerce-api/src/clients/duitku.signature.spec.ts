import { duitkuCallbackSignature, duitkuCreateSignature, duitkuStatusSignature } from './duitku.signature';

const ACCOUNT = { merchant: 'DS12345', key: 'test-secret' };
const ORDER = 'INV-261120-ABC234-1';

// Computed by the openssl command line, not by this code: printf '%s' "$text" | openssl dgst -md5 -r (-sha256 of a new invoice)
describe('Duitku signs as openssl does', () => {
  it('a new invoice', () => {
    const expected = 'c6c6de33b5a5f5ee60092d8869ca5030c41dcf5d5e175ad385ca204aa431d998';
    expect(duitkuCreateSignature(ACCOUNT, '1795157100000')).toBe(expected);
  });

  it.each([
    ['150000', '7b8af4c7d8372efaf99d58a7e82a564d'],
    ['150000.00', '27566ebdf5286ebce49ddeca3694dd35'],
  ])('a callback of %s, the amount as it came', (amount, expected) => {
    expect(duitkuCallbackSignature(ACCOUNT, amount, ORDER)).toBe(expected);
  });

  it('a question for the status', () => {
    expect(duitkuStatusSignature(ACCOUNT, ORDER)).toBe('78ec335c713d252adb3c46f56b1941b6');
  });
});
