import { fixedClock, silentLogger } from '@platform/runtime';
import type { WASocket } from 'baileys';
import type { QrInfo } from '../engine.types';
import { Pairing } from './pairing';

const PHONE = '628110000001@s.whatsapp.net';

const setup = () => {
  const told: QrInfo[] = [];
  const asked: string[] = [];
  let answer: (code: string) => void = () => undefined;
  const requestPairingCode = (phone: string): Promise<string> => {
    asked.push(phone);
    return new Promise((resolve) => (answer = resolve));
  };
  const socket = { requestPairingCode } as unknown as WASocket;
  const pairing = new Pairing((info) => void told.push(info), 20, fixedClock('2026-11-20T10:00:00Z'), silentLogger);
  return { told, asked, socket, pairing, answer: (code: string) => answer(code) };
};

describe('a pairing code to be typed', () => {
  it('is asked for once, also when the code to scan changes before the answer', async () => {
    const { told, asked, socket, pairing, answer } = setup();
    pairing.begin(PHONE);
    pairing.codeShown('first', socket);
    pairing.codeShown('second', socket);
    answer('ABCD1234');
    await new Promise(setImmediate);
    const expiresAt = new Date('2026-11-20T10:00:00.020Z');
    expect(asked).toEqual(['628110000001']);
    expect(told).toEqual([
      { qr: 'second', attempt: 2, expiresAt },
      { qr: 'second', attempt: 2, expiresAt, code: 'ABCD1234' },
    ]);
  });
});
