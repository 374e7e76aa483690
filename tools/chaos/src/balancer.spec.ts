import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answersOf, nginxConfig, type BalancerOptions } from './balancer';
import { ingressFrom, shippedIngress } from './ingress';

const ingress = (paths: string): string => `
metadata:
  annotations:
    nginx.ingress.kubernetes.io/proxy-body-size: 5m
    nginx.ingress.kubernetes.io/proxy-read-timeout: '7'
spec:
  rules:
    - { host: chat.example.com, http: { paths: [${paths}] } }`;

const path = (at: string, pathType: string, service: string): string =>
  `{ path: ${at}, pathType: ${pathType}, backend: { service: { name: ${service}, port: { name: http } } } }`;

const configOf = (paths: string, more: Partial<BalancerOptions> = {}): string => {
  const options: BalancerOptions = {
    folder: '/tmp/run',
    ingress: ingressFrom(ingress(paths)),
    hosts: { 'chat.example.com': 8080 },
    public: { chat: ['127.0.0.1:1', '127.0.0.1:2'] },
    inside: { chat: { port: 8081, replicas: ['127.0.0.1:3', '127.0.0.1:4'] } },
    ...more,
  };
  return nginxConfig(options);
};

describe('the balancer of the replicas run', () => {
  it('matches prefixes by whole path elements, exact paths alone, and answers 404 for the rest', () => {
    const config = configOf(`${path('/v1', 'Prefix', 'chat')}, ${path('/api', 'Exact', 'chat')}`);
    expect(config.match(/^ {4}location .*$/gm)).toEqual([
      '    location = /v1 { proxy_pass http://public-chat; }',
      '    location /v1/ { proxy_pass http://public-chat; }',
      '    location = /api { proxy_pass http://public-chat; }',
      '    location / { return 404; }',
      '    location / { proxy_pass http://inside-chat; }',
    ]);
  });

  it('sends each request to the next replica, whichever client it comes from', () => {
    const config = configOf(path('/', 'Prefix', 'chat'));
    expect(config.match(/server 127\.0\.0\.1:\d+ /g)).toEqual([1, 2, 3, 4].map((port) => `server 127.0.0.1:${port} `));
    expect(config).not.toMatch(/ip_hash|hash |sticky|least_conn|random/);
  });

  it('retries only idempotent requests of clients, and no requests of siblings', () => {
    const config = configOf(path('/', 'Prefix', 'chat'));
    expect(config.match(/proxy_next_upstream [^;]+;/g)).toEqual([
      'proxy_next_upstream error timeout;',
      'proxy_next_upstream off;',
    ]);
    expect(config).not.toContain('non_idempotent');
  });

  it('closes each connection after its answer when its replicas change at run time', () => {
    expect(configOf(path('/', 'Prefix', 'chat'), { reloads: true })).toContain('keepalive_timeout 0;');
    expect(configOf(path('/', 'Prefix', 'chat'))).not.toContain('keepalive_timeout');
  });

  it('counts answers by status, without those of sockets', () => {
    const folder = mkdtempSync(join(tmpdir(), 'platform-balancer-'));
    const lines = [
      '8080 127.0.0.1:1 200 GET /v1/chats',
      '8080 127.0.0.1:1, 127.0.0.1:2 200 POST /v1/send_message',
      '8081 127.0.0.1:3 502 POST /internal/sync',
      '8080 127.0.0.1:2 400 GET /socket.io/',
      '8080 - 503 GET /',
    ];
    writeFileSync(join(folder, 'access.log'), `${lines.join('\n')}\n`);
    expect(Object.fromEntries(answersOf(folder))).toEqual({ 200: 2, 502: 1, 503: 1 });
    rmSync(folder, { recursive: true });
  });

  it("has the ingress's size limit and timeout, and answers 503 for a service that does not run", () => {
    const config = configOf(`${path('/', 'Prefix', 'shop')}`);
    expect(config).toContain('client_max_body_size 5m;');
    expect(config).toContain('proxy_read_timeout 7s;');
    expect(config).toContain('location / { return 503; }');
  });
});

it('the shipped ingress routes to the API, files and sockets of chat-backend', () => {
  const chat = shippedIngress().rules.find(({ host }) => host === 'chat.example.com');
  expect(chat?.paths.map(({ path: at, service }) => `${at} ${service}`)).toEqual([
    '/v1 chat-backend',
    '/media chat-backend',
    '/socket.io chat-backend',
  ]);
});
