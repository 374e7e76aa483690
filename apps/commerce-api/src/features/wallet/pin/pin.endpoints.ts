import { area, done, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint } from '../../../endpoint';
import { NewPin, PinChange, PinReset } from './pin.dto';
import { pinRefusals } from './pin.rules';
import type { PinService } from './pin.service';

export const pinEndpoints = (pins: PinService, by: ReturnType<typeof byOf>): Endpoint[] =>
  area({ prefix: '/api/wallet/pin', tag: 'Wallet and payment' }, [
    endpoint({
      post: '',
      summary: 'Set PIN the first time',
      guard: 'wallet.withdraw',
      body: NewPin,
      reply: done('PIN created'),
      refuses: [pinRefusals.isSet, 'notFound', 'tooMany', 'upstreamFailed'],
      handle: (input) => pins.set(input.caller, by(input), input.body),
    }),
    endpoint({
      put: '',
      summary: 'Change PIN',
      description: 'After five wrong tries in a row no PIN is looked at for 30 minutes.',
      guard: 'wallet.withdraw',
      body: PinChange,
      reply: done('PIN updated'),
      refuses: [pinRefusals.notSet, pinRefusals.locked, 'tooMany'],
      handle: (input) => pins.change(by(input), input.body),
    }),
    endpoint({
      post: '/forgot',
      summary: 'Send PIN reset code',
      description: 'Six digits to the confirmed address of whoever asks, good for ten minutes.',
      guard: 'wallet.withdraw',
      reply: done('A code is on its way'),
      refuses: [pinRefusals.notSet],
      handle: (input) => pins.forget(by(input)),
    }),
    endpoint({
      post: '/reset',
      summary: 'Set PIN with reset code',
      description: 'Nothing can be withdrawn for 24 hours then.',
      guard: 'wallet.withdraw',
      body: PinReset,
      reply: done('PIN updated'),
      refuses: [pinRefusals.notSet, 'tooMany'],
      handle: (input) => pins.reset(by(input), input.body),
    }),
  ]);
