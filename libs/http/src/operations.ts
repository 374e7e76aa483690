import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Express, RequestHandler } from 'express';
import helmet from 'helmet';
import { checkAll } from './component-checks';
import { heldBy } from './held';
import type { Metrics } from './metrics';
import { openapi } from './openapi';
import { packed } from './packed';
import { sendAnswer } from './send';
import type { Service } from './service';
import { socketsPage } from './sockets-page';

export interface OperationsOptions {
  readonly metrics: Metrics;
  /** False while starting and while draining. */
  readonly ready: () => boolean;
  readonly exposeMetrics: boolean;
  /** Whether strangers may reach it: then it only answers whether it is ready. */
  readonly exposed: boolean;
}

/** The bundle has Swagger UI's files beside it; the workspace finds them in node_modules. */
const swaggerFolder = (): string => {
  const bundled = join(__dirname, 'assets/swagger-ui');
  return existsSync(bundled) ? bundled : dirname(require.resolve('swagger-ui-dist/swagger-ui.css'));
};

const JSON_TYPE = 'application/json; charset=utf-8';
const ASSETS = [
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
] as const;

const page = (
  title: string,
  docs: string,
): string => `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="icon" href="data:,"><link rel="stylesheet" href="${docs}/assets/swagger-ui.css"></head>
<body><div id="swagger-ui" data-document="${docs}.json"></div><script src="${docs}/assets/swagger-ui-bundle.js"></script><script src="${docs}/assets/open.js"></script></body></html>`;

/** A separate file, because the page's policy allows no inline script. */
const OPEN = `window.ui = SwaggerUIBundle({ url: document.getElementById('swagger-ui').dataset.document, dom_id: '#swagger-ui', deepLinking: true, tryItOutEnabled: true });`;

/** Built on the first request: most processes never get one. */
const mountSockets = (
  app: Express,
  docs: string,
  describe: NonNullable<Service['sockets']>,
  secure: RequestHandler,
): void => {
  const source = `${docs}/sockets.json`;
  app.get(source, packed({ type: JSON_TYPE, read: () => JSON.stringify(describe()) }));
  app.get(
    `${docs}/sockets`,
    secure,
    (_, response) => void response.type('html').send(socketsPage(describe(), source).html),
  );
};

const mountDocs = (app: Express, service: Service): void => {
  const docs = service.docsPath ?? '/docs';
  const secure = helmet({
    contentSecurityPolicy: {
      directives: {
        'style-src': ["'self'", "'unsafe-inline'"],
        'img-src': ["'self'", 'data:'],
        'upgrade-insecure-requests': null,
      },
    },
    hsts: false,
  });
  app.get(`${docs}.json`, packed({ type: JSON_TYPE, read: () => JSON.stringify(openapi(service)) }));
  app.get(docs, secure, (_, response) => void response.type('html').send(page(`${service.name} API`, docs)));
  app.get(`${docs}/assets/open.js`, secure, (_, response) => void response.type('js').send(OPEN));
  if (service.sockets) mountSockets(app, docs, service.sockets, secure);
  for (const [file, type] of ASSETS) {
    const read = () => readFile(join(swaggerFolder(), file));
    app.get(`${docs}/assets/${file}`, secure, packed({ type, cacheControl: 'public, max-age=86400, immutable', read }));
  }
};

/** Undefined while sends are released, so that the documented body stays as it is. */
const sumOf = (held: Record<string, number>): { held?: number } => {
  const counts = Object.values(held);
  return counts.length > 0 ? { held: counts.reduce((sum, count) => sum + count, 0) } : {};
};

const mountHealth = (app: Express, service: Service): void => {
  app.get('/health', async (request, response) => {
    const [{ checks }, held] = await Promise.all([checkAll(service.components), heldBy(service.components)]);
    // Includes optional components: routing of traffic depends on /ready
    const ok = Object.values(checks).every((state) => state === 'up');
    const body = { status: ok ? 'ok' : 'error', ...checks, ...sumOf(held) };
    await sendAnswer(request, response, { status: ok ? 200 : 503, body });
  });
};

/** /ready (may traffic come), the files of its pages, and for those inside /health (process and dependencies), /metrics, /docs and /docs.json. */
export const mountOperations = (
  app: Express,
  service: Service,
  { metrics, ready, exposeMetrics, exposed }: OperationsOptions,
): void => {
  app.get('/ready', async (request, response) => {
    const { ok, checks } = await checkAll(service.components);
    const open = ready() && ok;
    const failing = Object.entries(checks)
      .filter(([, state]) => state === 'down')
      .map(([name]) => name);
    await sendAnswer(request, response, {
      status: open ? 200 : 503,
      body: { ready: open, ...(open ? {} : { failing: ready() ? failing : ['process', ...failing] }) },
    });
  });
  service.assets?.mount(app);
  if (exposed) return;
  if (!service.ownHealth) mountHealth(app, service);
  if (exposeMetrics)
    app.get('/metrics', async (_, response) => void response.type(metrics.contentType).send(await metrics.render()));
  mountDocs(app, service);
};
