import type { JSX } from 'preact';
import { buyerPage, type BuyerShown } from '../../../web/buyer.page';
import type { Pages } from '../../../web/kit';
import { Moment } from '../../../web/ui/parts';
import { Facts } from '../../../web/ui/table';
import { downloadKey, downloadRefusals, type Downloadable, type Downloads } from './download';
import { downloadTexts } from './download.texts';

interface Shown extends Downloadable {
  readonly token: string;
}

const DownloadView = ({ data, t }: BuyerShown<Shown>): JSX.Element => {
  const say = downloadTexts(t);
  const { token, item, file, bytes, number, expires_at: until, left } = data;
  return (
    <>
      <h1 dir="auto">{item}</h1>
      <div class="panel">
        <Facts
          facts={[
            [say.file, <bdi>{file ?? say.keys}</bdi>],
            ...(bytes === null ? [] : [[say.size, t.bytes(Number(bytes))] as const]),
            [say.order, number],
            [say.until, <Moment at={until.toISOString()} />],
          ]}
        />
        {left > 0 ? (
          <>
            <a class="button button-main" href={`/api/digital-store/download/${token}`} rel="nofollow">
              {say.take}
            </a>
            <p class="hint">{say.left({ count: t.count(left) })}</p>
          </>
        ) : (
          <p class="alert wait">{say.none}</p>
        )}
      </div>
    </>
  );
};

/** What a message about a download leads to: nothing is counted before somebody takes it. */
export const downloadPage = (downloads: Pick<Downloads, 'show'>): Pages =>
  buyerPage({
    get: '/download/{token}',
    guard: 'buyer',
    tenantOf: ({ params: { token = '' } }) => downloadKey(token)?.storeId,
    load: async ({ params: { token = '' } }) => {
      const key = downloadKey(token);
      if (!key) throw downloadRefusals.unknown();
      return { token, ...(await downloads.show(key)) };
    },
    shop: ({ store, phone, timezone }) => ({ name: store, phone, timezone }),
    title: (_, t) => downloadTexts(t).title,
    view: DownloadView,
  });
