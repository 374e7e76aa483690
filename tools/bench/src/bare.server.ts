// A bare Express 5 route: parses the same body with the same parser and answers as much. `cured`: on the server of libs/http.
import { createServer } from 'node:http';
import { createExpressServer, parseSmallForm } from '@platform/http';
import express, { type RequestHandler } from 'express';

const [port, kind, cure] = process.argv.slice(2);

const parser: RequestHandler =
  kind === 'json' ? express.json({ limit: '1mb', strict: false }) : express.raw({ limit: '1mb', type: () => true });

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.get('/ready', (_, response) => void response.json({ status: 'ok' }));
app.post('/v1/echo', parser, (request, response) => {
  const body: unknown = request.body;
  const fields = Buffer.isBuffer(body) ? parseSmallForm(request.headers['content-type'] ?? '', body) : body;
  response.json({ result: true, data: fields });
});

const server = cure === 'cured' ? createExpressServer(app) : createServer(app);
server.listen(Number(port), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
