import { dataOf, type Endpoint } from '@platform/http';
import type { byOf } from '../../../by';
import { rowEndpoint as endpoint, type Arriving } from '../../../endpoint';
import { refusals } from '../../../refusals';
import type { ObjectStore } from '../storage/public';
import { LARGEST_FILE, mediaRefusals } from '../uploads/public';
import { PresignBody, PresignedUpload } from './presign.dto';
import type { Presigned } from './presigned';

const TAG = 'Settings';
/** For the largest file over a line of 3 Mbit/s. */
const LIMIT_MS = 10 * 60_000;

export const presignEndpoints = (
  presigned: Presigned,
  { by, store }: { readonly by: ReturnType<typeof byOf>; readonly store: Pick<ObjectStore, 'incoming'> },
): Endpoint[] => [
  endpoint({
    post: '/api/upload/presign',
    summary: 'Presigned direct upload to storage',
    description:
      'A link that takes one file of exactly this type and size. The file is in the library once it has arrived.',
    tag: TAG,
    guard: 'upload.write',
    status: 201,
    body: PresignBody,
    reply: dataOf(PresignedUpload, 'Upload created'),
    refuses: ['tooLarge', mediaRefusals.wrongType, refusals.planLimit],
    handle: (input) => presigned.make(by(input), input.body),
  }),
  endpoint({
    put: '/blob/{token}',
    summary: 'Takes the file of a presigned upload',
    description: 'The file is the body. It is kept when it is what was announced.',
    tag: TAG,
    guard: 'arriving',
    wholeFile: {
      ...{ directory: store.incoming, maxBytes: LARGEST_FILE, limitMs: LIMIT_MS },
      bytesOf: ({ bytes }: Arriving) => bytes,
    },
    reply: 'nothing',
    refuses: [mediaRefusals.wrongType, refusals.linkExpired, mediaRefusals.arrived],
    handle: ({ caller, files }) => presigned.take(caller, files[0]),
  }),
];
