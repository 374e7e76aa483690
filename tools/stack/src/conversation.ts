import { eventually, type gatewayCalls, type PhoneMessage } from './demo-calls';

/** A turn waits for further messages, and may have several bubbles and pictures: they are there when none came for so long. */
const QUIET_MS = 1_500;
const POLL_MS = 100;

type Phone = Pick<ReturnType<typeof gatewayCalls>, 'phone'>;

const settled = async (phone: Phone, atLeast: number): Promise<readonly PhoneMessage[]> => {
  let shown = await phone.phone();
  for (let since = Date.now(); Date.now() - since < QUIET_MS || shown.length < atLeast;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const now = await phone.phone();
    if (now.length !== shown.length) since = Date.now();
    shown = now;
    if (shown.length < atLeast) return shown;
  }
  return shown;
};

/** What the customer's phone shows after so many messages, once the shop has said all of it; `look`: where to look when nothing comes. */
export const repliesAfter = (phone: Phone, before: number, look: string): Promise<readonly PhoneMessage[]> =>
  eventually('An answer', look, async () => {
    const shown = await settled(phone, before + 1);
    return shown.length > before ? shown.slice(before) : undefined;
  });

/** The same beyond what it showed before `act`. */
export const repliesTo = async (
  phone: Phone,
  act: () => Promise<unknown>,
  look: string,
): Promise<readonly PhoneMessage[]> => {
  const before = (await phone.phone()).length;
  await act();
  return repliesAfter(phone, before, look);
};
