import type { Reader } from '../../../web/i18n/reader';
import type { Pages } from '../../../web/kit';
import { action, actions, page } from '../../../web/page';
import { walletOf } from '../balance/public';
import { NewPin, PinChange, PinReset } from '../pin/public';
import { PinView } from './pin.view';
import { walletConflicts, walletLabels } from './wallet.conflicts';
import type { WalletPageParts } from './wallet.parts';
import { walletTexts } from './wallet.texts';

const PATH = '/wallet/pin';
const ABILITY = 'wallet.withdraw';

/** All was done before. */
const nothing = (): Promise<void> => Promise.resolve();

const saved = (_: unknown, { t }: { readonly t: Reader }) => ({ to: PATH, flash: walletTexts(t).pinSaved });

/** The PIN that lets money out. Its service has transactions of its own: a try counts, whatever becomes of it. */
export const pinPages = ({ database, clock, pins, by }: WalletPageParts): readonly Pages[] => {
  const one = page({
    ...{ get: PATH, ability: ABILITY, back: '/wallet', isSecret: true },
    title: ({ t }) => walletTexts(t).pin,
    load: async ({ viewer: { caller } }) => ({
      isSet: (await walletOf(database, caller.storeId, clock.now())).pin_set,
    }),
    view: PinView,
    ...{ labels: walletLabels, conflicts: walletConflicts },
  });
  const posted = actions({
    ...{ post: PATH, ability: ABILITY, of: one, secretFields: ['pin', 'current_pin', 'password', 'code'] },
    on: {
      set: action({
        body: NewPin,
        before: ({ viewer, body }) => pins.set(viewer.caller, by(viewer), body),
        run: nothing,
        done: saved,
      }),
      change: action({
        body: PinChange,
        before: ({ viewer, body }) => pins.change(by(viewer), body),
        run: nothing,
        done: saved,
      }),
      forgot: action({
        before: ({ viewer }) => pins.forget(by(viewer)),
        run: nothing,
        done: (_, { t }) => ({ to: PATH, flash: walletTexts(t).codeSent }),
      }),
      reset: action({
        body: PinReset,
        before: ({ viewer, body }) => pins.reset(by(viewer), body),
        run: nothing,
        done: saved,
      }),
    },
  });
  return [one, posted];
};
