import type { ExpressListener } from './native-request';
import { pathOf } from './path';
import type { Leads } from './service';

type Answering = Parameters<ExpressListener>;

/** Answers a request under the path to which its service leads it, with its own query; `failed` answers when that cannot be told. */
export const led =
  (leads: Leads, listener: ExpressListener, failed: (thrown: unknown, ...answering: Answering) => void) =>
  (...answering: Answering): void => {
    const [request] = answering;
    const { method = '', url = '', headers } = request;
    const go = (path: string | undefined): void => {
      const query = url.indexOf('?');
      if (path !== undefined) request.url = query < 0 ? path : path + url.slice(query);
      listener(...answering);
    };
    const path = leads({ method, path: pathOf(url), headers });
    if (path instanceof Promise) path.then(go, (thrown: unknown) => failed(thrown, ...answering));
    else go(path);
  };
