import type { AddressInfo } from 'node:net';
import express from 'express';
import { createExpressServer } from './native-request';

describe('an HTTP server for Express', () => {
  it('creates requests and responses that already have the prototypes Express gives them', async () => {
    const app = express();
    const changed: boolean[] = [];
    const server = createExpressServer(app, (request, response) => {
      const born = [Object.getPrototypeOf(request), Object.getPrototypeOf(response)] as unknown[];
      app(request, response);
      const now = [Object.getPrototypeOf(request), Object.getPrototypeOf(response)] as unknown[];
      changed.push(...born.map((prototype, index) => prototype !== now[index]));
    });
    app.get('/', (request, response) => void response.json({ app: request.app === app, host: request.hostname }));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    expect(await answer.json()).toEqual({ app: true, host: '127.0.0.1' });
    expect(changed).toEqual([false, false]);
    await new Promise((resolve) => server.close(resolve).closeAllConnections());
  });
});
