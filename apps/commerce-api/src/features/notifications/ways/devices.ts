import { Flag, Text } from '@platform/validation';
import type { Caller } from '../../../abilities';
import type { Reader } from '../../../web/i18n/reader';
import { action } from '../../../web/page';
import type { AnyAction } from '../../../web/page.types';
import type { BrowserOwner, Subscriptions } from '../pushes/public';
import { deviceTexts } from './devices.texts';

/** What the script of the page reads of the browser. */
class BrowserGiven {
  @Text({ max: 2048 }) endpoint!: string;
  @Text({ max: 120 }) p256dh!: string;
  @Text({ max: 40 }) auth!: string;
  @Text({ optional: true, max: 200 }) label?: string;
}

class BrowserNamed {
  @Text({ max: 64 }) id!: string;
}

class ContentWish {
  @Flag({ optional: true }) push_content?: boolean;
}

export const deviceConflicts = { too_many_browsers: { text: (t: Reader) => deviceTexts(t).tooMany } };

const ownerOf = ({ storeId, actor: userId, sid, bearer }: Caller): BrowserOwner => ({
  ...{ storeId, userId, sid, bearer },
});

/** The forms of `DevicesForms` and `TellHere`, for the page that takes them. */
export const deviceActions = (browsers: Subscriptions, to: string): Readonly<Record<string, AnyAction>> => {
  const back =
    (text: (say: ReturnType<typeof deviceTexts>) => string) =>
    (_: unknown, { t }: { readonly t: Reader }) => ({ to, flash: text(deviceTexts(t)) });
  return {
    device: action({
      body: BrowserGiven,
      before: ({ viewer, body: { endpoint, label, ...keys } }) =>
        browsers.asked(ownerOf(viewer.caller), { endpoint, keys, label }),
      run: ({ viewer, tx, ready }) => browsers.put(tx, ownerOf(viewer.caller), ready),
      // It is sent beside the page, which says itself what came of it
      done: (browser) => ({ to, browser }),
    }),
    undevice: action({
      body: BrowserNamed,
      run: ({ viewer, body, tx }) => browsers.remove(tx, ownerOf(viewer.caller), body.id),
      done: back((say) => say.removed),
    }),
    content: action({
      body: ContentWish,
      run: ({ viewer, body, tx }) => browsers.showContent(tx, ownerOf(viewer.caller), body.push_content === true),
      done: back((say) => say.saved),
    }),
  };
};
