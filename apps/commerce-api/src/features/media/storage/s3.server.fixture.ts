import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { verdictOn } from './s3.signature.fixture';

const BUCKET = 'shop-files';
/** s3rver knows this account alone. */
const ACCOUNT = { accessKeyId: 'S3RVER', secret: 'canary-of-the-object-store' };

/** An S3 server in this process; its bytes lie in a folder of its own. */
export interface RunningS3 {
  readonly url: string;
  /** With which commerce-api keeps its files there. */
  readonly settings: Readonly<Record<string, string>>;
  /** From now on it takes requests and answers none, begins answers and does not go on, or answers again. */
  hang(hanging: boolean | 'halfway'): void;
  /** How many requests hang at this moment. */
  waiting(): number;
  stop(): Promise<void>;
}

/** Of a bucket whose policy lets everybody read below `public/`, and nothing else. */
const isOpen = ({ method, url = '' }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && url.startsWith(`/${BUCKET}/public/`);

const refuse = (request: IncomingMessage, response: ServerResponse, code: string): void => {
  request.resume();
  response.writeHead(403, { 'content-type': 'application/xml', connection: 'close' });
  response.end(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`);
};

/**
 * s3rver keeps and serves objects, but believes any signature of version 4: each request passes the check of the fixture beside this
 * first, which refuses as S3 does.
 */
export const startS3 = async (): Promise<RunningS3> => {
  const directory = await mkdtemp(join(tmpdir(), 's3-'));
  const store = new S3rver({ directory, silent: true, vhostBuckets: false, configureBuckets: [{ name: BUCKET }] });
  await store.configureBuckets();
  const serve = store.callback();
  const held = new Set<ServerResponse>();
  let isHanging: boolean | 'halfway' = false;
  const server = createServer((request, response) => {
    if (isHanging) {
      held.add(response);
      response.once('close', () => held.delete(response));
      if (isHanging === 'halfway') response.writeHead(200, { 'content-length': '16' }).write('half');
      return;
    }
    const verdict = verdictOn(request, { ...ACCOUNT, now: Date.now() });
    if (verdict === 'good' || (verdict === 'unsigned' && isOpen(request))) return void serve(request, response);
    refuse(request, response, verdict === 'unsigned' ? 'AccessDenied' : verdict);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    settings: {
      ...{ S3_BUCKET: BUCKET, S3_ENDPOINT: url, S3_PUBLIC_URL: `${url}/${BUCKET}` },
      MEDIA_DIR: join(directory, 'passing'),
      ...{ S3_ACCESS_KEY_ID: ACCOUNT.accessKeyId, S3_SECRET_ACCESS_KEY: ACCOUNT.secret },
    },
    hang: (hanging) => {
      isHanging = hanging;
      if (!hanging) for (const response of held) response.destroy();
    },
    waiting: () => held.size,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true, force: true });
    },
  };
};
