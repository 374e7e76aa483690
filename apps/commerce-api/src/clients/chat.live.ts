import { UpstreamFailed } from '@platform/errors';
import { listenTo, type Heard, type Listening } from '@platform/realtime';

/** The sockets of chat-backend, for one of its users: they hear what their teams let them hear (its design 5.4). */
export interface ChatLive {
  listen(token: string, heard: Heard): Promise<Listening>;
}

/** chat-backend at this address; without one it is away. */
export const chatLive = (url: string | undefined): ChatLive => ({
  listen: (token, heard) =>
    url === undefined
      ? Promise.reject(new UpstreamFailed('There is no chat-backend here', { outcome: 'undone' }))
      : listenTo(url, token, heard),
});
