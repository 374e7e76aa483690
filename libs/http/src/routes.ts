import { registrationsOf, type Service } from './service';

/** Routes that every service has beside its endpoints: see `mountOperations`. */
const operationsOf = ({ ownHealth, docsPath = '/docs', sockets }: Service): string[] => [
  ...(ownHealth ? [] : ['/health']),
  '/ready',
  '/metrics',
  docsPath,
  `${docsPath}.json`,
  ...(sockets ? [`${docsPath}/sockets`, `${docsPath}/sockets.json`] : []),
];

/** `service,METHOD,/path/{param},guard` for every registration, including those that a later one replaces. */
export const routeLines = (service: Service): string[] => [
  ...registrationsOf(service).map(({ endpoint, path, guard }) => {
    const name = endpoint.isPage ? service.pagesName : service.name;
    return `${name},${endpoint.method.toUpperCase()},${path},${guard.label}`;
  }),
  ...operationsOf(service).map((path) => `${service.name},GET,${path},public`),
];
