import { NotFound } from '@platform/errors';
import { segment } from '@platform/http';
import { endpoint } from '../../endpoint';
import type { FileStore } from './file.store';

const missing = () => new NotFound('file not found');

export const fileEndpoints = (files: FileStore) => [
  endpoint({
    get: '/files/{filename}',
    summary: 'A stored file',
    description: 'Whole or one range of it. What a browser could run is sent as an attachment.',
    tag: 'files',
    guard: 'perimeter',
    params: { filename: segment.refusing(missing) },
    reply: 'bytes',
    handle: async ({ params, headers }) => {
      const answer = await files.serve(params.filename, headers);
      if (!answer) throw missing();
      return answer;
    },
  }),
];
