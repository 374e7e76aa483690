import type { Pages } from '../../../web/kit';
import { action, actions, page } from '../../../web/page';
import { walletOf } from '../balance/public';
import { NewPin, PinChange, PinReset } from '../pin/public';
import { PinView } from './pin.view';
import { walletConflicts, walletLabels } from './wallet.conflicts';
import type { WalletPageParts } from './wallet.parts';
import { walletTexts } from './wallet.texts';

/** The PIN that lets money out. Its service has transactions of its own: a try counts, whatever becomes of it. */
export const pinPages = ({ database, clock, pins, by }: WalletPageParts): readonly Pages[] => {
  const [path, ability] = ['/wallet/pin', 'wallet.withdraw'] as const;
  const one = page({
    ...{ get: path, ability, back: '/wallet', isSecret: true },
    title: ({ t }) => walletTexts(t).pin,
    load: async ({ viewer: { caller } }) => ({
      isSet: (await walletOf(database, caller.storeId, clock.now())).pin_set,
    }),
    view: PinView,
    ...{ labels: walletLabels, conflicts: walletConflicts },
  });
  const saved = (_: unknown, { t }: { readonly t: Parameters<typeof walletTexts>[0] }) => ({
    ...{ to: path, flash: walletTexts(t).pinSaved },
  });
  const posted = actions({
    ...{ post: path, ability, of: one, secretFields: ['pin', 'current_pin', 'password', 'code'] },
    on: {
      set: action({
        body: NewPin,
        run: ({ viewer, body }) => pins.set(viewer.caller, by(viewer), body),
        done: saved,
      }),
      change: action({ body: PinChange, run: ({ viewer, body }) => pins.change(by(viewer), body), done: saved }),
      forgot: action({
        run: ({ viewer }) => pins.forget(by(viewer)),
        done: (_, { t }) => ({ to: path, flash: walletTexts(t).codeSent }),
      }),
      reset: action({ body: PinReset, run: ({ viewer, body }) => pins.reset(by(viewer), body), done: saved }),
    },
  });
  return [one, posted];
};
